// Windows. See system.h.
#include "cli/system/system.h"

#ifdef _WIN32 // so that checks on other systems can read the file

#define _CRT_RAND_S // rand_s()
#include <winsock2.h>

#include <windows.h>

#include <direct.h>
#include <errno.h>
#include <fcntl.h>
#include <io.h>
#include <psapi.h>
#include <shellapi.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { MODULES_MOST = 256, WAIT_MOST = 128, LOCK_TRIES = 20, LOCK_PAUSE = 100 }; // ms

void *app_system_find_symbol(const char *name) {
    HMODULE module[MODULES_MOST];
    DWORD bytes = 0;
    void *symbol = NULL;
    if (!EnumProcessModules(GetCurrentProcess(), module, sizeof module, &bytes))
        return NULL;
    for (size_t k = 0; k < bytes / sizeof *module && k < MODULES_MOST && !symbol; k++) {
        const FARPROC found = GetProcAddress(module[k], name);
        memcpy(&symbol, &found, sizeof symbol);
    }
    return symbol;
}

bool app_system_find_self(char path[APP_SYSTEM_PATH]) {
    const DWORD length = GetModuleFileNameA(NULL, path, APP_SYSTEM_PATH);
    return length > 0 && length < APP_SYSTEM_PATH;
}

void app_system_own_folder(char folder[APP_SYSTEM_PATH]) {
    char *slash = app_system_find_self(folder) ? strrchr(folder, '\\') : NULL;
    if (slash)
        *slash = '\0';
    else
        (void)snprintf(folder, APP_SYSTEM_PATH, ".");
}

// The manifest (app/windows) makes names and arguments UTF-8; the console shows it while the command runs.
static UINT console_before;

static void restore_console(void) {
    (void)SetConsoleOutputCP(console_before);
}

__attribute__((constructor)) static void prepare_console(void) {
    console_before = GetConsoleOutputCP();
    if (console_before != 0 && SetConsoleOutputCP(CP_UTF8))
        (void)atexit(restore_console);
}

// There is no OpenBLAS whose choice would have to be corrected.
void app_system_restart(char **argv, const app_variable *variable, int variables) {
    (void)argv, (void)variable, (void)variables;
}

bool app_system_memory_is_limited(void) {
    return false;
}

static void (*interrupt_handler)(int number);

// The C library forgets a handler when it calls it.
static void on_interrupt(int number) {
    (void)signal(number, on_interrupt);
    interrupt_handler(number);
}

void app_system_catch(void (*handler)(int number), bool batch) {
    (void)batch;
    interrupt_handler = handler;
    (void)signal(SIGINT, on_interrupt);
}

bool app_system_random(void *bytes, size_t size) {
    unsigned char *to = bytes;
    for (size_t k = 0; k < size; k++) {
        unsigned word;
        if (rand_s(&word) != 0) // of the system's generator for keys
            return false;
        to[k] = (unsigned char)word;
    }
    return true;
}

app_machine app_system_machine(void) {
    SYSTEM_INFO system;
    MEMORYSTATUSEX memory = {.dwLength = sizeof memory};
    GetSystemInfo(&system);
    const bool known = GlobalMemoryStatusEx(&memory);
    return (app_machine){.processors = (long)system.dwNumberOfProcessors,
                         .memory = known ? (double)memory.ullTotalPhys : 0,
                         .available = known ? (double)memory.ullAvailPhys : 0};
}

// ---- files ------------------------------------------------------------------------------------------------------

bool app_system_is_slash(char c) {
    return c == '/' || c == '\\';
}

bool app_system_make_folder(const char *path) {
    return _mkdir(path) == 0;
}

app_entry app_system_entry(const char *path) {
    const DWORD attributes = GetFileAttributesA(path);
    if (attributes == INVALID_FILE_ATTRIBUTES || (attributes & FILE_ATTRIBUTE_REPARSE_POINT))
        return APP_ENTRY_OTHER;
    return attributes & FILE_ATTRIBUTE_DIRECTORY ? APP_ENTRY_FOLDER : APP_ENTRY_FILE;
}

int app_file_append(const char *path) {
    return _open(path, _O_RDWR | _O_CREAT | _O_APPEND | _O_BINARY | _O_NOINHERIT, _S_IREAD | _S_IWRITE);
}

bool app_file_sync(int file) {
    return _commit(file) == 0;
}

// A lock of Windows keeps others from reading the locked bytes: ours is a byte that no file has.
bool app_file_lock(int file) {
    OVERLAPPED at = {.OffsetHigh = 0x40000000};
    const HANDLE handle = (HANDLE)_get_osfhandle(file); // NOLINT: an integer by its definition
    for (int k = 0; k < LOCK_TRIES; k++) {
        if (LockFileEx(handle, LOCKFILE_EXCLUSIVE_LOCK | LOCKFILE_FAIL_IMMEDIATELY, 0, 1, 0, &at))
            return true;
        const DWORD reason = GetLastError();
        if (reason != ERROR_LOCK_VIOLATION && reason != ERROR_IO_PENDING)
            return true; // file systems without locks are trusted
        Sleep(LOCK_PAUSE);
    }
    return false;
}

