// Other programs on POSIX systems, confined: see process.h.
//
// They work on data of strangers, and have had faults in their readers. So a program gets no standard input and no open files
// of ours, limits of time, memory, file size and output, and, on Linux, a network of its own without devices. Where the system
// refuses such a network (user namespaces can be switched off), the program runs with the usual one.
#define _GNU_SOURCE // unshare(), nftw()
#if defined(__APPLE__)
#define _DARWIN_C_SOURCE
#endif
#include "cli/system/process.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <math.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/system/clock.h"
#include "cli/system/interrupt.h"
#include "cli/system/message.h"
#include "cli/system/system.h"

enum { LOG_MOST = 1 << 20, DESCRIPTORS = 1024, PAUSE = 10 }; // bytes of a log; of ours; ms

// ---- confinement ------------------------------------------------------------------------------------------------

#if defined(__GLIBC__)
typedef __rlimit_resource_t resource_kind; // an enumeration there, int elsewhere
#else
typedef int resource_kind;
#endif

static void limit(resource_kind resource, double most) {
    struct rlimit now;
    if (getrlimit(resource, &now) != 0)
        return;
    const rlim_t value = (rlim_t)most;
    if (now.rlim_max == RLIM_INFINITY || value < now.rlim_max)
        now.rlim_max = value;
    if (now.rlim_cur == RLIM_INFINITY || now.rlim_cur > now.rlim_max)
        now.rlim_cur = now.rlim_max;
    (void)setrlimit(resource, &now);
}

void app_process_restrict(double memory, double file) {
    limit(RLIMIT_CORE, 0);
    if (memory > 0)
        limit(RLIMIT_AS, memory);
    if (file > 0)
        limit(RLIMIT_FSIZE, file);
}

double app_process_memory(void) {
    const double least = 4294967296, most = .75 * app_system_machine().memory;
    return most > least ? most : least;
}

#if defined(__linux__)
static bool put(const char *path, const char *text) {
    const int fd = open(path, O_WRONLY | O_CLOEXEC);
    const bool good = fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text);
    if (fd >= 0)
        (void)close(fd);
    return good;
}

// A network without devices needs a user namespace, in which user and group keep their numbers.
static void go_offline(void) {
    char user[64], group[64];
    (void)snprintf(user, sizeof user, "%ld %ld 1", (long)geteuid(), (long)geteuid());
    (void)snprintf(group, sizeof group, "%ld %ld 1", (long)getegid(), (long)getegid());
    if (unshare(CLONE_NEWUSER | CLONE_NEWNET) != 0)
        return;
    (void)(put("/proc/self/setgroups", "deny") && put("/proc/self/uid_map", user) && put("/proc/self/gid_map", group));
}
#else
static void go_offline(void) {}
#endif

static bool move_home(const char *folder) {
    static const char *const names[] = {"HOME",           "GMSH_HOME",    "TMPDIR", "XDG_CONFIG_HOME",
                                        "XDG_CACHE_HOME", "XDG_DATA_HOME"};
    bool good = true;
    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
        good = setenv(names[k], folder, 1) == 0 && good; // NOLINT(concurrency-mt-unsafe): one thread
    return good;
}

static _Noreturn void become(const app_process *p, int out) {
    char here[PATH_MAX];
    (void)setpgid(0, 0);
    const int in = open("/dev/null", O_RDONLY);
    bool good = (!p->folder || chdir(p->folder) == 0) && in >= 0 && dup2(in, STDIN_FILENO) >= 0 &&
                dup2(out, STDOUT_FILENO) >= 0 && dup2(out, STDERR_FILENO) >= 0;
    for (int k = STDERR_FILENO + 1; k < DESCRIPTORS; k++)
        (void)close(k);
    if (p->home)
        good = good && getcwd(here, sizeof here) && move_home(here);
    app_process_restrict(p->memory, p->file);
    go_offline();
    if (good)
        (void)execvp(p->argv[0], (char *const *)p->argv);
    _exit(good && errno == ENOENT ? 127 : 126);
}

// ---- its life ---------------------------------------------------------------------------------------------------

typedef struct listener {
    int from, to; // pipe; file or -1
    size_t kept;
} listener;

