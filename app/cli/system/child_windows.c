// Children of a pool on Windows, which has no fork(): see process_child.h.
//
// Message and result are in memory that both processes share; its handle is the value of VOUSSOIR_TASK. The child belongs to a job
// that ends with the parent, has no console, so that Ctrl-C does not reach it, and reads and writes nothing but errors.
#include "cli/system/process_child.h"

#ifdef _WIN32 // so that checks on other systems can read the file

#include <windows.h>

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PAUSE = 200, SOME = 20, OWN_NAME = 32768 }; // ms; ms; characters
static const char VARIABLE[] = "VOUSSOIR_TASK";

// The shared memory: this, then message and result.
typedef struct letter {
    uint64_t told, size; // bytes
    uint64_t done;
} letter;

struct app_child {
    HANDLE process, job, section;
    letter *letter;
};

static char *message_of(const letter *l) {
    return (char *)(uintptr_t)(l + 1);
}

static char *result_of(const letter *l) {
    return message_of(l) + (l->told + 7) / 8 * 8;
}

// ---- the parent ---------------------------------------------------------------------------------------------------

static void release(app_child *c) {
    if (c->letter)
        (void)UnmapViewOfFile(c->letter);
    if (c->section)
        (void)CloseHandle(c->section);
    if (c->process)
        (void)CloseHandle(c->process);
    if (c->job)
        (void)CloseHandle(c->job);
    free(c);
}

static bool write_letter(app_child *c, const app_each *each, const void *message) {
    SECURITY_ATTRIBUTES inherited = {.nLength = sizeof inherited, .bInheritHandle = TRUE};
    const uint64_t bytes = sizeof(letter) + (each->told + 7) / 8 * 8 + each->size;
    c->section =
        CreateFileMappingA(INVALID_HANDLE_VALUE, &inherited, PAGE_READWRITE, (DWORD)(bytes >> 32), (DWORD)bytes, NULL);
    c->letter = c->section ? MapViewOfFile(c->section, FILE_MAP_WRITE, 0, 0, 0) : NULL;
    if (!c->letter)
        return false;
    *c->letter = (letter){.told = each->told, .size = each->size};
    memcpy(message_of(c->letter), message, each->told);
    return true;
}

// All processes that it starts are in its job, too.
static bool make_job(app_child *c, double memory) {
    JOBOBJECT_EXTENDED_LIMIT_INFORMATION limit = {.BasicLimitInformation.LimitFlags =
                                                      JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE};
    if (memory > 0) {
        limit.BasicLimitInformation.LimitFlags |= JOB_OBJECT_LIMIT_JOB_MEMORY;
        limit.JobMemoryLimit = (SIZE_T)memory;
    }
    c->job = CreateJobObjectA(NULL, NULL);
    return c->job && SetInformationJobObject(c->job, JobObjectExtendedLimitInformation, &limit, sizeof limit);
}