// A file in the folder that only one process can have open.
int app_folder_lock(const char *folder) {
    char path[APP_SYSTEM_PATH];
    if (snprintf(path, sizeof path, "%s/.lock", folder) >= APP_SYSTEM_PATH)
        return -1;
    for (;;) {
        const HANDLE handle = CreateFileA(path, GENERIC_WRITE | DELETE, 0, NULL, OPEN_ALWAYS,
                                          FILE_ATTRIBUTE_HIDDEN | FILE_FLAG_DELETE_ON_CLOSE, NULL);
        if (handle != INVALID_HANDLE_VALUE)
            return _open_osfhandle((intptr_t)handle, _O_WRONLY | _O_BINARY);
        if (GetLastError() != ERROR_SHARING_VIOLATION && GetLastError() != ERROR_ACCESS_DENIED)
            return -1;
        Sleep(LOCK_PAUSE);
    }
}

void app_folder_unlock(int lock) {
    if (lock >= 0)
        (void)_close(lock);
}

void app_system_redirect_errors(const char *path) {
    const int file = *path ? app_file_append(path) : -1, to = file < 0 ? _open("NUL", _O_WRONLY) : file;
    if (to < 0)
        return;
    (void)_dup2(to, _fileno(stderr));
    (void)_close(to);
}

// ---- processes ------------------------------------------------------------------------------------------------------

void app_system_name_process(const char *name) {
    (void)name;
}

// ---- sockets: handles, of which only 32 bits count ------------------------------------------------------------------

static int64_t fail_with_socket_error(void) {
    const int reason = WSAGetLastError();
    errno = reason == WSAEWOULDBLOCK  ? EAGAIN
            : reason == WSAEADDRINUSE ? EADDRINUSE
            : reason == WSAEACCES     ? EACCES
                                      : EIO;
    return -1;
}

static int prepare(SOCKET socket) {
    u_long yes = 1;
    if (socket == INVALID_SOCKET)
        return (int)fail_with_socket_error();
    (void)ioctlsocket(socket, FIONBIO, &yes);
    (void)SetHandleInformation((HANDLE)socket, HANDLE_FLAG_INHERIT, 0); // NOLINT: an integer by its definition
    return (int)socket;
}

int app_socket_listen(int *port) {
    WSADATA data;
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((u_short)*port)};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    int size = sizeof address;
    if (WSAStartup(MAKEWORD(2, 2), &data) != 0)
        return (int)fail_with_socket_error();
    const int listener = prepare(socket(AF_INET, SOCK_STREAM, 0));
    if (listener < 0)
        return -1;
    const BOOL yes = TRUE; // nobody else may bind this port
    (void)setsockopt((SOCKET)listener, SOL_SOCKET, SO_EXCLUSIVEADDRUSE, (const char *)&yes, sizeof yes);
    if (bind((SOCKET)listener, (const struct sockaddr *)&address, size) != 0 ||
        listen((SOCKET)listener, SOMAXCONN) != 0 ||
        getsockname((SOCKET)listener, (struct sockaddr *)&address, &size) != 0) {
        (void)fail_with_socket_error();
        app_socket_close(listener);
        return -1;
    }
    *port = ntohs(address.sin_port);
    return listener;
}

int app_socket_accept(int listener) {
    return prepare(accept((SOCKET)listener, NULL, NULL));
}

int64_t app_socket_receive(int socket, void *bytes, size_t size) {
    const int got = recv((SOCKET)socket, bytes, (int)size, 0);
    return got < 0 ? fail_with_socket_error() : got;
}

int64_t app_socket_send(int socket, const void *bytes, size_t size) {
    const int gone = send((SOCKET)socket, bytes, (int)size, 0);
    return gone < 0 ? fail_with_socket_error() : gone;
}

void app_socket_finish(int socket) {
    (void)shutdown((SOCKET)socket, SD_SEND);
}

void app_socket_close(int socket) {
    if (socket >= 0)
        (void)closesocket((SOCKET)socket);
}

bool app_socket_wait(app_socket_event *event, int events, int milliseconds) {
    WSAPOLLFD wait[WAIT_MOST];
    for (int k = 0; k < events && k < WAIT_MOST; k++)
        wait[k] = (WSAPOLLFD){.fd = (SOCKET)event[k].socket, .events = event[k].send ? POLLOUT : POLLIN};
    const int count = WSAPoll(wait, (ULONG)(events < WAIT_MOST ? events : WAIT_MOST), milliseconds);
    for (int k = 0; k < events; k++)
        event[k].ready = count > 0 && k < WAIT_MOST && wait[k].revents != 0;
    return count >= 0;
}

// The folder is removed at the end of the command.
void app_system_browse(const char *page, const char *scratch, int listener) {
    (void)scratch, (void)listener;
    (void)ShellExecuteA(NULL, "open", page, NULL, NULL, SW_SHOWNORMAL);
}

#endif
