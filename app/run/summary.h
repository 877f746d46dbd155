// The summary of a finished run.
#ifndef VS_APP_RUN_SUMMARY_H
#define VS_APP_RUN_SUMMARY_H

#include <stdbool.h>
#include <stdint.h>

#include "run/effort.h"
#include "run/options.h"
#include "run/outcome.h"
#include "run/totals.h"
#include "voussoir/mpi/simulation.h"
#include "voussoir/voussoir.h"

typedef struct app_run_summary {
    const app_run_options *options;
    const vs_scene *scene; // null: could not be made
    const app_run_totals *totals;
    const app_effort *effort; // of the steps
    app_step_times times;     // of steps; 0 if there is none
    double duration;          // s, to simulate
    double time;              // s, reached
    double wall;              // s
    int bodies, joints;       //
    bool divided;             // among ranks, as
    vs_division_info division;
    app_run_outcome outcome;
    const vs_damage *damage;  // of joints, written; or null
    uint64_t hash;            // of the world
    int64_t frames, captured; // written
    bool recorded;            // the trajectory has all frames of the run
    bool checkpoint;          // written
    const char *status;       // "done", "stopped", "interrupted", "inaccurate", "error"
    const char *error;        // one line, null: none
    int exit_code;
} app_run_summary;

#endif
