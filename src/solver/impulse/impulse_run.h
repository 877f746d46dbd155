// A method on the whole problem in impulses: the problem, and the course of the iteration. The method iterates on
// impulses; occasionally they are measured on the unscaled problem (run.h), which decides whether to continue.
#ifndef VS_SOLVER_IMPULSE_IMPULSE_RUN_H
#define VS_SOLVER_IMPULSE_IMPULSE_RUN_H

#include "solver/impulse/islands.h"
#include "solver/run.h"

typedef struct vs_impulse_run {
    vs_method_run *run; // not owned
    vs_islands whole;
    const vs_impulse_problem *problem; // the one island of it

    double *scaled_g, *scaled_lambda; // work
    int last_check;                   // iteration that was measured last
    int last_gain;                    // iteration when the error had decreased by a tenth
    double least;                     // error then
    int rate_from;                    // iteration since which the rate of a trial is measured
    double rate_error;                // error then
    double check_seconds;             // of one measurement
    double checked;                   // s of the time budget, at the end of the last iteration
} vs_impulse_run;

vs_error vs_impulse_run_create(vs_impulse_run *r, vs_method_run *run, vs_arena *arena);
vs_error vs_impulse_run_update(vs_impulse_run *r); // new values of the problem

// l (rows): the warm start if there is one (full), else rest; projected. Begins counting.
void vs_impulse_run_start(vs_impulse_run *r, double *l);
vs_error vs_impulse_run_measure(vs_impulse_run *r, const double *l); // vs_method_run_measure() of l (rows)
// Counts one iteration, with the impulses l (rows, in their sets). Measures it when it is time (always at limits):
// history, best iterate, progress. True: stop, the outcome is in run; also on *error.
bool vs_impulse_run_check(vs_impulse_run *r, const double *l, vs_error *error);
// The next iteration is measured in any case.
void vs_impulse_run_check_next(vs_impulse_run *r);

#endif
