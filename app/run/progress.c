// Progress of a run: a bar on a terminal, a line every ten seconds elsewhere.
#include "run/progress.h"

#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "cli/system/clock.h"
#include "cli/system/message.h"
#include "cli/report.h"

enum { LINE = 110, BAR = 20, TEXT = 24 };

// "12 s", "3 min", "2.5 h"
static void format_rest(double seconds, char text[TEXT]) {
    if (!(seconds >= 0 && seconds < 1e9))
        (void)snprintf(text, TEXT, "?");
    else if (seconds < 100)
        (void)snprintf(text, TEXT, "%.0f s", seconds);
    else if (seconds < 6000)
        (void)snprintf(text, TEXT, "%.0f min", seconds / 60);
    else
        (void)snprintf(text, TEXT, "%.1f h", seconds / 3600);
}

// The time left at the mean speed of the run and at its present one: a range where they disagree.
static void estimate_rest(const app_run_progress *p, app_run_moment now, char text[2 * TEXT + 8]) {
    const double left = p->end - now.simulated, mean = (now.wall - p->start) / (now.simulated - p->begin),
                 present = (now.wall - p->previous.wall) / (now.simulated - p->previous.simulated);
    const double low = left * fmin(mean, present), high = left * fmax(mean, present);
    char least[TEXT], most[TEXT];
    format_rest(low, least);
    format_rest(high, most);
    if (high < 1.5 * low || strcmp(least, most) == 0)
        (void)snprintf(text, 2 * TEXT + 8, "%s", most);
    else
        (void)snprintf(text, 2 * TEXT + 8, "%s to %s", least, most);
}

// The present speed is that of the last ten to twenty seconds.
static void keep_moment(app_run_progress *p, app_run_moment now) {
    enum { SECONDS = 10 };
    if (p->previous.wall == 0)
        p->previous = p->recent = (app_run_moment){p->start, p->begin};
    if (now.wall - p->recent.wall < SECONDS)
        return;
    p->previous = p->recent;
    p->recent = now;
}

static void print_line(const char *line, bool bar) {
    if (bar)
        (void)fprintf(stderr, "\r%-*.*s", LINE, LINE, line);
    else
        (void)fprintf(stderr, "%s\n", line);
    (void)fflush(stderr);
}

static void show_line(const app_run_progress *p, const vs_step_report *r, double elapsed, bool bar) {
    const double done = p->end > p->begin ? (r->time - p->begin) / (p->end - p->begin) : 1;
    const int filled = done < 0 ? 0 : done > 1 ? BAR : (int)(BAR * done);
    char spent[TEXT], rest[2 * TEXT + 8], line[LINE + 60], bars[BAR + 4] = "";
    format_rest(elapsed, spent);
    estimate_rest(p, (app_run_moment){p->start + elapsed, r->time}, rest);
    if (bar) {
        memset(bars, '.', BAR + 1);
        memset(bars, '#', (size_t)filled + 1);
        bars[0] = '[';
        memcpy(bars + BAR + 1, "] ", 3);
    }
    (void)snprintf(line, sizeof line,
                   "%s%3.0f %%  step %" PRId64 "  %.3f s  %d contacts  %d it  error %.0e J  %s elapsed, %s left", bars,
                   100 * done, r->step, r->time, r->contacts, r->iterations, r->energy_error, spent, rest);
    print_line(line, bar);
}

// Five times per second on a terminal; a line every ten seconds elsewhere.
static bool is_due(const app_run_progress *p, double now) {
    return !p->quiet && now - p->last >= (p->terminal ? .2 : 10);
}

void app_run_show(app_run_progress *p, const vs_step_report *r) {
    const double t = app_now();
    p->step = r->step + 1;
    p->step_start = t;
    keep_moment(p, (app_run_moment){t, r->time});
    if (!is_due(p, t))
        return;
    show_line(p, r, t - p->start, p->terminal);
    p->last = t;
    p->shown = p->terminal;
}

bool app_run_watch(void *progress, const vs_iteration *i) {
    enum { PATIENCE = 2 }; // s; steps below are not worth a line
    app_run_progress *p = progress;
    const double t = app_now();
    if (!is_due(p, t) || t - p->step_start < PATIENCE)
        return true;
    char line[LINE + 60], spent[TEXT], elapsed[TEXT];
    format_rest(t - p->step_start, spent);
    format_rest(t - p->start, elapsed);
    (void)snprintf(line, sizeof line, "step %" PRId64 ": %s, %s in this step, iteration %d, error %.0e J  %s elapsed",
                   p->step, *i->stage ? i->stage : "solving", spent, i->iteration, i->energy_error, elapsed);
    print_line(line, p->terminal);
    p->last = t;
    p->shown = p->terminal;
    return true;
}

// Where the time of a step went, and what to do about it.
static void advise(const vs_step_report *r, const vs_result *result, char text[240]) {
    const vs_stage *slowest = NULL;
    char seconds[16];
    for (int k = 0; result && k < result->stage_count; k++)
        if (!slowest || result->stages[k].seconds > slowest->seconds)
            slowest = &result->stages[k];
    if (r->seconds_solve < .5 * r->seconds_total) {
        (void)snprintf(text, 240,
                       ", most of it not in the solver: do other programs keep the processor or the disk busy?");
        return;
    }
    app_format_seconds(slowest ? slowest->seconds : r->seconds_solve, seconds);
    (void)snprintf(text, 240,
                   ", %s of it in %s; --patience N limits the effort per step, a smaller --step often helps, --capture "
                   "keeps the problem",
                   seconds, slowest ? slowest->name : "the solver");
}

void app_run_hint(app_run_progress *p, const app_effort *effort, const vs_step_report *r, const vs_result *result) {
    enum { TIMES = 100, STEPS = 20 };  // so much slower than the median of so many steps at least
    static const double NOTICED = 1.0; // s
    if (p->quiet || p->hinted || r->seconds_total < NOTICED || effort->steps < STEPS)
        return;
    const double median = app_effort_median(effort);
    if (!(r->seconds_total > TIMES * median))
        return;
    char seconds[16], usual[16], advice[240];
    app_format_seconds(r->seconds_total, seconds);
    app_format_seconds(median, usual);
    advise(r, result, advice);
    app_run_clear(p);
    app_complain("step %" PRId64 " took %s, %.0f times the median of %s%s", r->step, seconds, r->seconds_total / median,
                 usual, advice);
    p->hinted = true;
}

void app_run_clear(app_run_progress *p) {
    if (p->shown)
        (void)fprintf(stderr, "\r%*s\r", LINE, "");
    p->shown = false;
}
