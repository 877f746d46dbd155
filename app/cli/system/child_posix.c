// Children of a pool by fork(): see process_child.h.
//
// A child sends its result through a pipe. It leads its own process group, which also keeps Ctrl-C on the terminal away from it.
#define _GNU_SOURCE
#include "cli/system/process_child.h"

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

#include "cli/system/system.h"

enum { PAUSE = 200 }; // ms

struct app_child {
    pid_t pid;
    int fd;              // the pipe's end to read from
    size_t size, filled; // bytes of the result, of those that have come
    bool ended;          // the pipe has
    char result[];
};

// ---- the child ----------------------------------------------------------------------------------------------------

// Limits of the child: no core files, no more memory than allowed, first to be killed when memory runs out. It ends
// with its parent.
static void confine(const app_each *each, pid_t parent) {
    const struct rlimit none = {0, 0}, memory = {(rlim_t)each->memory, (rlim_t)each->memory};
    (void)setrlimit(RLIMIT_CORE, &none);
    if (each->memory > 0)
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

_Noreturn static void run_child(const app_each *each, const void *message, char *result, int fd, pid_t parent) {
    (void)setpgid(0, 0);
    (void)signal(SIGINT, SIG_DFL);
    (void)signal(SIGTERM, SIG_DFL);
    confine(each, parent);
    const int null = open("/dev/null", O_RDWR | O_CLOEXEC);
    if (null >= 0) {
        (void)dup2(null, STDIN_FILENO);
        (void)dup2(null, STDOUT_FILENO);
    }
    if (each->own > 0)
        (void)close(each->own);
    each->work(each->options, message, result);
    send_result(fd, result, each->size);
    _exit(0); // not exit(): buffered output belongs to the parent
}

// ---- the parent ---------------------------------------------------------------------------------------------------

app_child *app_child_start(const app_each *each, const void *message) {
    int ends[2];
    app_child *child = calloc(1, sizeof *child + each->size);
    if (!child || !app_system_pipe(ends)) {
        free(child);
        return NULL;
    }
    (void)fflush(NULL);
    const pid_t parent = getpid(), pid = fork();
    if (pid == 0)
        run_child(each, message, child->result, ends[1], parent);
    (void)close(ends[1]);
    if (pid < 0) {
        (void)close(ends[0]);
        free(child);
        return NULL;
    }
    (void)setpgid(pid, pid); // in parent and child, to avoid a race
    child->pid = pid;
    child->fd = ends[0];
    child->size = each->size;
    return child;
}

static void receive(app_child *c) {
    char rest[64]; // anything beyond the size of a result is ignored
    const bool full = c->filled == c->size;
    const ssize_t got = full ? read(c->fd, rest, sizeof rest) : read(c->fd, c->result + c->filled, c->size - c->filled);
    if (got > 0 && !full)
        c->filled += (size_t)got;
    c->ended = got == 0 || (got < 0 && errno != EINTR && errno != EAGAIN);
}

void app_child_wait(app_child *const *child, int children) {
    struct pollfd fds[APP_CHILDREN];
    for (int k = 0; k < children; k++)
        fds[k] = (struct pollfd){.fd = child[k] ? child[k]->fd : -1, .events = POLLIN};
    (void)poll(fds, (nfds_t)children, PAUSE);
    for (int k = 0; k < children; k++)
        if (child[k] && fds[k].revents)
            receive(child[k]);
}

bool app_child_has_ended(app_child *child) {
    return child->ended;
}

bool app_child_finish(app_child *c, void *result, char how[APP_CHILD_END]) {
    siginfo_t info = {0};
    if (!c->ended)
        (void)kill(-c->pid, SIGKILL);
    // Waits without reaping: the group keeps its number until the child is reaped.
    while (waitid(P_PID, (id_t)c->pid, &info, WEXITED | WNOWAIT) != 0 && errno == EINTR)
        continue;
    (void)kill(-c->pid, SIGKILL);
    while (waitpid(c->pid, NULL, 0) < 0 && errno == EINTR)
        continue;
    if (info.si_code == CLD_EXITED)
        (void)snprintf(how, APP_CHILD_END, "the process exited with code %d", info.si_status);
    else
        (void)snprintf(how, APP_CHILD_END, "the process was killed by signal %d (%s)", info.si_status,
                       strsignal(info.si_status));
    (void)close(c->fd);
    const bool complete = c->filled == c->size;
    memcpy(result, c->result, c->size);
    free(c);
    return complete;
}

// A child is a copy of this process: nobody starts the command for a task.
bool app_child_serve(app_task *work, const void *options) {
    (void)work, (void)options;
    return false;
}
