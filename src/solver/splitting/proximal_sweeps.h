// The proximal point method around sweeps with momentum: from a centre c, sweep on
//
//     y = (N + E + alpha) l + r - alpha c
//
// until its error is a fraction of alpha |l - c|, take l as the next centre, and so on. Sweeps creep along soft modes of N,
// which alpha lifts: one centre after the other moves along them instead. alpha falls after centres that were reached and
// rises after others. No factorizations: for problems where they cost too much, or that lie on several processes.
#ifndef VS_SOLVER_SPLITTING_PROXIMAL_SWEEPS_H
#define VS_SOLVER_SPLITTING_PROXIMAL_SWEEPS_H

#include "solver/splitting/accelerated_sweeps.h"

typedef struct vs_proximal_sweeps {
    vs_sweeper plain;           // on the problem
    vs_impulse_problem problem; // with E + alpha, r - alpha c and A + alpha in place of E, r, A
    vs_split split;             // distributed: the same of this process for itself
    double *centre;             // (rows)
    double *proximal_y;         // (rows) work
    double alpha;
} vs_proximal_sweeps;

// For the problem of a sweeper whose compliance is beside N; both are borrowed.
vs_error vs_proximal_sweeps_create(vs_proximal_sweeps *p, const vs_sweeper *plain, vs_arena *arena);
// The same for a sweeper with packs of contacts, which must be loaded again before they are swept without alpha. work: as
// below.
void vs_proximal_sweeps_pack(vs_proximal_sweeps *p, const vs_sweeper *plain, double *const *work);
// As accelerated_sweeps.h has it: limits.sweeps in all, or until the error has not halved for long.
void vs_proximal_sweeps_solve(vs_proximal_sweeps *p, const vs_sweep_limits *limits, double *l, double *y,
                              double *const *work, vs_sweep_outcome *outcome);

#endif
