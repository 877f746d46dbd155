// Wall time and processor time.
#include "cli/system/clock.h"

#include <time.h>

static double read_clock(clockid_t clock) {
    struct timespec t;
    (void)clock_gettime(clock, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

double app_now(void) {
    return read_clock(CLOCK_MONOTONIC);
}

double app_processor_time(void) {
    return read_clock(CLOCK_PROCESS_CPUTIME_ID);
}
