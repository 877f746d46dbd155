// Ctrl-C and SIGTERM: the first one requests an end after the current iteration or step, the second one ends the process.
//
// A shell without job control starts background jobs (command &) with Ctrl-C ignored, so that one at the terminal does not
// end them; like other tools we leave it ignored. SIGTERM, what kill, timeout and batch systems send, always counts.
#include "cli/system/interrupt.h"

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>

#include "cli/system/clock.h"
#include "cli/system/rank.h"
#include "cli/system/system.h"

// Set by the first Ctrl-C. A signal handler can access globals only.
static volatile sig_atomic_t interrupted = 0;
static volatile sig_atomic_t at_once = 0;
static volatile double since = 0; // s, its time; used by the handler only

// `timeout -s INT` and others signal a process and then its group: signals this close together, in s, are one request.
static const double SAME = .5;

static void interrupt(int number) {
    double now = app_now(); // clock_gettime(), which signal handlers may call
    if (!interrupted && !at_once) {
        interrupted = 1;
        since = now;
    } else if (at_once || now - since > SAME) {
        (void)signal(number, SIG_DFL);
        (void)raise(number);
    }
}

void app_catch_interrupts(void) {
    app_system_catch(interrupt, app_is_distributed());
}

void app_interrupt_at_once(bool on) {
    at_once = on;
}

void app_interrupt(void) {
    interrupted = 1;
}

bool app_interrupted(void) {
    return interrupted != 0;
}
