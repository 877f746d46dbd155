// The options of `voussoir compare`.
#ifndef VS_APP_COMPARE_OPTIONS_H
#define VS_APP_COMPARE_OPTIONS_H

#include <stdbool.h>

#include "cli/options.h"
#include "voussoir/voussoir.h"

// Criterion for solved: both measures, the energy error alone, or the natural map of FCLIB alone.
typedef enum app_solved_by { APP_SOLVED_BOTH, APP_SOLVED_ENERGY, APP_SOLVED_NATURAL } app_solved_by;

typedef struct app_compare_options {
    bool peers, quiet, league;
    const char *solvers, *tolerances; // comma-separated; solvers null: all
    const char *out;                  // directory
    vs_model model;
    app_solved_by solved_by;
    double max_time;    // s, of one solve
    double max_memory;  // GiB of a process; 0: no limit
    int jobs;           // parallel processes
    int repeat;         // repetitions, of which the fastest counts
    int steps, capture; // of a scene; every capture-th is captured, 0: choose
    int histories;      // files
    int operands;       // of the line
} app_compare_options;

extern const app_group app_compare_groups[];
app_compare_options app_compare_options_default(void);

#endif
