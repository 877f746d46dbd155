// The islands of a distributed problem that sweeps do not solve, on one process: process 0 solves them by the serial cascade
// with all of its stages, from the best impulses so far, while the others wait. For islands that it has room and time for.
#ifndef VS_SOLVER_COULOMB_GATHERED_ISLANDS_H
#define VS_SOLVER_COULOMB_GATHERED_ISLANDS_H

#include "solver/counts.h"
#include "solver/run.h"

enum { VS_GATHERED_MOST = 20000 }; // contacts and joints of all islands that are gathered

typedef struct vs_gathered_outcome {
    double islands;   // that were gathered; 0: there are too many contacts
    vs_counts counts; // of their solve
    int iterations;   // the same
    double seconds;   //
    vs_status status; // of it
} vs_gathered_outcome;

// The islands whose relative error is larger than a share of their tolerance, all of them if there is none: replaces their impulses in
// run->g, run->lambda, which must be those measured last, and measures again. Collective.
vs_error vs_gathered_islands_solve(vs_method_run *run, double share, vs_gathered_outcome *outcome);

#endif
