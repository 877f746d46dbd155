// Windows. See system.h, plain_locale.h, file.h.
//
// Locks of Windows forbid others to read and write the locked bytes: ours is on a byte that no file has.
#include "base/system.h"

#ifdef _WIN32 // so that checks on other systems can read the file

#include <windows.h>

#include <fcntl.h>
#include <io.h>
#include <locale.h>
#include <psapi.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/plain_locale.h"

enum { MODULES_MOST = 256 };
static const DWORD LOCK_OFFSET_HIGH = 0x40000000; // byte 2^62

// Handlers of the console run on a thread of their own.
int vs_system_start_thread(pthread_t *thread, void *(*run)(void *user), void *user) {
    return pthread_create(thread, NULL, run, user);
}

void *vs_system_find_symbol(const char *name) {
    HMODULE module[MODULES_MOST];
    DWORD bytes = 0;
    if (!EnumProcessModules(GetCurrentProcess(), module, sizeof module, &bytes))
        return NULL;
    const size_t count = bytes / sizeof *module < MODULES_MOST ? bytes / sizeof *module : MODULES_MOST;
    for (size_t k = 0; k < count; k++) {
        const FARPROC found = GetProcAddress(module[k], name);
        void *symbol = NULL;
        if (found) {
            memcpy(&symbol, &found, sizeof symbol);
            return symbol;
        }
    }
    return NULL;
}

// A temporary file, which the system removes with its last handle.
FILE *vs_system_open_text(char *text, size_t size) {
    char folder[MAX_PATH + 1], name[MAX_PATH + 1];
    memset(text, 0, size);
    if (!GetTempPathA(sizeof folder, folder) || !GetTempFileNameA(folder, "vs", 0, name))
        return NULL;
    return fopen(name, "w+bTD");
}

void vs_system_close_text(FILE *stream, char *text, size_t size) {
    rewind(stream);
    text[fread(text, 1, size - 1, stream)] = '\0';
    (void)fclose(stream);
}

// ---- locale -------------------------------------------------------------------------------------------------

bool vs_plain_locale_enter(vs_plain_locale *l) {
    const char *now = setlocale(LC_ALL, NULL);
    char *kept = now ? malloc(strlen(now) + 1) : NULL;
    if (!kept)
        return false;
    memcpy(kept, now, strlen(now) + 1);
    l->before = kept;
    l->plain = NULL;
    l->mode = _configthreadlocale(_ENABLE_PER_THREAD_LOCALE);
    (void)setlocale(LC_ALL, "C");
    return true;
}

void vs_plain_locale_leave(const vs_plain_locale *l) {
    (void)setlocale(LC_ALL, l->before);
    if (l->mode > 0)
        (void)_configthreadlocale(l->mode);
    free(l->before);
}

// ---- locks --------------------------------------------------------------------------------------------------

static HANDLE handle_of(int descriptor) {
    return (HANDLE)_get_osfhandle(descriptor); // NOLINT: an integer by its definition
}

// Others may read, write, rename and remove the file while it is open.
static HANDLE open_shared(const char *path, DWORD access) {
    return CreateFileA(path, access, FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, NULL, OPEN_EXISTING,
                       FILE_FLAG_BACKUP_SEMANTICS, NULL);
}

bool vs_file_is_at(int descriptor, const char *path) {
    BY_HANDLE_FILE_INFORMATION a, b;
    const HANDLE named = open_shared(path, 0);
    if (named == INVALID_HANDLE_VALUE)
        return false;
    const bool read = GetFileInformationByHandle(handle_of(descriptor), &a) && GetFileInformationByHandle(named, &b);
    CloseHandle(named);
    return read && a.dwVolumeSerialNumber == b.dwVolumeSerialNumber && a.nFileIndexHigh == b.nFileIndexHigh &&
           a.nFileIndexLow == b.nFileIndexLow;
}

vs_lock vs_file_try_lock(int descriptor) {
    OVERLAPPED at = {.OffsetHigh = LOCK_OFFSET_HIGH};
    if (LockFileEx(handle_of(descriptor), LOCKFILE_EXCLUSIVE_LOCK | LOCKFILE_FAIL_IMMEDIATELY, 0, 1, 0, &at))
        return VS_LOCK_TAKEN;
    const DWORD reason = GetLastError();
    return reason == ERROR_LOCK_VIOLATION || reason == ERROR_IO_PENDING ? VS_LOCK_OF_ANOTHER : VS_LOCK_UNSUPPORTED;
}

vs_error vs_file_lock(vs_context *context, const char *path, int *descriptor) {
    const HANDLE handle = open_shared(path, GENERIC_READ | GENERIC_WRITE);
    *descriptor = handle == INVALID_HANDLE_VALUE ? -1 : _open_osfhandle((intptr_t)handle, _O_RDWR | _O_BINARY);
    if (*descriptor < 0)
        return vs_fail(context, VS_ERROR_IO, "cannot be opened for writing: error %lu of Windows", GetLastError());
    if (vs_file_try_lock(*descriptor) != VS_LOCK_OF_ANOTHER)
        return VS_OK;
    (void)_close(*descriptor);
    *descriptor = -1;
    return vs_fail(context, VS_ERROR_IO, "is being written by another process; wait until it has finished");
}

void vs_file_unlock(int descriptor) {
    if (descriptor >= 0)
        (void)_close(descriptor);
}

bool vs_file_is_locked(int descriptor) {
    OVERLAPPED at = {.OffsetHigh = LOCK_OFFSET_HIGH};
    const vs_lock lock = vs_file_try_lock(descriptor);
    if (lock == VS_LOCK_TAKEN)
        (void)UnlockFileEx(handle_of(descriptor), 0, 1, 0, &at);
    return lock == VS_LOCK_OF_ANOTHER;
}

#endif
