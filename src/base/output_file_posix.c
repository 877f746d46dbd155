// POSIX: what output_file.c leaves to the system.
#define _GNU_SOURCE // renameat2
#include "base/output_file.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/context.h"
#include "base/file.h"

enum { LINKS_MOST = 40 }; // in a chain of symbolic links, as in the kernel

// ---- where a name leads ---------------------------------------------------------------------------------

// The end of a chain of symbolic links, which need not exist. 0 or the errno.
static int follow_links(const char *path, char target[VS_OUTPUT_PATH]) {
    char link[VS_OUTPUT_PATH];
    if (strlen(path) >= VS_OUTPUT_PATH)
        return ENAMETOOLONG;
    (void)snprintf(target, VS_OUTPUT_PATH, "%s", path);
    for (int k = 0; k < LINKS_MOST; k++) {
        const ssize_t length = readlink(target, link, sizeof link - 1);
        if (length < 0)
            return errno == EINVAL || errno == ENOENT ? 0 : errno;
        link[length] = '\0';
        // A relative link starts in the folder of the link.
        char *slash = strrchr(target, '/');
        const size_t folder = link[0] == '/' || !slash ? 0 : (size_t)(slash - target) + 1;
        if (folder + (size_t)length >= VS_OUTPUT_PATH)
            return ENAMETOOLONG;
        (void)memcpy(target + folder, link, (size_t)length + 1);
    }
    return ELOOP;
}