// This command with its line. Only the handles that are meant for it are inheritable at this moment.
static bool start_again(app_child *c) {
    static wchar_t self[OWN_NAME];
    PROCESS_INFORMATION process;
    SECURITY_ATTRIBUTES inherited = {.nLength = sizeof inherited, .bInheritHandle = TRUE};
    char value[32];
    HANDLE errors = INVALID_HANDLE_VALUE;
    const DWORD length = GetModuleFileNameW(NULL, self, OWN_NAME), shared = FILE_SHARE_READ | FILE_SHARE_WRITE;
    wchar_t *line = _wcsdup(GetCommandLineW());
    const HANDLE null = CreateFileA("NUL", GENERIC_READ | GENERIC_WRITE, shared, &inherited, OPEN_EXISTING,
                                    FILE_ATTRIBUTE_NORMAL, NULL);
    (void)DuplicateHandle(GetCurrentProcess(), GetStdHandle(STD_ERROR_HANDLE), GetCurrentProcess(), &errors, 0, TRUE,
                          DUPLICATE_SAME_ACCESS);
    STARTUPINFOW start = {.cb = sizeof start,
                          .dwFlags = STARTF_USESTDHANDLES,
                          .hStdInput = null,
                          .hStdOutput = null,
                          .hStdError = errors == INVALID_HANDLE_VALUE ? null : errors};
    (void)snprintf(value, sizeof value, "%llu", (unsigned long long)(uintptr_t)c->section);
    const bool good =
        line && length > 0 && length < OWN_NAME && SetEnvironmentVariableA(VARIABLE, value) &&
        CreateProcessW(self, line, NULL, NULL, TRUE, CREATE_NO_WINDOW | CREATE_SUSPENDED, NULL, NULL, &start, &process);
    (void)SetEnvironmentVariableA(VARIABLE, NULL);
    (void)SetHandleInformation(c->section, HANDLE_FLAG_INHERIT, 0);
    (void)CloseHandle(null);
    if (errors != INVALID_HANDLE_VALUE)
        (void)CloseHandle(errors);
    free(line);
    if (good) {
        c->process = process.hProcess;
        (void)AssignProcessToJobObject(c->job, c->process);
        (void)ResumeThread(process.hThread);
        (void)CloseHandle(process.hThread);
    }
    return good;
}

app_child *app_child_start(const app_each *each, const void *message) {
    app_child *c = calloc(1, sizeof *c);
    (void)fflush(NULL);
    if (c && write_letter(c, each, message) && make_job(c, each->memory) && start_again(c))
        return c;
    if (c)
        release(c);
    return NULL;
}

// The system waits for at most so many at once; with more of them a moment passes.
void app_child_wait(app_child *const *child, int children) {
    HANDLE process[MAXIMUM_WAIT_OBJECTS];
    DWORD count = 0;
    bool all = true;
    for (int k = 0; k < children; k++)
        if (child[k] && count < MAXIMUM_WAIT_OBJECTS)
            process[count++] = child[k]->process;
        else if (child[k])
            all = false;
    if (count > 0)
        (void)WaitForMultipleObjects(count, process, FALSE, all ? PAUSE : SOME);
}

bool app_child_has_ended(app_child *child) {
    return WaitForSingleObject(child->process, 0) == WAIT_OBJECT_0;
}

bool app_child_finish(app_child *c, void *result, char how[APP_CHILD_END]) {
    DWORD code = 0;
    (void)TerminateJobObject(c->job, (UINT)-1); // what it left behind
    (void)TerminateProcess(c->process, (UINT)-1);
    (void)WaitForSingleObject(c->process, INFINITE);
    (void)GetExitCodeProcess(c->process, &code);
    (void)snprintf(how, APP_CHILD_END,
                   code >= 0xc0000000 ? "the process was ended by exception %#lx" : "the process exited with code %lu",
                   code);
    const bool complete = c->letter->done == 1;
    memcpy(result, result_of(c->letter), c->letter->size);
    release(c);
    return complete;
}

// ---- the child ----------------------------------------------------------------------------------------------------

bool app_child_serve(app_task *work, const void *options) {
    char value[32];
    const DWORD length = GetEnvironmentVariableA(VARIABLE, value, sizeof value);
    if (length == 0 || length >= sizeof value || !work)
        return false;
    (void)SetEnvironmentVariableA(VARIABLE, NULL);                      // programs that it starts are no tasks
    (void)SetErrorMode(SEM_FAILCRITICALERRORS | SEM_NOGPFAULTERRORBOX); // a crash asks nobody
    const HANDLE section = (HANDLE)(uintptr_t)strtoull(value, NULL, 10);
    letter *l = MapViewOfFile(section, FILE_MAP_WRITE, 0, 0, 0);
    if (l) {
        work(options, message_of(l), result_of(l));
        l->done = 1;
        (void)UnmapViewOfFile(l);
    }
    return true;
}

#endif
