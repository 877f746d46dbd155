// Other programs on Windows: see process.h.
#include "cli/system/process.h"

#ifdef _WIN32 // so that checks on other systems can read the file

#include <windows.h>

#include <direct.h>
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/system/clock.h"
#include "cli/system/interrupt.h"
#include "cli/system/message.h"
#include "cli/system/system.h"

enum { LINE_MOST = 32768 };

bool app_process_find(const char *program, char path[APP_PROCESS_PATH]) {
    const DWORD length = SearchPathA(NULL, program, ".exe", APP_PROCESS_PATH, path, NULL);
    return length > 0 && length < APP_PROCESS_PATH;
}

bool app_process_is_there(const char *program) {
    char path[APP_PROCESS_PATH];
    return app_process_find(program, path);
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

// The program inherits this handle; null: that of the command.
static HANDLE open_for(const char *path, DWORD standard) {
    SECURITY_ATTRIBUTES inherited = {.nLength = sizeof inherited, .bInheritHandle = TRUE};
    HANDLE copy = INVALID_HANDLE_VALUE;
    if (path)
        return CreateFileA(path, GENERIC_WRITE, FILE_SHARE_READ | FILE_SHARE_WRITE, &inherited, CREATE_ALWAYS,
                           FILE_ATTRIBUTE_NORMAL, NULL);
    (void)DuplicateHandle(GetCurrentProcess(), GetStdHandle(standard), GetCurrentProcess(), &copy, 0, TRUE,
                          DUPLICATE_SAME_ACCESS);
    return copy;
}

// It belongs to the job of this process, if there is one.
int app_process_call(const char *const *argv, const char *out, const char *err, char how[APP_PROCESS_HOW]) {
    static char line[LINE_MOST];
    PROCESS_INFORMATION process;
    DWORD code = (DWORD)-1;
    STARTUPINFOA start = {.cb = sizeof start,
                          .dwFlags = STARTF_USESTDHANDLES,
                          .hStdOutput = open_for(out, STD_OUTPUT_HANDLE),
                          .hStdError = open_for(err, STD_ERROR_HANDLE)};
    (void)snprintf(how, APP_PROCESS_HOW, "the program did not start");
    (void)fflush(NULL);
    if (write_line(argv, line) &&
        CreateProcessA(NULL, line, NULL, NULL, TRUE, CREATE_NO_WINDOW, NULL, NULL, &start, &process)) {
        (void)WaitForSingleObject(process.hProcess, INFINITE);
        (void)GetExitCodeProcess(process.hProcess, &code);
        (void)CloseHandle(process.hThread);
        (void)CloseHandle(process.hProcess);
        if (code >= 0xc0000000)
            (void)snprintf(how, APP_PROCESS_HOW, "ended by exception %#lx", code);
    }
    (void)CloseHandle(start.hStdOutput);
    (void)CloseHandle(start.hStdError);
    return code >= 0xc0000000 ? -1 : (int)code;
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
