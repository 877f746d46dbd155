// The options of `voussoir solve`.
#ifndef VS_APP_SOLVE_OPTIONS_H
#define VS_APP_SOLVE_OPTIONS_H

#include <stdbool.h>

#include "cli/options.h"
#include "voussoir/solver.h"

typedef struct app_solve_options {
    bool history, explain, json;
    const char *output, *initial; // null: none
    int threads;                  //
    int linear_solver;            // a choice of its row
    vs_solver_options solver;     // without the progress callback
    int files;                    // operands
} app_solve_options;

extern const app_group app_solve_groups[];
app_solve_options app_solve_options_default(void);
bool app_solve_options_complete(app_solve_options *options, const app_line *line); // false: complained
const char *app_criterion_name(vs_criterion criterion);                            // "both", …

#endif
