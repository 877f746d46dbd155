// Processes for many tasks: every task in a child of its own, a few at a time, each with a deadline.
//
// A child sends its result through a pipe and ends. One that ends without a complete result has crashed; one that
// passes its deadline is killed together with everything that it started: children lead process groups of their own,
// which also keeps a Ctrl-C on the terminal from them, so that the parent decides.
#define _GNU_SOURCE
#include "cli/process_pool.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/clock.h"
#include "cli/interrupt.h"
#include "cli/message.h"

#ifdef __linux__
#endif

typedef struct slot {
    pid_t pid; // 0: free
    int fd;    // the pipe's end to read from
    int task;
    double start;
    size_t filled; // bytes of the result that have come
    char *result;
} slot;

// ---- the child -----------------------------------------------------------------------------------------------

// What the child may do to the machine: no core files, no more memory than allowed, and the first to go when it
// runs out. Ends with its parent.
static void confine(const app_pool *grid, pid_t parent) {
    const struct rlimit none = {0, 0}, memory = {(rlim_t)grid->memory, (rlim_t)grid->memory};
    (void)setrlimit(RLIMIT_CORE, &none);
    if (grid->memory > 0)
        (void)setrlimit(RLIMIT_AS, &memory);
    (void)parent;
#ifdef __linux__
    (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent)
        _exit(1); // it died before it could be watched
    const int fd = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
    if (fd >= 0) {
        const ssize_t written = write(fd, "1000", 4);
        (void)written; // a wish
        (void)close(fd);
    }
#endif
}

static void send_result(int fd, const char *result, size_t size) {
    while (size > 0) {
        const ssize_t written = write(fd, result, size);
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0)
            return;
        result += written;
        size -= (size_t)written;
    }
}

_Noreturn static void run_child(const app_pool *grid, int task, char *result, int fd, pid_t parent) {
    (void)setpgid(0, 0);
    (void)signal(SIGINT, SIG_DFL);
    confine(grid, parent);
    const int null = open("/dev/null", O_RDWR | O_CLOEXEC);
    if (null >= 0) {
        (void)dup2(null, STDIN_FILENO);
        (void)dup2(null, STDOUT_FILENO);
    }
    memset(result, 0, grid->size);
    grid->work(grid->user, task, result);
    send_result(fd, result, grid->size);
    _exit(0); // not exit(): what the parent has buffered is the parent's to write
}

// ---- the parent ------------------------------------------------------------------------------------------------

// false: no process is to be had.
static bool start(const app_pool *grid, slot *s, int task) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0)
        return false;
    (void)fflush(NULL);
    const pid_t parent = getpid(), pid = fork();
    if (pid == 0)
        run_child(grid, task, s->result, ends[1], parent);
    (void)close(ends[1]);
    if (pid < 0) {
        (void)close(ends[0]);
        return false;
    }
    (void)setpgid(pid, pid); // here as well: whoever comes first
    *s = (slot){.pid = pid, .fd = ends[0], .task = task, .start = app_now(), .result = s->result};
    return true;
}

// Ends the child and whatever it left behind; `how` receives how it had ended by itself.
static void reap(slot *s, bool ended, char how[64]) {
    siginfo_t info = {0};
    if (!ended)
        (void)kill(-s->pid, SIGKILL);
    // Waits without forgetting: the group keeps its number until the child is forgotten.
    while (waitid(P_PID, (id_t)s->pid, &info, WEXITED | WNOWAIT) != 0 && errno == EINTR)
        continue;
    (void)kill(-s->pid, SIGKILL);
    while (waitpid(s->pid, NULL, 0) < 0 && errno == EINTR)
        continue;
    if (info.si_code == CLD_EXITED)
        (void)snprintf(how, 64, "the process exited with code %d", info.si_status);
    else
        (void)snprintf(how, 64, "the process was killed by signal %d (%s)", info.si_status, strsignal(info.si_status));
    (void)close(s->fd);
    s->pid = 0;
}

static void finish(const app_pool *grid, slot *s, app_end end) {
    char how[64] = "";
    reap(s, end == APP_END_DONE, how);
    if (end == APP_END_DONE && s->filled < grid->size)
        end = APP_END_CRASHED;
    if (end == APP_END_TIMEOUT)
        (void)snprintf(how, sizeof how, "killed after %.3g s", app_now() - s->start);
    grid->done(grid->user, s->task, end, end == APP_END_DONE ? "" : how, s->result);
}

// True: there will be no more.
static bool receive(const app_pool *grid, slot *s) {
    char rest[64]; // a result is never longer than said; what is more is not read
    const bool full = s->filled == grid->size;
    const ssize_t got =
        full ? read(s->fd, rest, sizeof rest) : read(s->fd, s->result + s->filled, grid->size - s->filled);
    if (got > 0 && !full)
        s->filled += (size_t)got;
    return got == 0 || (got < 0 && errno != EINTR && errno != EAGAIN);
}

static int start_more(const app_pool *grid, slot *slots, int *next, int running) {
    for (int k = 0; k < grid->jobs && *next < grid->tasks; k++) {
        if (slots[k].pid != 0)
            continue;
        if (start(grid, &slots[k], *next)) {
            running++;
        } else if (running == 0) {
            grid->done(grid->user, *next, APP_END_CRASHED, "no process could be started", slots[k].result);
        } else {
            return running;
        }
        ++*next;
    }
    return running;
}

// Waits for news, at most a fifth of a second, and returns how many ended.
static int wait_some(const app_pool *grid, slot *slots, struct pollfd *fds) {
    int ended = 0;
    for (int k = 0; k < grid->jobs; k++)
        fds[k] = (struct pollfd){.fd = slots[k].pid ? slots[k].fd : -1, .events = POLLIN};
    (void)poll(fds, (nfds_t)grid->jobs, 200);
    for (int k = 0; k < grid->jobs; k++) {
        slot *s = &slots[k];
        if (s->pid == 0)
            continue;
        if (fds[k].revents && receive(grid, s)) {
            finish(grid, s, APP_END_DONE);
            ended++;
        } else if (grid->limit > 0 && app_now() - s->start > grid->limit) {
            finish(grid, s, APP_END_TIMEOUT);
            ended++;
        }
    }
    return ended;
}

static void run_all(const app_pool *grid, slot *slots, struct pollfd *fds) {
    int next = 0, running = 0;
    while (!app_interrupted() && (next < grid->tasks || running > 0)) {
        running = start_more(grid, slots, &next, running);
        running -= wait_some(grid, slots, fds);
        if (grid->show)
            grid->show(grid->user, next - running, running);
    }
    for (int k = 0; k < grid->jobs; k++)
        if (slots[k].pid != 0)
            finish(grid, &slots[k], APP_END_INTERRUPTED);
}

bool app_pool_run(const app_pool *grid) {
    const size_t jobs = (size_t)grid->jobs;
    slot *slots = calloc(jobs, sizeof *slots);
    struct pollfd *fds = calloc(jobs, sizeof *fds);
    char *results = calloc(jobs, grid->size);
    const bool memory = slots && fds && results;
    if (memory) {
        for (size_t k = 0; k < jobs; k++)
            slots[k].result = results + k * grid->size;
        run_all(grid, slots, fds);
    } else {
        app_complain("out of memory; use fewer --jobs");
    }
    free(slots);
    free(fds);
    free(results);
    return memory && !app_interrupted();
}
