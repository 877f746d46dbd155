// The outcome of a solve: the result, or the reason why there is none.
#ifndef VS_APP_SOLVE_OUTCOME_H
#define VS_APP_SOLVE_OUTCOME_H

#include <stdbool.h>

#include "solve/options.h"
#include "voussoir/mpi/distributed.h"
#include "voussoir/problem.h"

typedef struct app_solve_outcome {
    const char *path;
    vs_problem_info info;
    const app_solve_options *options;
    const vs_result *result;   // null: failed, see error
    bool met;                  // the tolerance is met by the measures
    bool warm;                 // a warm start was used
    const char *output;        // file written, null: none
    const vs_traffic *traffic; // null: serial
    double read_seconds;       // s, reading and validating the file
    const char *error;         // one line, null: none
    int exit_code;
} app_solve_outcome;

// The model of the returned impulses: the requested one, unless a fallback was used.
vs_model app_solve_model(const app_solve_outcome *s);

#endif
