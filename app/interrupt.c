// Ctrl-C: the first one asks to end after the present iteration or step, the second one ends the process.
#include "app.h"

#include <signal.h>

// Set by the first Ctrl-C. A signal handler can reach nothing but a global.
static volatile sig_atomic_t interrupted = 0;

static void interrupt(int number) {
    (void)number;
    interrupted = 1;
}

// SA_RESETHAND: the second Ctrl-C finds the default action, which ends the process.
// Who started the command with interrupts ignored (a job in the background) keeps that.
void app_catch_interrupts(void) {
    struct sigaction before, action = {.sa_handler = interrupt, .sa_flags = (int)SA_RESETHAND};
    (void)sigemptyset(&action.sa_mask);
    if (sigaction(SIGINT, NULL, &before) == 0 && before.sa_handler != SIG_IGN)
        (void)sigaction(SIGINT, &action, NULL);
    if (!app_several())
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
