// Files are replaced, never overwritten: written under a temporary name, flushed to disk, renamed. A trajectory has one
// writer: it holds a lock on the first byte of the file, which is released with the process. Readers are not affected;
// file systems without locks are trusted.
#define _GNU_SOURCE // F_OFD_SETLK: locks that other descriptors of this process respect as well
#include "output/file.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#ifdef F_OFD_SETLK
#define SET_LOCK F_OFD_SETLK
#define ASK_LOCK F_OFD_GETLK
#else
#define SET_LOCK F_SETLK
#define ASK_LOCK F_GETLK
#endif

vs_error vs_file_blame(vs_context *context, vs_error error, const char *path) {
    if (!error || error == VS_ERROR_MEMORY)
        return error;
    return vs_fail(context, error, "%s: %s", path, vs_context_get_error_text(context));
}

vs_error vs_file_reserve(vs_arena *arena, const char *path, char **name) {
    const size_t room = strlen(path) + 16;
    *name = VS_NEW(arena, char, (int64_t)room);
    if (!*name)
        return VS_ERROR_MEMORY;
    for (int k = 0; k < 100; k++) {
        (void)snprintf(*name, room, "%s.tmp%d", path, k);
        const int descriptor = open(*name, O_WRONLY | O_CREAT | O_EXCL, 0666);
        if (descriptor >= 0) {
            (void)close(descriptor);
            return VS_OK;
        }
        if (errno != EEXIST)
            break;
    }
    *name = NULL;
    return vs_fail(arena->context, VS_ERROR_IO, "cannot be created: %s", strerror(errno));
}

// The folder contains the name and must be flushed as well. Not every file system supports it; errors are ignored.
static void sync_folder(vs_context *context, const char *path) {
    const size_t room = strlen(path) + 1;
    char *copy = vs_allocate(context, room);
    if (!copy)
        return;
    (void)memcpy(copy, path, room);
    const int descriptor = open(dirname(copy), O_RDONLY);
    if (descriptor >= 0) {
        (void)fsync(descriptor);
        (void)close(descriptor);
    }
    vs_release(context, copy);
}

vs_error vs_file_replace(vs_context *context, const char *name, const char *path) {
    const int descriptor = open(name, O_RDONLY);
    bool good = descriptor >= 0 && fsync(descriptor) == 0;
    if (descriptor >= 0)
        good = close(descriptor) == 0 && good;
    if (!good || rename(name, path) != 0)
        return vs_fail(context, VS_ERROR_IO, "cannot be replaced: %s", strerror(errno));
    sync_folder(context, path);
    return VS_OK;
}

vs_error vs_file_lock(vs_context *context, const char *path, int *descriptor) {
    *descriptor = open(path, O_RDWR | O_CLOEXEC);
    if (*descriptor < 0)
        return vs_fail(context, VS_ERROR_IO, "cannot be opened for writing: %s", strerror(errno));
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = 0, .l_len = 1};
    if (fcntl(*descriptor, SET_LOCK, &lock) == 0 || (errno != EAGAIN && errno != EACCES))
        return VS_OK;
    (void)close(*descriptor);
    *descriptor = -1;
    return vs_fail(context, VS_ERROR_IO, "is being written by another process; wait until it has finished");
}

void vs_file_unlock(int descriptor) {
    if (descriptor >= 0)
        (void)close(descriptor);
}

bool vs_file_is_locked(int descriptor) {
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = 0, .l_len = 1};
    return fcntl(descriptor, ASK_LOCK, &lock) == 0 && lock.l_type != F_UNLCK;
}
