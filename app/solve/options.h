// The options of `voussoir solve` and its help text.
#ifndef VS_APP_SOLVE_OPTIONS_H
#define VS_APP_SOLVE_OPTIONS_H

#include <stdbool.h>
#include <stdio.h>

#include "voussoir/solver.h"

typedef struct app_solve_options {
    bool help, history, explain, json;
    const char *output, *warm; // null: none
    int threads;               //
    vs_solver_options solver;  // without the progress callback
    int files;                 // argv[1 … files]
} app_solve_options;

bool app_solve_options_read(int argc, char **argv, app_solve_options *options);
const char *app_criterion_name(vs_criterion criterion); // "both", …
void app_solve_help(FILE *to);

#endif
