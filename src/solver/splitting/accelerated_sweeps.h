// Sweeps with acceleration between them, from a starting point to a tolerance of vs_impulse_error(). Any sweep
// (sweep.h) that is the same map every time, and so not a symmetric one, may be accelerated:
//
//     anderson_sweeps.c    Anderson acceleration: few contacts, hundreds of sweeps
//     nesterov_sweeps.c    accelerated (Nesterov) Gauss-Seidel: large islands, thousands of sweeps, cheaper than the
//                          factors of Newton's method
#ifndef VS_SOLVER_SPLITTING_ACCELERATED_SWEEPS_H
#define VS_SOLVER_SPLITTING_ACCELERATED_SWEEPS_H

#include "solver/impulse/anderson.h"
#include "solver/splitting/sweep.h"

enum {
    VS_SWEEP_DEPTH = 4,                                     // changes that Anderson acceleration remembers
    VS_SWEEP_WORK = 2 + VS_ANDERSON_VECTORS(VS_SWEEP_DEPTH) // vectors of work
};

typedef struct vs_sweep_outcome {
    int sweeps;
    double error; // vs_impulse_error() of l
    bool stalled; // stopped early because the tolerance was out of reach at the observed rate
} vs_sweep_outcome;

typedef struct vs_sweep_limits {
    bool both; // criterion of the error
    double tolerance;
    int sweeps; // at most; for Nesterov's: that are worth it if the error does not fall
    int most;   // at most, for Nesterov's
    // Called with the error whenever it is evaluated, and the sweeps since the last time; true stops. Or null
    bool (*stop)(void *user, double error, int sweeps);
    bool (*late)(void *user); // called after every sweep; true: one evaluation and no more sweeps. Or null
    void *user;
    bool brief; // of packed sweeps: end where those with full over-relaxation make no progress. Another method follows
} vs_sweep_limits;

// From l (rows) in place, to the least error met; y (rows) receives (N + E) l + r. work: VS_SWEEP_WORK vectors (rows).
// The error is evaluated only occasionally: it costs about as much as a sweep.
typedef void vs_accelerated_sweeps(vs_sweeper *sweeper, const vs_sweep_limits *limits, double *l, double *y,
                                   double *const *work, vs_sweep_outcome *outcome);

// Until the error is at most the tolerance, all sweeps are done, or they will not suffice at the observed rate.
vs_accelerated_sweeps vs_anderson_sweeps;
// All permitted sweeps are done even if the error stagnates, because it may decrease again; and up to four times as
// many (but no more than limits.most) while it decreases or is small.
vs_accelerated_sweeps vs_nesterov_sweeps;
// The same with the sweeper's packs of contacts.
vs_accelerated_sweeps vs_packed_sweeps;

#endif
