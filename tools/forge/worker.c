#include "worker.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

void *share_memory(size_t size) {
    void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED)
        exit(2);
    return memory;
}

// By SIGPROF or SIGALRM.
void limit_time(int seconds, int wall_seconds) {
    struct itimerval spent = {.it_value = {.tv_sec = seconds}}, wall = {.it_value = {.tv_sec = wall_seconds}};
    setitimer(ITIMER_PROF, &spent, NULL);
    setitimer(ITIMER_REAL, &wall, NULL);
}

void run_workers(const forge_workers *workers, uint64_t from, uint64_t end) {
    while (from < end) {
        fflush(stdout);
        pid_t worker = fork();
        if (worker < 0)
            exit(2);
        if (worker == 0) {
            workers->work(workers->user, from);
            fflush(stdout);
            _exit(0);
        }
        int status;
        if (waitpid(worker, &status, 0) != worker)
            exit(2);
        if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
            return;
        const int number = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
        const bool hang = number == SIGPROF || number == SIGALRM;
        workers->report_end(workers->user, hang,
                            hang     ? "took too long"
                            : number ? strsignal(number)
                                     : "the process ended");
        from = *workers->current + 1;
    }
}
