// Sweeps under schedulers: parts, ranks, array jobs.
#ifndef VS_APP_SWEEP_SCHEDULE_H
#define VS_APP_SWEEP_SCHEDULE_H

#include <stdbool.h>

#include "sweep/state.h"

// Fills s->arguments.
void app_sweep_keep_line(app_sweep *s, int argc, char **argv);
// Which part of how many this process is. false: complained.
bool app_sweep_find_part(app_sweep *s);
int app_sweep_commands(const app_sweep *s); // one line per part on standard output; exit code
int app_sweep_slurm(const app_sweep *s);    // a job script, submitted if requested; exit code

#endif
