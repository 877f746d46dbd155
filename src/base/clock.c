// Wall time from the system's monotonic clock: never set back, so differences are durations.
#include "base/clock.h"

#include <time.h>

double vs_clock(void) {
    struct timespec now = {0, 0};
    (void)clock_gettime(CLOCK_MONOTONIC, &now); // fails only for an unknown clock
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}
