// Progress of a run on standard error.
#ifndef VS_APP_RUN_PROGRESS_H
#define VS_APP_RUN_PROGRESS_H

#include <stdbool.h>

#include "voussoir/voussoir.h"

typedef struct app_run_progress {
    bool terminal, quiet, shown;
    double start, last; // s of wall time
    double begin, end;  // s simulated
} app_run_progress;

void app_run_show(app_run_progress *p, const vs_step_report *r);
void app_run_clear(app_run_progress *p);

#endif
