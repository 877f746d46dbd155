// Sums over the steps of a run.
#ifndef VS_APP_RUN_TOTALS_H
#define VS_APP_RUN_TOTALS_H

#include <stddef.h>
#include <stdint.h>

#include "voussoir/voussoir.h"

enum { APP_RUN_LISTED = 8 };
// Share of the discretization from which a report speaks of it: vs_step_report.
#define APP_RUN_COARSE .01

typedef struct app_run_totals {
    int64_t first;                  // steps of a previous run
    int64_t steps;                  // done now
    vs_report_totals of;            // all fields; its steps are these and, if its checkpoint has them, those before
    int64_t listed[APP_RUN_LISTED]; // the first inaccurate ones; 0: not known
    double momentum;                // N s, largest of a rigid body and of the whole
    int64_t momentum_step;          // its step
    const char *forced_text;        // the first reason for forced steps, or null
    char forced_before[160];        // the reason of a previous run
    vs_energy begin, end;
    vs_step_report last;
} app_run_totals;

// A field of vs_step_report over the steps: its total by the rule of the field, and all that is known.
#define APP_TOTAL(t, member) app_run_total(t, offsetof(vs_step_report, member))->value
#define APP_TOTAL_OF(t, member) app_run_total(t, offsetof(vs_step_report, member))
const vs_report_total *app_run_total(const app_run_totals *t, size_t offset);
// Wall time, which is that of one process: no part of the sums of a resumed run.
bool app_run_is_clock(const vs_report_field *field);

void app_run_add(app_run_totals *t, const vs_step_report *r);
// The momenta after a step.
void app_run_add_momenta(app_run_totals *t, const vs_step_report *r, const vs_world *world);

#endif
