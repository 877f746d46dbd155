// The options of `voussoir sweep`, some of which `voussoir find` shares.
#ifndef VS_APP_SWEEP_OPTIONS_H
#define VS_APP_SWEEP_OPTIONS_H

#include <stdbool.h>

#include "run/options.h"
#include "sweep/quantity.h"
#include "sweep/space.h"

typedef struct app_sweep_options {
    bool quiet, list, retry, collect, mpi, submit, trajectories;
    const char *command;       // "sweep", or another one that uses its runs
    const char *out;           // directory
    const char *table, *part;  // null: none
    const char *fragility;     // parameter that is the intensity; null: none
    const char *exceeds;       // "residual_m=0.05": what counts as failure; null: displaced or stopped
    int jobs;                  // 0: choose
    double limit;              // s per run; 0: none
    double memory;             // GiB per run; 0: no limit
    int slurm, commands;       // tasks; 0: not requested
    app_run_options run;       // of every run; run.setting: parameters that do not vary
    app_space space;           //
    app_quantities quantities; //
} app_sweep_options;

extern const app_group app_sweep_groups[];
extern const app_option app_execution_rows[]; // --jobs, --limit, …
app_sweep_options app_sweep_options_default(const char *command);
bool app_sweep_options_complete(app_sweep_options *options, const app_line *line); // false: complained
void app_sweep_options_release(app_sweep_options *options);

#endif
