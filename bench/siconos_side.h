// Siconos' numerics library on a problem of voussoir: its solvers, and a solve by one of them.
#ifndef BENCH_SICONOS_SIDE_H
#define BENCH_SICONOS_SIDE_H

#include "bench.h"

// global: M v = q + H r, u = H'v + b. local: u = W r + q, read as such or condensed from a global problem.
typedef enum siconos_form { SICONOS_LOCAL, SICONOS_CONDENSED, SICONOS_GLOBAL } siconos_form;

// How W is stored. Columns also means W in triplets: a solver takes either.
typedef enum siconos_storage { SICONOS_BLOCKS, SICONOS_COLUMNS, SICONOS_DENSE } siconos_storage;

typedef struct siconos_method {
    const char *name;
    int solver;              // Siconos' number
    siconos_storage storage; // of W; M and H are always columns
    bool global;             // works on the global form, else on the local one
    bool tuned;              // not with Siconos' default options
    bool csparse;            // linear systems by CSparse instead of MUMPS
    int option, value;       // one integer option that differs from the default; option 0: none
} siconos_method;

// Index 0, 1, …; null beyond the last.
const siconos_method *siconos_method_get(int index);

typedef struct siconos_outcome {
    bool solved;           // as Siconos reports
    int iterations;        //
    double error;          // as Siconos reports
    bench_time condensing; // W = H'M^-1 H and its q; 0 unless condensed
    bench_time time;       // options and solve; not the problem, its storage, or condensing
} siconos_outcome;

// Does Siconos support this problem: friction contacts only, no joints, no compliance?
bool siconos_takes(const vs_problem *problem);

// A problem in Siconos' structures. Solvers modify it, so that each solve needs a new one.
typedef struct siconos_side siconos_side;

// Copies, and condenses if requested. Null if Siconos fails.
siconos_side *siconos_side_create(const vs_problem *problem, siconos_form form, siconos_storage storage);
void siconos_side_destroy(siconos_side *side);
// From r = 0. r (m).
void siconos_side_solve(siconos_side *side, const siconos_method *method, double tolerance, double *r,
                        siconos_outcome *outcome);

#endif
