// Windows. See system.h and process.h. Commands that need fork() are not part of the build.
#include "cli/system/system.h"

#ifdef _WIN32 // so that checks on other systems can read the file

#define _CRT_RAND_S // rand_s()
#include <winsock2.h>

#include <windows.h>

#include <direct.h>
#include <dirent.h>
#include <errno.h>
#include <psapi.h>
#include <shellapi.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/system/clock.h"
#include "cli/system/interrupt.h"
#include "cli/system/message.h"
#include "cli/system/process.h"

enum { MODULES_MOST = 256, LINE_MOST = 32768, WAIT_MOST = 128 };

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

void app_system_own_folder(char folder[APP_SYSTEM_PATH]) {
    const DWORD length = GetModuleFileNameA(NULL, folder, APP_SYSTEM_PATH);
    char *slash = length > 0 && length < APP_SYSTEM_PATH ? strrchr(folder, '\\') : NULL;
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

bool app_system_make_folder(const char *path) {
    return _mkdir(path) == 0;
}

app_entry app_system_entry(const char *path) {
    const DWORD attributes = GetFileAttributesA(path);
    if (attributes == INVALID_FILE_ATTRIBUTES || (attributes & FILE_ATTRIBUTE_REPARSE_POINT))
        return APP_ENTRY_OTHER;
    return attributes & FILE_ATTRIBUTE_DIRECTORY ? APP_ENTRY_FOLDER : APP_ENTRY_FILE;
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

// ---- other programs ---------------------------------------------------------------------------------------------

bool app_process_is_there(const char *program) {
    char found[MAX_PATH + 1];
    const DWORD length = SearchPathA(NULL, program, ".exe", sizeof found, found, NULL);
    return length > 0 && length < sizeof found;
}

// Words of a command line as the C library of the program takes them apart again: in quotes, backslashes before a quote
// doubled. false: too long.
static bool write_line(const char *const *argv, char line[LINE_MOST]) {
    size_t used = 0;
    for (; *argv; argv++) {
        if (used + 2 * strlen(*argv) + 4 > LINE_MOST)
            return false;
        line[used++] = '"';
        size_t slashes = 0;
        for (const char *at = *argv; *at; at++) {
            slashes = *at == '\\' ? slashes + 1 : 0;
            if (*at == '"') {
                memset(line + used, '\\', slashes + 1);
                used += slashes + 1;
            }
            line[used++] = *at;
        }
        memset(line + used, '\\', slashes);
        used += slashes;
        line[used++] = '"';
        line[used++] = ' ';
    }
    line[used > 0 ? used - 1 : 0] = '\0';
    return true;
}

// Where the program writes: a file to which is appended, or nowhere.
static HANDLE open_log(const char *folder, const char *log) {
    char path[APP_SYSTEM_PATH];
    SECURITY_ATTRIBUTES inherited = {.nLength = sizeof inherited, .bInheritHandle = TRUE};
    (void)snprintf(path, sizeof path, "%s%s%s", log && folder ? folder : "", log && folder ? "\\" : "",
                   log ? log : "NUL");
    return CreateFileA(path, FILE_APPEND_DATA, FILE_SHARE_READ | FILE_SHARE_WRITE, &inherited, OPEN_ALWAYS,
                       FILE_ATTRIBUTE_NORMAL, NULL);
}

// All processes that it starts end with it: they are in one job.
int app_process_run(const app_process *p, app_process_end *end) {
    static char line[LINE_MOST];
    PROCESS_INFORMATION process;
    JOBOBJECT_EXTENDED_LIMIT_INFORMATION limit = {.BasicLimitInformation.LimitFlags =
                                                      JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE};
    app_process_end unused = APP_ENDED;
    DWORD code = (DWORD)-1;
    end = end ? end : &unused;
    *end = APP_ENDED_CRASH;
    if (!app_process_is_there(p->argv[0]))
        return 127;
    if (p->memory > 0) {
        limit.BasicLimitInformation.LimitFlags |= JOB_OBJECT_LIMIT_JOB_MEMORY;
        limit.JobMemoryLimit = (SIZE_T)p->memory;
    }
    const HANDLE output = open_log(p->folder, p->log), job = CreateJobObjectA(NULL, NULL);
    (void)SetInformationJobObject(job, JobObjectExtendedLimitInformation, &limit, sizeof limit);
    STARTUPINFOA start = {
        .cb = sizeof start, .dwFlags = STARTF_USESTDHANDLES, .hStdOutput = output, .hStdError = output};
    if (write_line(p->argv, line) && CreateProcessA(NULL, line, NULL, NULL, TRUE, CREATE_NO_WINDOW | CREATE_SUSPENDED,
                                                    NULL, p->folder, &start, &process)) {
        const double begin = app_now();
        (void)AssignProcessToJobObject(job, process.hProcess);
        (void)ResumeThread(process.hThread);
        *end = APP_ENDED;
        while (WaitForSingleObject(process.hProcess, 10) == WAIT_TIMEOUT)
            if (app_now() - begin > p->seconds || app_interrupted()) {
                *end = app_interrupted() ? APP_ENDED_INTERRUPTED : APP_ENDED_TIME;
                (void)TerminateJobObject(job, (UINT)-1);
            }
        (void)GetExitCodeProcess(process.hProcess, &code);
        CloseHandle(process.hThread);
        CloseHandle(process.hProcess);
    }
    CloseHandle(output);
    CloseHandle(job);
    return (int)code;
}

double app_process_memory(void) {
    const double least = 4294967296, most = .75 * app_system_machine().memory;
    return most > least ? most : least;
}

bool app_scratch_make(char folder[APP_SCRATCH]) {
    char place[MAX_PATH + 1];
    unsigned char random[8];
    if (GetTempPathA(sizeof place, place) && app_system_random(random, sizeof random)) {
        int used = snprintf(folder, APP_SCRATCH, "%s%svoussoir-", place, place[strlen(place) - 1] == '\\' ? "" : "\\");
        for (size_t k = 0; k < sizeof random && used < APP_SCRATCH; k++)
            used += snprintf(folder + used, (size_t)(APP_SCRATCH - used), "%02x", random[k]);
        if (used < APP_SCRATCH && _mkdir(folder) == 0)
            return true;
    }
    app_complain("cannot create a temporary folder (%s); set TMP to another place", strerror(errno));
    return false;
}

void app_scratch_remove(const char *folder) {
    char path[APP_SYSTEM_PATH];
    const struct dirent *entry;
    DIR *directory = opendir(folder);
    while (directory && (entry = readdir(directory))) {
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
            continue;
        (void)snprintf(path, sizeof path, "%s\\%s", folder, entry->d_name);
        if (app_system_entry(path) == APP_ENTRY_FOLDER)
            app_scratch_remove(path);
        else
            (void)remove(path);
    }
    if (directory)
        (void)closedir(directory);
    (void)_rmdir(folder);
}

#endif
