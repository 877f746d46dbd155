// POSIX: Linux and macOS. See system.h; other programs are in process_posix.c.
#define _GNU_SOURCE // RTLD_DEFAULT
#if defined(__APPLE__)
#define _DARWIN_C_SOURCE
#endif
#include "cli/system/system.h"

#include <arpa/inet.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "cli/system/clock.h"
#include "cli/system/interrupt.h"
#include "cli/system/message.h"
#include "cli/system/process.h"

#if defined(__APPLE__)
#include <mach-o/dyld.h>
#elif defined(__linux__)
#include <sys/prctl.h>
#endif

enum { LOCK_TRIES = 20 };

#ifndef MSG_NOSIGNAL
#define MSG_NOSIGNAL 0 // SO_NOSIGPIPE there
#endif

void *app_system_find_symbol(const char *name) {
    return dlsym(RTLD_DEFAULT, name);
}

bool app_system_find_self(char path[APP_SYSTEM_PATH]) {
#if defined(__APPLE__)
    uint32_t size = APP_SYSTEM_PATH;
    return _NSGetExecutablePath(path, &size) == 0;
#else
    const ssize_t length = readlink("/proc/self/exe", path, APP_SYSTEM_PATH - 1);
    path[length > 0 ? length : 0] = '\0';
    return length > 0;
#endif
}

void app_system_own_folder(char folder[APP_SYSTEM_PATH]) {
    char *slash = app_system_find_self(folder) ? strrchr(folder, '/') : NULL;
    if (slash)
        *slash = '\0';
    else
        (void)snprintf(folder, APP_SYSTEM_PATH, ".");
}

void app_system_restart(char **argv, const app_variable *variable, int variables) {
    char self[APP_SYSTEM_PATH];
    bool good = app_system_find_self(self);
    for (int k = 0; k < variables && good; k++)
        good = !variable[k].value || setenv(variable[k].name, variable[k].value, 1) == 0;
    if (good)
        (void)execv(self, argv);
    for (int k = 0; k < variables; k++)
        if (variable[k].value)
            (void)unsetenv(variable[k].name);
}

bool app_system_memory_is_limited(void) {
    struct rlimit space, data;
    return (getrlimit(RLIMIT_AS, &space) == 0 && space.rlim_cur != RLIM_INFINITY) ||
           (getrlimit(RLIMIT_DATA, &data) == 0 && data.rlim_cur != RLIM_INFINITY);
}

// If the command was started with interrupts ignored (a background job), they stay ignored; SIGTERM ends it in any case.
void app_system_catch(void (*handler)(int number), bool batch) {
    struct sigaction before, action = {.sa_handler = handler};
    (void)sigfillset(&action.sa_mask);
    if (sigaction(SIGINT, NULL, &before) == 0 && before.sa_handler != SIG_IGN)
        (void)sigaction(SIGINT, &action, NULL);
    (void)sigaction(SIGTERM, &action, NULL);
    // mpirun ends its processes by SIGTERM when it is interrupted, and passes SIGUSR1 on; batch systems send either.
    if (batch)
        (void)sigaction(SIGUSR1, &action, NULL);
}

bool app_system_random(void *bytes, size_t size) {
#if defined(__APPLE__)
    return getentropy(bytes, size) == 0;
#else
    ssize_t got;
    do // so few bytes come at once, or not at all
        got = getrandom(bytes, size, 0);
    while (got < 0 && errno == EINTR);
    return got == (ssize_t)size;
#endif
}

// ---- the machine ------------------------------------------------------------------------------------------------

// Of Linux; 0 if unknown.
static double available_memory(void) {
    double kilobytes = 0;
    char line[128];
    FILE *file = fopen("/proc/meminfo", "r");
    if (!file)
        return 0;
    while (kilobytes == 0 && fgets(line, sizeof line, file))
        if (strncmp(line, "MemAvailable:", 13) == 0)
            kilobytes = strtod(line + 13, NULL);
    (void)fclose(file);
    return 1024 * kilobytes;
}

static double get_load(void) {
    char line[64] = "";
    FILE *file = fopen("/proc/loadavg", "r");
    if (file && !fgets(line, sizeof line, file))
        line[0] = '\0';
    if (file)
        (void)fclose(file);
    return strtod(line, NULL);
}

app_machine app_system_machine(void) {
    const long processors = sysconf(_SC_NPROCESSORS_ONLN), pages = sysconf(_SC_PHYS_PAGES),
               page = sysconf(_SC_PAGESIZE);
    return (app_machine){.processors = processors > 0 ? processors : 0,
                         .memory = pages > 0 && page > 0 ? (double)pages * (double)page : 0,
                         .available = available_memory(),
                         .load = get_load()};
}

// ---- files ------------------------------------------------------------------------------------------------------

bool app_system_is_slash(char c) {
    return c == '/';
}

bool app_system_make_folder(const char *path) {
    return mkdir(path, 0777) == 0;
}

app_entry app_system_entry(const char *path) {
    struct stat status;
    if (lstat(path, &status) != 0)
        return APP_ENTRY_OTHER;
    return S_ISREG(status.st_mode) ? APP_ENTRY_FILE : S_ISDIR(status.st_mode) ? APP_ENTRY_FOLDER : APP_ENTRY_OTHER;
}

int app_file_append(const char *path) {
    return open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
}

