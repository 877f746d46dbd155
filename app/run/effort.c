// What the steps of a run cost: see effort.h.
#include "run/effort.h"

#include <stdlib.h>
#include <string.h>

// Without memory the times of later steps are not known; the run goes on.
static void keep_time(app_effort *effort, double seconds) {
    if (effort->steps == effort->room) {
        const int64_t room = effort->room > 0 ? 2 * effort->room : 1024;
        double *grown = realloc(effort->seconds, (size_t)room * sizeof *grown);
        if (!grown)
            return;
        effort->seconds = grown;
        effort->room = room;
    }
    effort->seconds[effort->steps++] = seconds;
}

static app_stage_effort *find_stage(app_effort *effort, const char *name) {
    for (int k = 0; k < effort->stages; k++)
        if (strcmp(effort->stage[k].name, name) == 0)
            return &effort->stage[k];
    if (effort->stages == APP_EFFORT_STAGES)
        return NULL;
    effort->stage[effort->stages].name = name;
    return &effort->stage[effort->stages++];
}

void app_effort_add(app_effort *effort, double seconds, const vs_result *result) {
    keep_time(effort, seconds);
    for (int k = 0; result && k < result->stage_count; k++) {
        const vs_stage *from = &result->stages[k];
        app_stage_effort *to = find_stage(effort, from->name);
        if (!to)
            continue;
        to->tried += from->tried;
        to->solved += from->solved;
        to->iterations += from->iterations;
        to->factorizations += from->factorizations;
        to->seconds += from->seconds;
    }
}

static int compare(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double app_effort_median(const app_effort *effort) {
    const size_t n = (size_t)effort->steps;
    double *sorted = n > 0 ? malloc(n * sizeof *sorted) : NULL;
    if (!sorted)
        return 0;
    memcpy(sorted, effort->seconds, n * sizeof *sorted);
    qsort(sorted, n, sizeof *sorted, compare);
    const double median = sorted[n / 2];
    free(sorted);
    return median;
}

bool app_effort_times(app_effort *effort, app_step_times *times) {
    const int64_t n = effort->steps;
    if (n == 0)
        return false;
    *times = (app_step_times){.worst_step = 1};
    for (int64_t k = 0; k < n; k++)
        if (effort->seconds[k] > times->worst) {
            times->worst = effort->seconds[k];
            times->worst_step = k + 1;
        }
    qsort(effort->seconds, (size_t)n, sizeof *effort->seconds, compare);
    times->median = effort->seconds[n / 2];
    times->p99 = effort->seconds[(99 * (n - 1) + 99) / 100];
    return true;
}

void app_effort_release(app_effort *effort) {
    free(effort->seconds);
    effort->seconds = NULL;
}
