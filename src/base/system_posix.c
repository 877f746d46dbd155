// POSIX: Linux, macOS, WebAssembly by Emscripten. See system.h, plain_locale.h, file.h.
//
// A file has one writer: it holds a lock on the first byte, which is released with the process. Readers are not
// affected; file systems without locks are trusted.
#define _GNU_SOURCE // RTLD_DEFAULT; flock(); F_OFD_SETLK: locks that other descriptors of this process respect as well
#include "base/system.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/path.h"
#include "base/plain_locale.h"

#ifdef F_OFD_SETLK
#define SET_LOCK F_OFD_SETLK
#define ASK_LOCK F_OFD_GETLK
#else
#define SET_LOCK F_SETLK
#define ASK_LOCK F_GETLK
#endif

int vs_system_start_thread(pthread_t *thread, void *(*run)(void *user), void *user) {
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    const int failed = pthread_create(thread, NULL, run, user);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return failed;
}

void *vs_system_find_symbol(const char *name) {
    return dlsym(RTLD_DEFAULT, name);
}

FILE *vs_system_open_text(char *text, size_t size) {
    FILE *stream = fmemopen(text, size, "w");
    if (stream)
        (void)setvbuf(stream, NULL, _IONBF, 0);
    return stream;
}

void vs_system_close_text(FILE *stream, char *text, size_t size) {
    (void)fclose(stream);
    text[size - 1] = '\0';
}

// ---- locale -------------------------------------------------------------------------------------------------

bool vs_plain_locale_enter(vs_plain_locale *l) {
    const locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    l->plain = (void *)plain;
    l->before = plain ? (void *)uselocale(plain) : NULL;
    return plain != (locale_t)0;
}

void vs_plain_locale_leave(const vs_plain_locale *l) {
    (void)uselocale((locale_t)l->before);
    freelocale((locale_t)l->plain);
}

// ---- files --------------------------------------------------------------------------------------------------

FILE *vs_path_stream(const char *path, const char *mode) {
    return fopen(path, mode);
}

int vs_path_remove(const char *path) {
    return remove(path);
}

bool vs_path_is_open_to_us(const char *path, bool write) {
    return access(path, write ? R_OK | W_OK : R_OK) == 0;
}

const char *vs_path_slash(const char *path) {
    return strrchr(path, '/');
}

bool vs_path_is_absolute(const char *path) {
    return path[0] == '/';
}

int vs_file_open(const char *path, int flags) {
    return open(path, flags | O_CLOEXEC, 0666);
}

int64_t vs_file_read_at(int descriptor, void *bytes, size_t size, uint64_t at) {
    return pread(descriptor, bytes, size, (off_t)at);
}

int64_t vs_file_write_at(int descriptor, const void *bytes, size_t size, uint64_t at) {
    return pwrite(descriptor, bytes, size, (off_t)at);
}

int vs_file_sync(int descriptor) {
    return fsync(descriptor);
}

bool vs_file_get_identity(int descriptor, vs_file_identity *identity) {
    struct stat status;
    if (fstat(descriptor, &status) != 0)
        return false;
    *identity = (vs_file_identity){(uint64_t)status.st_dev, (uint64_t)status.st_ino};
    return true;
}

bool vs_file_share(int descriptor, vs_share share) {
    static const int operation[] = {LOCK_UN, LOCK_SH | LOCK_NB, LOCK_EX | LOCK_NB};
    return flock(descriptor, operation[share]) == 0 || errno == ENOSYS;
}

// ---- locks --------------------------------------------------------------------------------------------------

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