bool app_file_sync(int file) {
    return fdatasync(file) == 0;
}

// Children of a process that was just killed may still hold the lock for a moment. File systems without locks are trusted.
bool app_file_lock(int file) {
    const struct timespec pause = {.tv_nsec = 100000000};
    for (int k = 0; k < LOCK_TRIES; k++) {
        if (flock(file, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK)
            return true;
        (void)nanosleep(&pause, NULL);
    }
    return false;
}

int app_folder_lock(const char *folder) {
    const int lock = open(folder, O_RDONLY | O_CLOEXEC);
    while (lock >= 0 && flock(lock, LOCK_EX) != 0 && errno == EINTR)
        continue;
    return lock;
}

void app_folder_unlock(int lock) {
    if (lock >= 0)
        (void)close(lock);
}

void app_system_redirect_errors(const char *path) {
    const int file = *path ? app_file_append(path) : -1, to = file < 0 ? open("/dev/null", O_WRONLY | O_CLOEXEC) : file;
    if (to < 0)
        return;
    (void)dup2(to, STDERR_FILENO);
    (void)close(to);
}

// ---- sockets ----------------------------------------------------------------------------------------------------

static int prepare(int socket) {
#ifdef SO_NOSIGPIPE
    const int yes = 1;
    (void)setsockopt(socket, SOL_SOCKET, SO_NOSIGPIPE, &yes, sizeof yes);
#endif
    if (socket >= 0) {
        (void)fcntl(socket, F_SETFL, O_NONBLOCK);
        (void)fcntl(socket, F_SETFD, FD_CLOEXEC);
    }
    return socket;
}

int app_socket_listen(int *port) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)*port)};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    const int listener = prepare(socket(AF_INET, SOCK_STREAM, 0)), yes = 1;
    if (listener >= 0)
        (void)setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    if (listener < 0 || bind(listener, (const struct sockaddr *)&address, size) != 0 || listen(listener, 1024) != 0 ||
        getsockname(listener, (struct sockaddr *)&address, &size) != 0) {
        const int reason = errno;
        if (listener >= 0)
            (void)close(listener);
        errno = reason;
        return -1;
    }
    *port = ntohs(address.sin_port);
    return listener;
}

int app_socket_accept(int listener) {
    return prepare(accept(listener, NULL, NULL));
}

int64_t app_socket_receive(int socket, void *bytes, size_t size) {
    return recv(socket, bytes, size, 0);
}

int64_t app_socket_send(int socket, const void *bytes, size_t size) {
    return send(socket, bytes, size, MSG_NOSIGNAL);
}

void app_socket_finish(int socket) {
    (void)shutdown(socket, SHUT_WR);
}

void app_socket_close(int socket) {
    if (socket >= 0)
        (void)close(socket);
}

bool app_socket_wait(app_socket_event *event, int events, int milliseconds) {
    enum { MOST = 128 };
    struct pollfd wait[MOST];
    for (int k = 0; k < events && k < MOST; k++)
        wait[k] = (struct pollfd){.fd = event[k].socket, .events = event[k].send ? POLLOUT : POLLIN};
    const int count = poll(wait, (nfds_t)(events < MOST ? events : MOST), milliseconds);
    for (int k = 0; k < events; k++)
        event[k].ready = count > 0 && k < MOST && wait[k].revents != 0;
    return count >= 0 || errno == EINTR;
}

// ---- the browser ------------------------------------------------------------------------------------------------

#if defined(__APPLE__)
static const char OPENER[] = "open";
#else
static const char OPENER[] = "xdg-open";
#endif
enum { BROWSER_START = 60 }; // s; after this time the page is not needed any more

// The child also removes `scratch` with the page, so that nothing is left if this process is killed.
void app_system_browse(const char *page, const char *scratch, int listener) {
    const pid_t parent = getpid();
    (void)signal(SIGCHLD, SIG_IGN);
    if (fork() != 0)
        return;
    app_socket_close(listener); // the port is free when the parent ends
    (void)setsid();
    if (!freopen("/dev/null", "w", stdout) || !freopen("/dev/null", "w", stderr))
        _exit(1);
    if (fork() == 0) {
        (void)execlp(OPENER, OPENER, page, (char *)NULL);
        _exit(127);
    }
    for (int k = 0; k < BROWSER_START && getppid() == parent; k++)
        (void)sleep(1);
    app_scratch_remove(scratch);
    _exit(0);
}

// ---- processes --------------------------------------------------------------------------------------------------

bool app_system_pipe(int ends[2]) {
    if (pipe(ends) != 0)
        return false;
    (void)fcntl(ends[0], F_SETFD, FD_CLOEXEC);
    (void)fcntl(ends[1], F_SETFD, FD_CLOEXEC);
    return true;
}

void app_system_end_with_parent(int parent) {
#if defined(__linux__)
    (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent)
        _exit(1); // it died before PR_SET_PDEATHSIG took effect
#else
    (void)parent;
#endif
}

void app_system_name_process(const char *name) {
#if defined(__linux__)
    (void)prctl(PR_SET_NAME, name);
#else
    (void)name;
#endif
}

void app_system_prefer_to_kill(void) {
    const int fd = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
    if (fd >= 0) {
        const ssize_t written = write(fd, "1000", 4);
        (void)written; // best effort
        (void)close(fd);
    }
}
