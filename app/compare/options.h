// The options of `voussoir compare` and its help text.
#ifndef VS_APP_COMPARE_OPTIONS_H
#define VS_APP_COMPARE_OPTIONS_H

#include <stdbool.h>
#include <stdio.h>

#include "voussoir/voussoir.h"

// What counts as solved: both measures below, the energy error alone, or FCLIB's natural map alone.
typedef enum app_judge { APP_JUDGE_BOTH, APP_JUDGE_ENERGY, APP_JUDGE_NATURAL } app_judge;

typedef struct app_compare_options {
    bool help, peers, quiet;
    const char *solvers, *tolerances; // comma-separated; null: all, the default ones
    const char *out;                  // directory
    vs_model model;
    app_judge judge;
    double max_time;    // s, of one solve
    double max_memory;  // GiB of a process; 0: no limit
    int jobs;           // processes at once
    int repeat;         // solves of which the fastest counts
    int steps, capture; // of a scene: to run; of which every capture-th is kept, 0: choose
    int histories;      // files
    int operands;       // argv[1 … operands]
} app_compare_options;

bool app_compare_options_read(int argc, char **argv, app_compare_options *options);
void app_compare_help(FILE *to);

#endif
