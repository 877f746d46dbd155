// Output files on Windows: as in output_file.c, written under a temporary name beside the target, flushed, renamed. There are
// no links to follow; a file that others hold open without sharing cannot be replaced, and the error says so.
#include "base/output_file.h"

#ifdef _WIN32 // so that checks on other systems can read the file

#include <windows.h>

#include <fcntl.h>
#include <io.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/context.h"
#include "base/file.h"

enum { PATH_MOST = 1024, WRITERS = 32, LOCK_TRIES = 20, LOCK_PAUSE = 10 /* ms */ };
static const char SUFFIX[] = ".voussoir-tmp";

struct vs_output_file {
    vs_context *context;
    char target[PATH_MOST];
    char name[PATH_MOST + sizeof SUFFIX + 4]; // the temporary file; "": renamed or removed
    int descriptor;                           // of it, locked; -1: none
    bool stream;                              // the target is a device: the bytes are copied
};

static vs_error fail_windows(const vs_output_file *f, const char *what) {
    return vs_fail(f->context, VS_ERROR_IO, "%s: error %lu of Windows", what, GetLastError());
}

static vs_error fail_busy(const vs_output_file *f) {
    return vs_fail(f->context, VS_ERROR_IO, "is being written by another process; wait until it has finished");
}

static int open_shared(const char *path, DWORD how) {
    const HANDLE handle =
        CreateFileA(path, GENERIC_READ | GENERIC_WRITE, FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, NULL,
                    how, FILE_ATTRIBUTE_NORMAL, NULL);
    return handle == INVALID_HANDLE_VALUE ? -1 : _open_osfhandle((intptr_t)handle, _O_RDWR | _O_BINARY);
}

static void remove_leftover(const char *name) {
    const int descriptor = open_shared(name, OPEN_EXISTING);
    if (descriptor < 0)
        return;
    const bool left = vs_file_try_lock(descriptor) == VS_LOCK_TAKEN;
    (void)_close(descriptor);
    if (left)
        (void)DeleteFileA(name);
}

static vs_error reserve(vs_output_file *f, const char *beside) {
    for (int k = 0; k < WRITERS; k++) {
        (void)snprintf(f->name, sizeof f->name, "%s%s%d", beside, SUFFIX, k);
        remove_leftover(f->name);
        f->descriptor = open_shared(f->name, CREATE_NEW);
        if (f->descriptor >= 0 && vs_file_try_lock(f->descriptor) != VS_LOCK_OF_ANOTHER)
            return VS_OK;
        if (f->descriptor < 0 && GetLastError() != ERROR_FILE_EXISTS)
            break;
        vs_file_unlock(f->descriptor);
        f->descriptor = -1;
    }
    f->name[0] = '\0';
    return fail_windows(f, "cannot be created");
}

vs_output_kind vs_output_file_kind(const char *path) {
    const char *name = path;
    for (const char *at = path; *at; at++)
        if (*at == '/' || *at == '\\')
            name = at + 1;
    if (_stricmp(name, "NUL") == 0)
        return VS_OUTPUT_NULL;
    const int descriptor = open_shared(path, OPEN_EXISTING);
    if (descriptor < 0)
        return VS_OUTPUT_REGULAR;
    const DWORD type = GetFileType((HANDLE)_get_osfhandle(descriptor)); // NOLINT: an integer by its definition
    (void)_close(descriptor);
    return type == FILE_TYPE_DISK ? VS_OUTPUT_REGULAR : VS_OUTPUT_STREAM;
}

bool vs_output_file_replaces(const char *path, const char *other) {
    char a[PATH_MOST], b[PATH_MOST];
    const int descriptor = open_shared(path, OPEN_EXISTING);
    if (descriptor >= 0) {
        const bool same = vs_file_is_at(descriptor, other);
        (void)_close(descriptor);
        return same;
    }
    const DWORD m = GetFullPathNameA(path, sizeof a, a, NULL), n = GetFullPathNameA(other, sizeof b, b, NULL);
    return m > 0 && m < sizeof a && n > 0 && n < sizeof b && _stricmp(a, b) == 0;
}

