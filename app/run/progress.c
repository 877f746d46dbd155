// Progress of a run: a bar on a terminal, a line every ten seconds elsewhere.
#include "run/progress.h"

#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "cli/clock.h"

enum { LINE = 110, BAR = 20 };

// "12 s", "3 min", "2.5 h"
static void format_rest(double seconds, char text[24]) {
    if (!(seconds >= 0 && seconds < 1e9))
        (void)snprintf(text, 24, "?");
    else if (seconds < 100)
        (void)snprintf(text, 24, "%.0f s", seconds);
    else if (seconds < 6000)
        (void)snprintf(text, 24, "%.0f min", seconds / 60);
    else
        (void)snprintf(text, 24, "%.1f h", seconds / 3600);
}

static void show_line(const app_run_progress *p, const vs_step_report *r, double elapsed, bool bar) {
    const double done = p->end > p->begin ? (r->time - p->begin) / (p->end - p->begin) : 1;
    const double factor = elapsed > 0 ? (r->time - p->begin) / elapsed : 0;
    const int filled = done < 0 ? 0 : done > 1 ? BAR : (int)(BAR * done);
    char rest[24], line[LINE + 60], bars[BAR + 4] = "";
    format_rest(done > 0 ? elapsed * (1 - done) / done : NAN, rest);
    if (bar) {
        memset(bars, '.', BAR + 1);
        memset(bars, '#', (size_t)filled + 1);
        bars[0] = '[';
        memcpy(bars + BAR + 1, "] ", 3);
    }
    (void)snprintf(line, sizeof line,
                   "%s%3.0f %%  step %" PRId64 "  %.3f s  %d contacts  %d it  error %.0e J  %.2g x real time  %s left",
                   bars, 100 * done, r->step, r->time, r->contacts, r->iterations, r->energy_error, factor, rest);
    if (bar)
        (void)fprintf(stderr, "\r%-*.*s", LINE, LINE, line);
    else
        (void)fprintf(stderr, "%s\n", line);
    (void)fflush(stderr);
}

// Five times per second on a terminal; a line every ten seconds elsewhere.
void app_run_show(app_run_progress *p, const vs_step_report *r) {
    const double t = app_now();
    if (p->quiet || t - p->last < (p->terminal ? .2 : 10))
        return;
    show_line(p, r, t - p->start, p->terminal);
    p->last = t;
    p->shown = p->terminal;
}

void app_run_clear(app_run_progress *p) {
    if (p->shown)
        (void)fprintf(stderr, "\r%*s\r", LINE, "");
    p->shown = false;
}
