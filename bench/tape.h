// A tape: every matrix that a solve passes to its linear solver, and the number of triangular solves after each.
//
// The recorder is a backend that forwards to the real one and records the calls. The interior point is created with it
// in place of the backend that the solver chose, so that the recorded work is that of the solver.
//
// While recording, a bare backend (bare.h) does the same work beside it, call by call: both sums of time have seen the
// same moments of the machine, and their ratio is steady even where other processes come and go.
#ifndef BENCH_TAPE_H
#define BENCH_TAPE_H

#include "bare.h"
#include "linalg/linear_solver.h"
#include "voussoir/solver.h"

typedef struct bench_tape {
    vs_linear_backend recorder;    // first: the recorder's functions find the tape through it
    const vs_linear_backend *real; // the backend the solver chose
    vs_context *context;           //
    vs_arena arena;                // of all below
    const char *form;              // "augmented", …
    vs_linear_pattern pattern;     // a copy
    int factorizations, room;      //
    double **values;               // (factorizations) of (nonzeros)
    int64_t *solves;               // (factorizations) triangular solves after each
    int iterations;                //
    bench_bare *bare;              // repeats the work of the real one
    bench_time engine;             // of the bare backend: analysis, factorizations, solves
    bench_time extra;              // of recording and the bare backend together
    bench_time solver;             // of the recorded solve without the extra
} bench_tape;

// Runs the solver that vs_solver_create() would make, recording. The tape must not move; release it in every case.
vs_error bench_tape_record(bench_tape *tape, const vs_problem *problem, const vs_solver_options *options,
                           vs_context *context);
void bench_tape_release(bench_tape *tape);
int64_t bench_tape_solves(const bench_tape *tape); // all of them

#endif
