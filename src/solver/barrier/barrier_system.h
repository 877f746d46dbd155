// The linear system of the log barrier (Fang 2014), in three forms:
//
//     [ N + M   B' ] [ dl ]     [ r_d ]
//     [ B       C  ] [ dp ] = - [ r_g ]       C = diag(c / p) < 0
//
//     augmented   unchanged, N formed
//     impulse     (N + M - B'C^-1 B) dl = B'C^-1 r_g - r_d, N formed; dp = -C^-1 (r_g + B dl)
//     pcg         the same by preconditioned conjugate gradients, N not formed
//
// Fang's preconditioners: "pcg-diagonal" diag(N) + M - B'C^-1 B, and "pcg-block" M - B'C^-1 B alone (joint rows,
// which have no barrier: diag(N)). N includes the compliance.
//
// The direct forms scale the unknowns so that entries are bounded by about one, add delta to the factored matrix and
// restore the accuracy by flexible GMRES on the unreduced system, as the interior point does (newton.h). M makes the
// leading block of the augmented matrix indefinite, so that it is factored with pivoting if the backend can.
#ifndef VS_SOLVER_BARRIER_BARRIER_SYSTEM_H
#define VS_SOLVER_BARRIER_BARRIER_SYSTEM_H

#include "solver/barrier/barrier_system_data.h"

// Chooses form and backend from options.form and options.linear_solver. VS_ERROR_UNSUPPORTED (text set) if there
// is none.
vs_error vs_barrier_system_create(vs_barrier_system *s, const vs_impulse_run *impulses, const vs_barrier_limits *limits,
                                  vs_arena *arena);
void vs_barrier_system_release(vs_barrier_system *s);
// New values of the problem; after that of the problem in impulses.
void vs_barrier_system_update(vs_barrier_system *s);

// The matrices at l strictly inside, c = c(l), p > 0; the arrays are used until the next call.
vs_error vs_barrier_system_factor(vs_barrier_system *s, const double *l, const double *c, const double *p);
// dl (rows), dp (constraints) for r_d (rows), r_g (constraints).
vs_error vs_barrier_system_solve(vs_barrier_system *s, const double *r_d, const double *r_g, double *dl, double *dp);
// Backward error of the last factor, into solver->report. Costs one triangular solve, not counted.
vs_error vs_barrier_system_check(vs_barrier_system *s);

#endif
