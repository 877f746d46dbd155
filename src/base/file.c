// A file has one writer: it holds a lock on the first byte, which is released with the process. Readers are not
// affected; file systems without locks are trusted.
#define _GNU_SOURCE // F_OFD_SETLK: locks that other descriptors of this process respect as well
#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
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

bool vs_file_is_at(int descriptor, const char *path) {
    struct stat open_one, named;
    return fstat(descriptor, &open_one) == 0 && stat(path, &named) == 0 && open_one.st_dev == named.st_dev &&
           open_one.st_ino == named.st_ino;
}

vs_lock vs_file_try_lock(int descriptor) {
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = 0, .l_len = 1};
    if (fcntl(descriptor, SET_LOCK, &lock) == 0)
        return VS_LOCK_TAKEN;
    return errno == EAGAIN || errno == EACCES ? VS_LOCK_OF_ANOTHER : VS_LOCK_UNSUPPORTED;
}

vs_error vs_file_lock(vs_context *context, const char *path, int *descriptor) {
    for (;;) {
        *descriptor = open(path, O_RDWR | O_CLOEXEC);
        if (*descriptor < 0)
            return vs_fail(context, VS_ERROR_IO, "cannot be opened for writing: %s", strerror(errno));
        if (vs_file_try_lock(*descriptor) == VS_LOCK_OF_ANOTHER)
            break;
        if (vs_file_is_at(*descriptor, path))
            return VS_OK;
        (void)close(*descriptor); // replaced meanwhile: lock the new one
    }
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

// ---- contents --------------------------------------------------------------------------------------------

static const long FILE_MOST = 1L << 30; // bytes

vs_error vs_file_load(vs_context *context, const char *path, char **bytes, size_t *length) {
    *bytes = NULL;
    vs_error error = VS_OK;
    FILE *file = fopen(path, "rb");
    if (!file)
        return vs_fail(context, VS_ERROR_IO, "%s: %s", path, strerror(errno));
    long size = -1;
    if (fseek(file, 0, SEEK_END) == 0)
        size = ftell(file);
    if (size < 0 || fseek(file, 0, SEEK_SET) != 0) {
        error = vs_fail(context, VS_ERROR_IO, "%s: %s", path, strerror(errno));
        goto cleanup;
    }
    if (size > FILE_MOST) {
        error = vs_fail(context, VS_ERROR_DATA, "%s: the file is larger than %ld bytes", path, FILE_MOST);
        goto cleanup;
    }
    *bytes = vs_allocate(context, (size_t)size + 1);
    if (!*bytes) {
        error = vs_fail_memory(context);
        goto cleanup;
    }
    *length = fread(*bytes, 1, (size_t)size, file);
    (*bytes)[*length] = 0;
    if (ferror(file))
        error = vs_fail(context, VS_ERROR_IO, "%s: %s", path, strerror(errno));
cleanup:
    (void)fclose(file);
    return error;
}
