// Windows. See system.h, plain_locale.h, file.h.
//
// Locks of Windows forbid others to read and write the locked bytes: ours is on a byte that no file has.
#include "base/system.h"

#ifdef _WIN32 // so that checks on other systems can read the file

#include <windows.h>

#include <errno.h>
#include <fcntl.h>
#include <io.h>
#include <locale.h>
#include <psapi.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include "base/file.h"
#include "base/path.h"
#include "base/path_windows.h"
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

// ---- files --------------------------------------------------------------------------------------------------

static HANDLE handle_of(int descriptor) {
    return (HANDLE)_get_osfhandle(descriptor); // NOLINT: an integer by its definition
}

// The errno of an error of Windows, for messages.
static int fail_with(DWORD reason) {
    static const struct {
        DWORD reason;
        int number;
    } known[] = {
        {ERROR_FILE_NOT_FOUND, ENOENT},    {ERROR_PATH_NOT_FOUND, ENOENT},      {ERROR_FILE_EXISTS, EEXIST},
        {ERROR_ALREADY_EXISTS, EEXIST},    {ERROR_ACCESS_DENIED, EACCES},       {ERROR_SHARING_VIOLATION, EACCES},
        {ERROR_DISK_FULL, ENOSPC},         {ERROR_TOO_MANY_OPEN_FILES, EMFILE}, {ERROR_INVALID_NAME, ENOENT},
        {ERROR_NOT_ENOUGH_MEMORY, ENOMEM}, {ERROR_LOCK_VIOLATION, EACCES}};
    errno = EIO;
    for (size_t k = 0; k < sizeof known / sizeof *known; k++)
        if (known[k].reason == reason)
            errno = known[k].number;
    return -1;
}

bool vs_path_widen(const char *path, vs_wide_path wide) {
    const int most = VS_WIDE_PATH, size = MultiByteToWideChar(CP_UTF8, MB_ERR_INVALID_CHARS, path, -1, wide, most);
    return size > 0 || MultiByteToWideChar(CP_ACP, 0, path, -1, wide, most) > 0 || fail_with(ERROR_INVALID_NAME) == 0;
}

FILE *vs_path_stream(const char *path, const char *mode) {
    vs_wide_path name;
    wchar_t how[16];
    return vs_path_widen(path, name) && MultiByteToWideChar(CP_UTF8, 0, mode, -1, how, 16) > 0 ? _wfopen(name, how)
                                                                                               : NULL;
}

int vs_path_remove(const char *path) {
    vs_wide_path name;
    return vs_path_widen(path, name) ? _wremove(name) : -1;
}

bool vs_path_is_open_to_us(const char *path, bool write) {
    vs_wide_path name;
    return vs_path_widen(path, name) && _waccess(name, write ? 6 : 4) == 0;
}

static bool is_slash(char c) {
    return c == '/' || c == '\\';
}

// "C:name" is in the current folder of a drive.
const char *vs_path_slash(const char *path) {
    const char *last = NULL;
    for (const char *at = path; *at; at++)
        if (is_slash(*at) || (at == path + 1 && *at == ':'))
            last = at;
    return last;
}

bool vs_path_is_absolute(const char *path) {
    return is_slash(path[0]) || (path[0] && path[1] == ':');
}

// Others may read, write, rename and remove the file while it is open.
static HANDLE open_shared(const char *path, DWORD access, DWORD how) {
    vs_wide_path name;
    if (!vs_path_widen(path, name)) {
        SetLastError(ERROR_INVALID_NAME);
        return INVALID_HANDLE_VALUE;
    }
    return CreateFileW(name, access, FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, NULL, how,
                       FILE_FLAG_BACKUP_SEMANTICS, NULL);
}

int vs_file_open(const char *path, int flags) {
    const DWORD access = flags & _O_RDWR     ? GENERIC_READ | GENERIC_WRITE
                         : flags & _O_WRONLY ? GENERIC_WRITE
                                             : GENERIC_READ;
    const DWORD how = flags & _O_CREAT   ? flags & _O_EXCL    ? CREATE_NEW
                                           : flags & _O_TRUNC ? CREATE_ALWAYS
                                                              : OPEN_ALWAYS
                      : flags & _O_TRUNC ? TRUNCATE_EXISTING
                                         : OPEN_EXISTING;
    const HANDLE handle = open_shared(path, access, how);
    if (handle == INVALID_HANDLE_VALUE)
        return fail_with(GetLastError());
    return _open_osfhandle((intptr_t)handle, (flags & (_O_RDWR | _O_WRONLY)) | _O_BINARY);
}

static OVERLAPPED place_of(uint64_t at) {
    return (OVERLAPPED){.Offset = (DWORD)at, .OffsetHigh = (DWORD)(at >> 32)};
}

static DWORD piece_of(size_t size) {
    return size < 1 << 30 ? (DWORD)size : 1 << 30;
}

int64_t vs_file_read_at(int descriptor, void *bytes, size_t size, uint64_t at) {
    OVERLAPPED place = place_of(at);
    DWORD done = 0;
    if (ReadFile(handle_of(descriptor), bytes, piece_of(size), &done, &place) || GetLastError() == ERROR_HANDLE_EOF)
        return done;
    return fail_with(GetLastError());
}

int64_t vs_file_write_at(int descriptor, const void *bytes, size_t size, uint64_t at) {
    OVERLAPPED place = place_of(at);
    DWORD done = 0;
    if (WriteFile(handle_of(descriptor), bytes, piece_of(size), &done, &place))
        return done;
    return fail_with(GetLastError());
}

int vs_file_sync(int descriptor) {
    return _commit(descriptor);
}

static bool identify(HANDLE handle, vs_file_identity *identity) {
    BY_HANDLE_FILE_INFORMATION about;
    if (!GetFileInformationByHandle(handle, &about))
        return false;
    *identity =
        (vs_file_identity){about.dwVolumeSerialNumber, (uint64_t)about.nFileIndexHigh << 32 | about.nFileIndexLow};
    return true;
}

bool vs_file_get_identity(int descriptor, vs_file_identity *identity) {
    return identify(handle_of(descriptor), identity);
}

// HDF5 has no locks on Windows.
bool vs_file_share(int descriptor, vs_share share) {
    (void)descriptor, (void)share;
    return true;
}

// ---- locks --------------------------------------------------------------------------------------------------

bool vs_file_is_at(int descriptor, const char *path) {
    vs_file_identity a, b;
    const HANDLE named = open_shared(path, 0, OPEN_EXISTING);
    if (named == INVALID_HANDLE_VALUE)
        return false;
    const bool known = vs_file_get_identity(descriptor, &a) && identify(named, &b);
    CloseHandle(named);
    return known && a.device == b.device && a.number == b.number;
}

vs_lock vs_file_try_lock(int descriptor) {
    OVERLAPPED at = {.OffsetHigh = LOCK_OFFSET_HIGH};
    if (LockFileEx(handle_of(descriptor), LOCKFILE_EXCLUSIVE_LOCK | LOCKFILE_FAIL_IMMEDIATELY, 0, 1, 0, &at))
        return VS_LOCK_TAKEN;
    const DWORD reason = GetLastError();
    return reason == ERROR_LOCK_VIOLATION || reason == ERROR_IO_PENDING ? VS_LOCK_OF_ANOTHER : VS_LOCK_UNSUPPORTED;
}

vs_error vs_file_lock(vs_context *context, const char *path, int *descriptor) {
    *descriptor = vs_file_open(path, _O_RDWR);
    if (*descriptor < 0)
        return vs_fail(context, VS_ERROR_IO, "cannot be opened for writing: %s", strerror(errno));
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
