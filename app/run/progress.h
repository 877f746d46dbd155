// Progress of a run on standard error.
#ifndef VS_APP_RUN_PROGRESS_H
#define VS_APP_RUN_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

#include "run/effort.h"
#include "voussoir/voussoir.h"

// A moment of a run.
typedef struct app_run_moment {
    double wall, simulated; // s
} app_run_moment;

typedef struct app_run_progress {
    bool terminal, quiet, shown, hinted;
    double start, last;              // s of wall time
    double begin, end;               // s simulated
    int64_t step;                    // under way
    double step_start;               // s of wall time
    app_run_moment recent, previous; // the last two of those kept for the present speed
} app_run_progress;

// After a step.
void app_run_show(app_run_progress *p, const vs_step_report *r);
// During a step, as vs_solver_options.progress; the user is the progress. Shows what a slow step is doing.
bool app_run_watch(void *progress, const vs_iteration *iteration);
// Says once that a step took far longer than the others, and where the time went. result: of its problem, or null.
void app_run_hint(app_run_progress *p, const app_effort *effort, const vs_step_report *r, const vs_result *result);
void app_run_clear(app_run_progress *p);

#endif
