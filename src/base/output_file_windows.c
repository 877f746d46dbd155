// Windows: what output_file.c leaves to the system. There are no links to follow; a file that others hold open without sharing
// cannot be replaced, and the error says so.
#include "base/output_file.h"

#ifdef _WIN32 // so that checks on other systems can read the file

#include <windows.h>

#include <errno.h>
#include <fcntl.h>
#include <io.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/context.h"
#include "base/file.h"
#include "base/path.h"
#include "base/path_windows.h"

static vs_error fail_windows(const vs_output_file *f, const char *what) {
    return vs_fail(f->context, VS_ERROR_IO, "%s: error %lu of Windows", what, GetLastError());
}

static vs_error fail_system(const vs_output_file *f, const char *what) {
    return vs_fail(f->context, VS_ERROR_IO, "%s: %s", what, strerror(errno));
}

static void remove_leftover(const char *name) {
    const int descriptor = vs_file_open(name, _O_RDWR);
    if (descriptor < 0)
        return;
    const bool left = vs_file_try_lock(descriptor) == VS_LOCK_TAKEN;
    (void)_close(descriptor);
    if (left)
        (void)vs_path_remove(name);
}

static vs_error reserve(vs_output_file *f) {
    for (int k = 0; k < VS_OUTPUT_WRITERS; k++) {
        vs_output_file_name(f, k);
        remove_leftover(f->name);
        f->descriptor = vs_file_open(f->name, _O_RDWR | _O_CREAT | _O_EXCL);
        if (f->descriptor >= 0 && vs_file_try_lock(f->descriptor) != VS_LOCK_OF_ANOTHER)
            return VS_OK;
        if (f->descriptor < 0 && errno != EEXIST && errno != EACCES) // a name that is about to vanish is not accessible
            break;
        vs_file_unlock(f->descriptor);
        f->descriptor = -1;
    }
    f->name[0] = '\0';
    return fail_system(f, "cannot be created");
}

vs_output_kind vs_output_file_kind(const char *path) {
    const char *slash = vs_path_slash(path);
    if (_stricmp(slash ? slash + 1 : path, "NUL") == 0)
        return VS_OUTPUT_NULL;
    const int descriptor = vs_file_open(path, _O_RDWR);
    if (descriptor < 0)
        return VS_OUTPUT_REGULAR;
    const DWORD type = GetFileType((HANDLE)_get_osfhandle(descriptor)); // NOLINT: an integer by its definition
    (void)_close(descriptor);
    return type == FILE_TYPE_DISK ? VS_OUTPUT_REGULAR : VS_OUTPUT_STREAM;
}

bool vs_output_file_replaces(const char *path, const char *other) {
    if (!path || !other)
        return false;
    vs_wide_path first, second, a, b;
    const int descriptor = vs_file_open(path, _O_RDWR);
    if (descriptor >= 0) {
        const bool same = vs_file_is_at(descriptor, other);
        (void)_close(descriptor);
        return same;
    }
    if (!vs_path_widen(path, first) || !vs_path_widen(other, second))
        return false;
    const DWORD m = GetFullPathNameW(first, VS_WIDE_PATH, a, NULL), n = GetFullPathNameW(second, VS_WIDE_PATH, b, NULL);
    return m > 0 && m < VS_WIDE_PATH && n > 0 && n < VS_WIDE_PATH && _wcsicmp(a, b) == 0;
}

// The bytes of a device are collected in a temporary file.
static vs_error reserve_for_stream(vs_output_file *f, const char *path) {
    char folder[MAX_PATH + 1];
    vs_wide_path name;
    f->stream = vs_path_widen(path, name) ? _wopen(name, _O_WRONLY | _O_BINARY | _O_NOINHERIT) : -1;
    if (f->stream < 0)
        return fail_system(f, "cannot be opened for writing");
    if (!GetTempPathA(sizeof folder, folder))
        return fail_windows(f, "no temporary file can be created");
    (void)snprintf(f->target, sizeof f->target, "%svoussoir", folder);
    return reserve(f);
}

vs_error vs_output_file_begin(vs_output_file *f, const char *path) {
    vs_wide_path name;
    const DWORD attributes = vs_path_widen(path, name) ? GetFileAttributesW(name) : INVALID_FILE_ATTRIBUTES;
    if (attributes != INVALID_FILE_ATTRIBUTES && (attributes & FILE_ATTRIBUTE_DIRECTORY))
        return vs_fail(f->context, VS_ERROR_IO, "is a directory; use the name of a file");
    if (strlen(path) >= VS_OUTPUT_PATH)
        return vs_fail(f->context, VS_ERROR_IO, "cannot be created: the name is too long");
    if (vs_output_file_kind(path) != VS_OUTPUT_REGULAR)
        return reserve_for_stream(f, path);
    (void)snprintf(f->target, sizeof f->target, "%s", path);
    const int old = vs_file_open(path, _O_RDWR);
    if (old < 0 && errno != ENOENT)
        return fail_system(f, "cannot be opened for writing");
    const bool busy = old >= 0 && vs_file_is_locked(old);
    vs_file_unlock(old);
    return busy ? vs_output_file_fail_busy(f) : reserve(f);
}

vs_error vs_output_file_copy(vs_output_file *f) {
    FILE *from = vs_path_stream(f->name, "rb");
    char bytes[1 << 14];
    size_t got = 0;
    bool good = from != NULL;
    while (good && (got = fread(bytes, 1, sizeof bytes, from)) > 0)
        good = _write(f->stream, bytes, (unsigned)got) == (int)got;
    if (from)
        good = !ferror(from) && fclose(from) == 0 && good;
    good = _close(f->stream) == 0 && good;
    f->stream = -1;
    return good ? VS_OK : vs_fail(f->context, VS_ERROR_IO, "could not be written");
}

// Another writer holds the lock of a complete file for one rename only.
static vs_error take_name(vs_output_file *f) {
    vs_wide_path from, to;
    if (!vs_path_widen(f->name, from) || !vs_path_widen(f->target, to))
        return fail_system(f, "cannot be replaced");
    for (int tries = 0;; tries++) {
        const int old = vs_file_open(f->target, _O_RDWR);
        const bool busy = old >= 0 && vs_file_is_locked(old);
        vs_file_unlock(old);
        if (!busy && MoveFileExW(from, to, MOVEFILE_REPLACE_EXISTING | MOVEFILE_WRITE_THROUGH))
            break;
        if (tries == VS_OUTPUT_LOCK_TRIES)
            return busy ? vs_output_file_fail_busy(f) : fail_windows(f, "cannot be replaced");
        Sleep(VS_OUTPUT_LOCK_PAUSE);
    }
    f->name[0] = '\0';
    return VS_OK;
}

vs_error vs_output_file_rename(vs_output_file *f) {
    if (f->descriptor >= 0 && _commit(f->descriptor) != 0)
        return fail_system(f, "could not be written");
    return take_name(f);
}

#endif
