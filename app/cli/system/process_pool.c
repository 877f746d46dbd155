// A pool of processes: every task in its own child, a few at a time, each with a deadline.
//
// A child sends its result through a pipe and ends. One that ends without a complete result has crashed; one that
// exceeds its deadline is killed with all its children: each child leads its own process group, which also keeps
// Ctrl-C on the terminal away from it, so that the parent decides.
#define _GNU_SOURCE
#include "cli/system/process_pool.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/system/clock.h"
#include "cli/system/interrupt.h"
#include "cli/system/message.h"
#include "cli/system/system.h"

typedef struct slot {
    pid_t pid; // 0: free
    int fd;    // the pipe's end to read from
    int task;
    double start;
    size_t filled; // bytes of the result that have come
    char *result;
} slot;

// ---- the child -----------------------------------------------------------------------------------------------

// Limits of the child: no core files, no more memory than allowed, first to be killed when memory runs out. It ends
// with its parent.
static void confine(const app_pool *pool, pid_t parent) {
    const struct rlimit none = {0, 0}, memory = {(rlim_t)pool->memory, (rlim_t)pool->memory};
    (void)setrlimit(RLIMIT_CORE, &none);
    if (pool->memory > 0)
        (void)setrlimit(RLIMIT_AS, &memory);
    app_system_end_with_parent(parent);
    app_system_prefer_to_kill();
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

_Noreturn static void run_child(const app_pool *pool, int task, char *result, int fd, pid_t parent) {
    (void)setpgid(0, 0);
    (void)signal(SIGINT, SIG_DFL);
    (void)signal(SIGTERM, SIG_DFL);
    confine(pool, parent);
    const int null = open("/dev/null", O_RDWR | O_CLOEXEC);
    if (null >= 0) {
        (void)dup2(null, STDIN_FILENO);
        (void)dup2(null, STDOUT_FILENO);
    }
    memset(result, 0, pool->size);
    pool->work(pool->user, task, result);
    send_result(fd, result, pool->size);
    _exit(0); // not exit(): buffered output belongs to the parent
}

// ---- the parent ------------------------------------------------------------------------------------------------

// false: no process could be started.
static bool start(const app_pool *pool, slot *s, int task) {
    int ends[2];
    if (!app_system_pipe(ends))
        return false;
    (void)fflush(NULL);
    const pid_t parent = getpid(), pid = fork();
    if (pid == 0)
        run_child(pool, task, s->result, ends[1], parent);
    (void)close(ends[1]);
    if (pid < 0) {
        (void)close(ends[0]);
        return false;
    }
    (void)setpgid(pid, pid); // in parent and child, to avoid a race
    *s = (slot){.pid = pid, .fd = ends[0], .task = task, .start = app_now(), .result = s->result};
    return true;
}

// Ends the child and its children; `how` receives how it had ended.
static void reap(slot *s, bool ended, char how[64]) {
    siginfo_t info = {0};
    if (!ended)
        (void)kill(-s->pid, SIGKILL);
    // Waits without reaping: the group keeps its number until the child is reaped.
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

static void finish(const app_pool *pool, slot *s, app_end end) {
    char how[64] = "";
    reap(s, end == APP_END_DONE, how);
    if (end == APP_END_DONE && s->filled < pool->size)
        end = APP_END_CRASHED;
    if (end == APP_END_TIMEOUT)
        (void)snprintf(how, sizeof how, "killed after %.3g s", app_now() - s->start);
    pool->done(pool->user, s->task, end, end == APP_END_DONE ? "" : how, s->result);
}

// True: the end of the pipe.
static bool receive(const app_pool *pool, slot *s) {
    char rest[64]; // anything beyond the size of a result is ignored
    const bool full = s->filled == pool->size;
    const ssize_t got =
        full ? read(s->fd, rest, sizeof rest) : read(s->fd, s->result + s->filled, pool->size - s->filled);
    if (got > 0 && !full)
        s->filled += (size_t)got;
    return got == 0 || (got < 0 && errno != EINTR && errno != EAGAIN);
}

static int start_more(const app_pool *pool, slot *slots, int *next, int running) {
    for (int k = 0; k < pool->jobs && *next < pool->tasks; k++) {
        if (slots[k].pid != 0)
            continue;
        if (start(pool, &slots[k], *next)) {
            running++;
        } else if (running == 0) {
            pool->done(pool->user, *next, APP_END_CRASHED, "no process could be started", slots[k].result);
        } else {
            return running;
        }
        ++*next;
    }
    return running;
}

// Waits for events for at most 0.2 s and returns how many children ended.
static int wait_some(const app_pool *pool, slot *slots, struct pollfd *fds) {
    int ended = 0;
    for (int k = 0; k < pool->jobs; k++)
        fds[k] = (struct pollfd){.fd = slots[k].pid ? slots[k].fd : -1, .events = POLLIN};
    (void)poll(fds, (nfds_t)pool->jobs, 200);
    for (int k = 0; k < pool->jobs; k++) {
        slot *s = &slots[k];
        if (s->pid == 0)
            continue;
        if (fds[k].revents && receive(pool, s)) {
            finish(pool, s, APP_END_DONE);
            ended++;
        } else if (pool->limit > 0 && app_now() - s->start > pool->limit) {
            finish(pool, s, APP_END_TIMEOUT);
            ended++;
        }
    }
    return ended;
}

static app_pool_state get_state(const app_pool *pool, const slot *slots, int next, int running) {
    app_pool_state state = {.finished = next - running, .running = running, .oldest = -1};
    const double now = app_now();
    for (int k = 0; k < pool->jobs; k++)
        if (slots[k].pid != 0 && now - slots[k].start >= state.oldest_seconds) {
            state.oldest = slots[k].task;
            state.oldest_seconds = now - slots[k].start;
        }
    return state;
}

static void run_all(const app_pool *pool, slot *slots, struct pollfd *fds) {
    int next = 0, running = 0;
    while (!app_interrupted() && (next < pool->tasks || running > 0)) {
        running = start_more(pool, slots, &next, running);
        running -= wait_some(pool, slots, fds);
        if (pool->show) {
            const app_pool_state state = get_state(pool, slots, next, running);
            pool->show(pool->user, &state);
        }
    }
    for (int k = 0; k < pool->jobs; k++)
        if (slots[k].pid != 0)
            finish(pool, &slots[k], APP_END_INTERRUPTED);
}

bool app_pool_run(const app_pool *pool) {
    const size_t jobs = (size_t)pool->jobs;
    slot *slots = calloc(jobs, sizeof *slots);
    struct pollfd *fds = calloc(jobs, sizeof *fds);
    char *results = calloc(jobs, pool->size);
    const bool memory = slots && fds && results;
    if (memory) {
        for (size_t k = 0; k < jobs; k++)
            slots[k].result = results + k * pool->size;
        run_all(pool, slots, fds);
    } else {
        app_complain("out of memory; use fewer --jobs");
    }
    free(slots);
    free(fds);
    free(results);
    return memory && !app_interrupted();
}