static vs_error begin(vs_output_file *f, const char *path) {
    const DWORD attributes = GetFileAttributesA(path);
    if (attributes != INVALID_FILE_ATTRIBUTES && (attributes & FILE_ATTRIBUTE_DIRECTORY))
        return vs_fail(f->context, VS_ERROR_IO, "is a directory; use the name of a file");
    if (strlen(path) >= PATH_MOST)
        return vs_fail(f->context, VS_ERROR_IO, "cannot be created: the name is too long");
    (void)snprintf(f->target, sizeof f->target, "%s", path);
    f->stream = vs_output_file_kind(path) != VS_OUTPUT_REGULAR;
    if (f->stream) {
        char folder[MAX_PATH + 1], beside[MAX_PATH + 16];
        if (!GetTempPathA(sizeof folder, folder))
            return fail_windows(f, "no temporary file can be created");
        (void)snprintf(beside, sizeof beside, "%svoussoir", folder);
        return reserve(f, beside);
    }
    const int old = open_shared(path, OPEN_EXISTING);
    if (old < 0 && GetLastError() != ERROR_FILE_NOT_FOUND)
        return fail_windows(f, "cannot be opened for writing");
    const bool busy = old >= 0 && vs_file_is_locked(old);
    vs_file_unlock(old);
    return busy ? fail_busy(f) : reserve(f, path);
}

vs_error vs_output_file_create(vs_context *context, const char *path, vs_output_file **file) {
    if (!context || !path || !file)
        return vs_fail(context, VS_ERROR_ARGUMENT, "vs_output_file_create: an argument is null");
    *file = NULL;
    vs_output_file *f = vs_allocate(context, sizeof *f);
    if (!f)
        return vs_fail_memory(context);
    *f = (vs_output_file){.context = context, .descriptor = -1};
    const vs_error error = begin(f, path);
    if (error)
        vs_output_file_destroy(f);
    else
        *file = f;
    return error;
}

const char *vs_output_file_get_path(const vs_output_file *file) {
    return file->name;
}

int vs_output_file_take_lock(vs_output_file *file) {
    const int descriptor = file->descriptor;
    file->descriptor = -1;
    return descriptor;
}

static vs_error copy_to_device(vs_output_file *f) {
    FILE *from = fopen(f->name, "rb"), *to = fopen(f->target, "wb");
    char bytes[1 << 14];
    size_t got = 0;
    bool good = from && to;
    while (good && (got = fread(bytes, 1, sizeof bytes, from)) > 0)
        good = fwrite(bytes, 1, got, to) == got;
    if (from)
        good = !ferror(from) && fclose(from) == 0 && good;
    if (to)
        good = fclose(to) == 0 && good;
    return good ? VS_OK : vs_fail(f->context, VS_ERROR_IO, "could not be written");
}

// Another writer holds the lock of a complete file for one rename only.
static vs_error take_name(vs_output_file *f) {
    for (int tries = 0;; tries++) {
        const int old = open_shared(f->target, OPEN_EXISTING);
        const bool busy = old >= 0 && vs_file_is_locked(old);
        vs_file_unlock(old);
        if (!busy && MoveFileExA(f->name, f->target, MOVEFILE_REPLACE_EXISTING | MOVEFILE_WRITE_THROUGH))
            break;
        if (tries == LOCK_TRIES)
            return busy ? fail_busy(f) : fail_windows(f, "cannot be replaced");
        Sleep(LOCK_PAUSE);
    }
    f->name[0] = '\0';
    return VS_OK;
}

vs_error vs_output_file_commit(vs_output_file *file) {
    if (!file || !file->name[0])
        return vs_fail(file ? file->context : NULL, VS_ERROR_ARGUMENT, "vs_output_file_commit: nothing to commit");
    if (file->stream)
        return copy_to_device(file);
    if (file->descriptor >= 0 && _commit(file->descriptor) != 0)
        return fail_windows(file, "could not be written");
    return take_name(file);
}

void vs_output_file_destroy(vs_output_file *file) {
    if (!file)
        return;
    vs_file_unlock(file->descriptor);
    if (file->name[0])
        (void)DeleteFileA(file->name);
    vs_release(file->context, file);
}

#endif
