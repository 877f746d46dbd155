// Runs of a sweep are executed, each in its own process; every result is in the journal before the next run begins.
#ifndef VS_APP_SWEEP_EXECUTE_H
#define VS_APP_SWEEP_EXECUTE_H

#include <stdbool.h>
#include <stdint.h>

#include "sweep/state.h"

typedef struct app_execution {
    app_sweep *sweep;
    const int64_t *todo; // (tasks) runs that are being executed
    int tasks;
    int64_t done, failed;     // so far
    double start, last;       // wall time, s: of the first run, of the last progress
    char log[APP_SWEEP_PATH]; // the file of the messages of runs
    bool terminal, quiet, shown, broken;
    char title[48]; // of the progress
} app_execution;

// Finds the scene of s->options and what identifies it. false: complained.
bool app_sweep_find_scene(app_sweep *s);
app_execution app_execution_begin(app_sweep *s);
// Tries the scene without stepping it, with the values of this run: a mistake is reported once, not once per run.
int app_execution_try(const app_sweep *s, int64_t run); // exit code
// Executes these runs; the journal is open. Returns 0, 2 if results cannot be stored, or 130.
int app_execution_run(app_execution *r, const int64_t *todo, int tasks);
int app_sweep_jobs(const app_sweep *s); // processes at the same time

#endif
