// Files are replaced, never overwritten: written under a temporary name beside the target, flushed to disk, renamed.
//
// The writer holds a lock on its temporary file ("run.h5.voussoir-tmp0"). A temporary file without a lock was left by a
// writer that was killed, and the next writer of the same name removes it. Only a lock tells the dead from the living:
// process numbers are reused and mean nothing on another machine or in another container, and ages depend on clocks and
// on how long a run takes; the system releases a lock with its process, whatever ended that. On file systems without
// locks leftovers stay, and up to WRITERS names are tried.
//
// A file that is being written is not replaced: its frames would go to a file without a name. The old file is locked
// while the new one takes its name, so that of several writers exactly one succeeds.
#include "base/output_file.h"

#include <stddef.h>
#include <stdio.h>

#include "base/context.h"
#include "base/file.h"
#include "base/path.h"

vs_error vs_output_file_create(vs_context *context, const char *path, vs_output_file **file) {
    if (!context || !path || !file)
        return vs_fail(context, VS_ERROR_ARGUMENT, "vs_output_file_create: an argument is null");
    *file = NULL;
    vs_output_file *f = vs_allocate(context, sizeof *f);
    if (!f)
        return vs_fail_memory(context);
    *f = (vs_output_file){.context = context, .descriptor = -1, .stream = -1};
    const vs_error error = vs_output_file_begin(f, path);
    if (error)
        vs_output_file_destroy(f);
    else
        *file = f;
    return error;
}

const char *vs_output_file_get_path(const vs_output_file *file) {
    return file ? file->name : NULL;
}

int vs_output_file_take_lock(vs_output_file *file) {
    const int descriptor = file->descriptor;
    file->descriptor = -1;
    return descriptor;
}

void vs_output_file_name(vs_output_file *file, int k) {
    (void)snprintf(file->name, sizeof file->name, "%s" VS_OUTPUT_SUFFIX "%d", file->target, k);
}

vs_error vs_output_file_fail_busy(const vs_output_file *file) {
    return vs_fail(file->context, VS_ERROR_IO, "is being written by another process; wait until it has finished");
}

vs_error vs_output_file_commit(vs_output_file *file) {
    if (!file || !file->name[0])
        return vs_fail(file ? file->context : NULL, VS_ERROR_ARGUMENT, "vs_output_file_commit: nothing to commit");
    return file->stream >= 0 ? vs_output_file_copy(file) : vs_output_file_rename(file);
}

// The name goes before the lock: without a lock another writer may use it again.
void vs_output_file_destroy(vs_output_file *file) {
    if (!file)
        return;
    if (file->name[0])
        (void)vs_path_remove(file->name);
    vs_file_unlock(file->descriptor);
    vs_file_unlock(file->stream);
    vs_release(file->context, file);
}
