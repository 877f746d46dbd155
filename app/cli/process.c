// Other programs: found on PATH, started, waited for with a limit, killed with all their children.
#define _GNU_SOURCE
#include "cli/process.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <math.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "cli/clock.h"
#include "cli/interrupt.h"
#include "cli/message.h"

bool app_process_is_there(const char *program) {
    const char *path = getenv("PATH"); // NOLINT(concurrency-mt-unsafe): one thread
    char full[PATH_MAX];
    while (path && *path) {
        const size_t length = strcspn(path, ":");
        const int used = snprintf(full, sizeof full, "%.*s/%s", (int)length, length ? path : ".", program);
        if (used > 0 && used < PATH_MAX && access(full, X_OK) == 0)
            return true;
        path += length + (path[length] == ':');
    }
    return false;
}

static _Noreturn void become(const char *folder, const char *const *argv, const char *log) {
    (void)setpgid(0, 0);
    const bool here = !folder || chdir(folder) == 0;
    const int out = here ? open(log ? log : "/dev/null", O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666) : -1;
    if (out >= 0 && dup2(out, STDOUT_FILENO) >= 0 && dup2(out, STDERR_FILENO) >= 0)
        (void)execvp(argv[0], (char *const *)argv);
    _exit(out >= 0 && errno == ENOENT ? 127 : 126);
}

int app_process_run(const char *folder, const char *const *argv, const char *log, double seconds) {
    const pid_t pid = fork();
    if (pid == 0)
        become(folder, argv, log);
    int status = -1;
    const struct timespec pause = {.tv_nsec = 10000000};
    const double start = app_now();
    while (pid > 0 && waitpid(pid, &status, WNOHANG) == 0) {
        if (app_now() - start > seconds || app_interrupted())
            (void)kill(-pid, SIGKILL);
        (void)nanosleep(&pause, NULL);
    }
    return pid > 0 && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

bool app_scratch_make(char folder[APP_SCRATCH]) {
    const char *place = getenv("TMPDIR"); // NOLINT(concurrency-mt-unsafe): one thread
    (void)snprintf(folder, APP_SCRATCH, "%s/voussoir-XXXXXX", place && *place ? place : "/tmp");
    if (mkdtemp(folder))
        return true;
    app_complain("%s: cannot create a folder (%s); set TMPDIR to another place", folder, strerror(errno));
    return false;
}

static int remove_one(const char *path, const struct stat *status, int kind, struct FTW *where) {
    (void)status, (void)kind, (void)where;
    (void)remove(path);
    return 0;
}

void app_scratch_remove(const char *folder) {
    (void)nftw(folder, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}