// Takes what the program has said; the first part of it is kept. Waits for a moment if there is nothing.
static void hear(listener *l, int milliseconds) {
    char bytes[4096];
    struct pollfd wait = {.fd = l->from, .events = POLLIN};
    if (poll(&wait, 1, milliseconds) <= 0)
        return;
    for (int k = 0; k < 256; k++) {
        const ssize_t got = read(l->from, bytes, sizeof bytes);
        if (got == 0) { // nobody is left who could say something
            (void)close(l->from);
            l->from = -1;
        }
        if (got <= 0)
            return;
        const size_t room = LOG_MOST - l->kept, size = (size_t)got < room ? (size_t)got : room;
        if (l->to >= 0 && size > 0 && write(l->to, bytes, size) > 0)
            l->kept += size;
    }
}

static app_process_end wait_for(pid_t pid, double seconds, listener *l, int *status) {
    const double start = app_now();
    app_process_end end = APP_ENDED;
    while (waitpid(pid, status, WNOHANG) == 0) {
        if (end == APP_ENDED && app_interrupted())
            end = APP_ENDED_INTERRUPTED;
        if (end == APP_ENDED && app_now() - start > seconds)
            end = APP_ENDED_TIME;
        if (end != APP_ENDED)
            (void)kill(-pid, SIGKILL);
        hear(l, PAUSE);
    }
    (void)kill(-pid, SIGKILL); // what it left behind
    hear(l, 0);
    if (end == APP_ENDED && WIFSIGNALED(*status))
        end = WTERMSIG(*status) == SIGXFSZ ? APP_ENDED_FILE : APP_ENDED_CRASH;
    return end;
}

static int open_log(const app_process *p) {
    char path[PATH_MAX];
    const bool inside = p->log && p->folder && p->log[0] != '/';
    if (!p->log ||
        snprintf(path, sizeof path, "%s%s%s", inside ? p->folder : "", inside ? "/" : "", p->log) >= PATH_MAX)
        return -1;
    return open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
}

int app_process_run(const app_process *p, app_process_end *end) {
    int ends[2] = {-1, -1}, status = -1;
    app_process_end unused = APP_ENDED;
    end = end ? end : &unused;
    *end = APP_ENDED_CRASH;
    listener l = {.to = open_log(p)};
    if ((p->log && l.to < 0) || !app_system_pipe(ends)) {
        if (l.to >= 0)
            (void)close(l.to);
        return -1;
    }
    const pid_t pid = fork();
    if (pid == 0)
        become(p, ends[1]);
    (void)close(ends[1]);
    l.from = ends[0];
    (void)fcntl(l.from, F_SETFL, O_NONBLOCK);
    if (pid > 0) {
        (void)setpgid(pid, pid);
        *end = wait_for(pid, p->seconds, &l, &status);
    }
    if (l.from >= 0)
        (void)close(l.from);
    if (l.to >= 0)
        (void)close(l.to);
    return pid > 0 && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

bool app_process_find(const char *program, char path[APP_PROCESS_PATH]) {
    const char *at = getenv("PATH"); // NOLINT(concurrency-mt-unsafe): one thread
    while (at && *at) {
        const size_t length = strcspn(at, ":");
        const int used =
            snprintf(path, APP_PROCESS_PATH, "%.*s/%s", length ? (int)length : 1, length ? at : ".", program);
        if (used > 0 && used < APP_PROCESS_PATH && access(path, X_OK) == 0)
            return true;
        at += length + (at[length] == ':');
    }
    return false;
}

bool app_process_is_there(const char *program) {
    char path[APP_PROCESS_PATH];
    return app_process_find(program, path);
}

static bool replace_file(const char *path, int descriptor) {
    const int to = path ? open(path, O_WRONLY | O_CREAT | O_TRUNC, 0666) : descriptor;
    return to >= 0 && dup2(to, descriptor) >= 0;
}

int app_process_call(const char *const *argv, const char *out, const char *err, char how[APP_PROCESS_HOW]) {
    int status = 0;
    (void)snprintf(how, APP_PROCESS_HOW, "the program did not start");
    (void)fflush(NULL);
    const pid_t parent = getpid(), pid = fork();
    if (pid == 0) {
        app_system_end_with_parent(parent);
        if (replace_file(out, STDOUT_FILENO) && replace_file(err, STDERR_FILENO))
            (void)execvp(argv[0], (char *const *)argv);
        _exit(127);
    }
    while (pid > 0 && waitpid(pid, &status, 0) < 0)
        if (errno != EINTR)
            return -1;
    if (pid < 0 || WIFEXITED(status))
        return pid < 0 ? -1 : WEXITSTATUS(status);
    (void)snprintf(how, APP_PROCESS_HOW, "killed by signal %d (%s)", WTERMSIG(status), strsignal(WTERMSIG(status)));
    return -1;
}

// ---- folders ----------------------------------------------------------------------------------------------------

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
