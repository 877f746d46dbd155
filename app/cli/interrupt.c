// Ctrl-C: the first one requests an end after the current iteration or step, the second one ends the process.
#include "cli/interrupt.h"

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>

#include "cli/clock.h"
#include "cli/rank.h"

// Set by the first Ctrl-C. A signal handler can access globals only.
static volatile sig_atomic_t interrupted = 0;
static volatile double since = 0; // s, its time; used by the handler only

// `timeout -s INT` and others signal a process and then its group: signals this close together, in s, are one request.
static const double SAME = .5;

static void interrupt(int number) {
    double now = app_now(); // clock_gettime(), which signal handlers may call
    if (!interrupted) {
        interrupted = 1;
        since = now;
    } else if (now - since > SAME) {
        (void)signal(number, SIG_DFL);
        (void)raise(number);
    }
}

// If the command was started with interrupts ignored (a background job), they stay ignored.
void app_catch_interrupts(void) {
    struct sigaction before, action = {.sa_handler = interrupt};
    (void)sigfillset(&action.sa_mask);
    if (sigaction(SIGINT, NULL, &before) == 0 && before.sa_handler != SIG_IGN)
        (void)sigaction(SIGINT, &action, NULL);
    if (!app_is_distributed())
        return;
    // mpirun ends its processes by SIGTERM when it is interrupted, and passes SIGUSR1 on; batch systems send either.
    (void)sigaction(SIGTERM, &action, NULL);
    (void)sigaction(SIGUSR1, &action, NULL);
}

void app_interrupt(void) {
    interrupted = 1;
}

bool app_interrupted(void) {
    return interrupted != 0;
}