static bool is_same(const struct stat *a, const struct stat *b) {
    return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

static bool get_folder(const char *path, struct stat *status) {
    char copy[VS_OUTPUT_PATH];
    (void)snprintf(copy, sizeof copy, "%s", path);
    return stat(dirname(copy), status) == 0;
}

static const char *base_name(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

bool vs_output_file_replaces(const char *path, const char *other) {
    if (!path || !other)
        return false;
    struct stat x, y;
    char a[VS_OUTPUT_PATH], b[VS_OUTPUT_PATH];
    const bool first = stat(path, &x) == 0, second = stat(other, &y) == 0;
    if (first || second)
        return first && second && S_ISREG(x.st_mode) && is_same(&x, &y);
    return follow_links(path, a) == 0 && follow_links(other, b) == 0 && get_folder(a, &x) && get_folder(b, &y) &&
           is_same(&x, &y) && strcmp(base_name(a), base_name(b)) == 0;
}

vs_output_kind vs_output_file_kind(const char *path) {
    struct stat status, null;
    if (stat(path, &status) != 0 || S_ISREG(status.st_mode) || S_ISDIR(status.st_mode))
        return VS_OUTPUT_REGULAR;
    return S_ISCHR(status.st_mode) && stat("/dev/null", &null) == 0 && null.st_rdev == status.st_rdev
               ? VS_OUTPUT_NULL
               : VS_OUTPUT_STREAM;
}

// ---- temporary files ------------------------------------------------------------------------------------

static void remove_leftover(const char *name) {
    const int descriptor = open(name, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (descriptor < 0)
        return;
    if (vs_file_try_lock(descriptor) == VS_LOCK_TAKEN && vs_file_is_at(descriptor, name))
        (void)unlink(name);
    (void)close(descriptor);
}

// A new file with a lock, else -1 and errno. Before the lock is taken another writer may remove it as a leftover.
static int create_locked(const char *name) {
    const int descriptor = open(name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (descriptor < 0)
        return -1;
    if (vs_file_try_lock(descriptor) != VS_LOCK_OF_ANOTHER && vs_file_is_at(descriptor, name))
        return descriptor;
    (void)close(descriptor);
    errno = EEXIST;
    return -1;
}

static vs_error reserve_beside(vs_output_file *f) {
    for (int k = 0; k < VS_OUTPUT_WRITERS; k++) {
        vs_output_file_name(f, k);
        remove_leftover(f->name);
    }
    errno = EEXIST;
    for (int k = 0; k < VS_OUTPUT_WRITERS && errno == EEXIST; k++) {
        vs_output_file_name(f, k);
        f->descriptor = create_locked(f->name);
        if (f->descriptor >= 0)
            return VS_OK;
    }
    const int reason = errno;
    f->name[0] = '\0';
    return reason == EEXIST ? vs_fail(f->context, VS_ERROR_IO, "cannot be created: %d files %s%s… exist; remove them",
                                      VS_OUTPUT_WRITERS, base_name(f->target), VS_OUTPUT_SUFFIX)
                            : vs_fail(f->context, VS_ERROR_IO, "cannot be created: %s", strerror(reason));
}

// Formats that need a regular file are written to one, wherever temporary files belong, and copied at the end.
static vs_error reserve_for_stream(vs_output_file *f, const char *path) {
    const char *folder = getenv("TMPDIR");
    f->stream = open(path, O_WRONLY | O_TRUNC | O_NOCTTY | O_CLOEXEC);
    if (f->stream < 0)
        return vs_fail(f->context, VS_ERROR_IO, "cannot be opened for writing: %s", strerror(errno));
    const int length = snprintf(f->name, sizeof f->name, "%s/voussoir-XXXXXX", folder && *folder ? folder : "/tmp");
    f->descriptor = length < (int)sizeof f->name ? mkstemp(f->name) : -1;
    if (f->descriptor >= 0)
        return VS_OK;
    f->name[0] = '\0';
    return vs_fail(f->context, VS_ERROR_IO, "no temporary file can be created: %s; check TMPDIR", strerror(errno));
}

// ---- beginning ------------------------------------------------------------------------------------------

// Fails early, before a long computation, where the commit would fail.
static vs_error check_target(const vs_output_file *f) {
    const int descriptor = open(f->target, O_RDWR | O_CLOEXEC);
    if (descriptor < 0)
        return errno == ENOENT ? VS_OK
                               : vs_fail(f->context, VS_ERROR_IO, "cannot be opened for writing: %s", strerror(errno));
    const bool busy = vs_file_is_locked(descriptor);
    (void)close(descriptor);
    return busy ? vs_output_file_fail_busy(f) : VS_OK;
}

vs_error vs_output_file_begin(vs_output_file *f, const char *path) {
    struct stat named, target;
    const bool exists = stat(path, &named) == 0;
    if (!exists && errno != ENOENT)
        return vs_fail(f->context, VS_ERROR_IO, "cannot be created: %s", strerror(errno));
    if (exists && S_ISDIR(named.st_mode))
        return vs_fail(f->context, VS_ERROR_IO, "is a directory; use the name of a file");
    if (exists && !S_ISREG(named.st_mode))
        return reserve_for_stream(f, path);
    const int failed = follow_links(path, f->target);
    if (failed)
        return vs_fail(f->context, VS_ERROR_IO, "cannot be created: %s", strerror(failed));
    // Links of /proc (/dev/stdout) lead to open files, whose name may be of no use.
    if (exists && !(stat(f->target, &target) == 0 && is_same(&named, &target)))
        return reserve_for_stream(f, path);
    const vs_error error = check_target(f);
    return error ? error : reserve_beside(f);
}

// ---- end ------------------------------------------------------------------------------------------------

static int write_stream(int to, const char *bytes, size_t size) {
    while (size > 0) {
        const ssize_t done = write(to, bytes, size);
        if (done < 0 && errno != EINTR)
            return errno;
        if (done > 0)
            bytes += done, size -= (size_t)done;
    }
    return 0;
}

vs_error vs_output_file_copy(vs_output_file *f) {
    char bytes[1 << 14];
    ssize_t got = 0;
    int failed = 0;
    // Writing to a FIFO whose reader has gone ends the process (SIGPIPE): nothing of it must be left then.
    (void)unlink(f->name);
    f->name[0] = '\0';
    for (off_t at = 0; !failed && (got = pread(f->descriptor, bytes, sizeof bytes, at)) > 0; at += got)
        failed = write_stream(f->stream, bytes, (size_t)got);
    if (!failed && got < 0)
        failed = errno;
    if (close(f->stream) != 0 && !failed)
        failed = errno;
    f->stream = -1;
    return failed ? vs_fail(f->context, VS_ERROR_IO, "could not be written: %s", strerror(failed)) : VS_OK;
}

// The folder contains the name and must be flushed as well. Not every file system supports it; errors are ignored.
static void sync_folder(const char *path) {
    char copy[VS_OUTPUT_PATH];
    (void)snprintf(copy, sizeof copy, "%s", path);
    const int descriptor = open(dirname(copy), O_RDONLY | O_CLOEXEC);
    if (descriptor >= 0) {
        (void)fsync(descriptor);
        (void)close(descriptor);
    }
}

// Fails with EEXIST if the target exists, where the system supports that.
static int rename_new(const char *name, const char *target) {
#ifdef RENAME_NOREPLACE
    if (renameat2(AT_FDCWD, name, AT_FDCWD, target, RENAME_NOREPLACE) == 0)
        return 0;
    if (errno != EINVAL && errno != ENOSYS)
        return -1;
#endif
    return rename(name, target);
}

// Owner and permissions of the old file, as far as allowed.
static void keep_attributes(int descriptor, int old) {
    struct stat status;
    if (fstat(old, &status) != 0)
        return;
    (void)!fchown(descriptor, status.st_uid, status.st_gid);
    (void)fchmod(descriptor, status.st_mode & 07777);
}

// The name in one attempt; *again: the target changed meanwhile, or is locked (VS_LOCK_OF_ANOTHER).
static int try_rename(const vs_output_file *f, bool *again, vs_lock *lock) {
    const int old = open(f->target, O_RDWR | O_CLOEXEC);
    int failed = 0;
    *again = false;
    if (old < 0 && errno != ENOENT)
        return errno;
    if (old < 0) {
        failed = rename_new(f->name, f->target) == 0 ? 0 : errno;
        *again = failed == EEXIST;
        return failed;
    }
    *lock = vs_file_try_lock(old);
    *again = *lock == VS_LOCK_OF_ANOTHER || !vs_file_is_at(old, f->target);
    if (!*again) {
        keep_attributes(f->descriptor, old);
        failed = rename(f->name, f->target) == 0 ? 0 : errno;
    }
    (void)close(old);
    return failed;
}

static vs_error take_name(vs_output_file *f) {
    const struct timespec pause = {.tv_nsec = 1000000L * VS_OUTPUT_LOCK_PAUSE};
    bool again = true;
    int failed = 0;
    for (int tries = 0; again;) {
        vs_lock lock = VS_LOCK_TAKEN;
        failed = try_rename(f, &again, &lock);
        if (again && lock == VS_LOCK_OF_ANOTHER) {
            if (++tries == VS_OUTPUT_LOCK_TRIES)
                return vs_output_file_fail_busy(f);
            (void)nanosleep(&pause, NULL);
        }
    }
    if (failed)
        return vs_fail(f->context, VS_ERROR_IO, "cannot be replaced: %s", strerror(failed));
    f->name[0] = '\0';
    sync_folder(f->target);
    return VS_OK;
}

vs_error vs_output_file_rename(vs_output_file *f) {
    if (fsync(f->descriptor) != 0)
        return vs_fail(f->context, VS_ERROR_IO, "could not be written: %s", strerror(errno));
    return take_name(f);
}
