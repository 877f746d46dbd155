// What the steps of a run cost: their times, and the work of each stage of the solver cascade.
#ifndef VS_APP_RUN_EFFORT_H
#define VS_APP_RUN_EFFORT_H

#include <stdbool.h>
#include <stdint.h>

#include "voussoir/voussoir.h"

enum { APP_EFFORT_STAGES = 32 }; // more are not listed

typedef struct app_stage_effort {
    const char *name;
    int64_t tried, solved, iterations, factorizations; // sums over all steps
    double seconds;
} app_stage_effort;

typedef struct app_effort {
    double *seconds; // (steps) of each step
    int64_t steps, room;
    app_stage_effort stage[APP_EFFORT_STAGES]; // in the order in which they were first met
    int stages;
} app_effort;

// Times of steps, s.
typedef struct app_step_times {
    double median, p99, worst;
    int64_t worst_step; // 1: the first of the run
} app_step_times;

// After a step that took so long; result: of its problem, or null.
void app_effort_add(app_effort *effort, double seconds, const vs_result *result);
double app_effort_median(const app_effort *effort); // s, of the steps so far; 0 without memory
// Sorts the times. False: there is no step.
bool app_effort_times(app_effort *effort, app_step_times *times);
void app_effort_release(app_effort *effort);

#endif
