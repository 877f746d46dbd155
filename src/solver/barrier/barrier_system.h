// The linear system of the log barrier (Fang 2014), in three forms:
//
//     [ N + M   B' ] [ dl ]     [ r_d ]
//     [ B       C  ] [ dp ] = - [ r_g ]       C = diag(c / p) < 0
//
//     augmented   as it stands, N formed
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

#include "linalg/fgmres.h"
#include "linalg/linear_solver.h"
#include "solver/counts.h"
#include "solver/barrier/barrier_constraints.h"

typedef enum vs_barrier_way {
    VS_BARRIER_AUGMENTED,
    VS_BARRIER_IMPULSE,
    VS_BARRIER_PCG_DIAGONAL,
    VS_BARRIER_PCG_BLOCK
} vs_barrier_way;

typedef struct vs_barrier_system {
    vs_context *context;
    const vs_impulse_problem *problem; // not owned
    const vs_barrier_limits *limits;
    vs_barrier_way way;
    const char *name;   // of the linear solver
    const char *choice; // one sentence
    double tolerance;   // relative residual of every solve
    double *G;          // (9 groups) M - B'C^-1 B
    double *work[4];    // (rows)
    double *wide;       // (constraints) work
    vs_counts counts;   // of conjugate gradients: the preconditioner's
    // the point of the last factorization, borrowed
    const double *l, *c, *p;

    // conjugate gradients
    double *P; // (9 groups) Cholesky factors of the preconditioner's blocks, lower, row-major

    // direct
    vs_delassus delassus; // N where velocities are carried instead
    const vs_rows *N;     // without compliance
    vs_linear_solver *solver;
    vs_linear_pattern pattern;
    double *x;             // values of the pattern
    double delta;          // added in the last factorization
    int64_t *at_N;         // (N's values) position of each in x; -1: none
    int64_t *at_B, *at_Bt; // (3 constraints) below and, unsymmetric, above the diagonal
    int64_t *at_C;         // (constraints)
    double *T, *S;         // (rows), (constraints) dl = T u, dp = S w
    int unknowns;          // rows + constraints: of GMRES
    double *right, *step;  // (unknowns)
    double *unknown;       // (3 unknowns) in the pattern's order; work
    vs_fgmres fgmres;
} vs_barrier_system;

// Chooses form and backend from options.form and options.linear_solver. VS_ERROR_UNSUPPORTED (text set) if there
// is none.
vs_error vs_barrier_system_create(vs_barrier_system *s, const vs_impulse_run *impulses, const vs_barrier_limits *limits,
                                  vs_arena *arena);
void vs_barrier_system_release(vs_barrier_system *s);
// New values of the problem; after that of the dual.
void vs_barrier_system_update(vs_barrier_system *s);

// The matrices at l strictly inside, c = c(l), p > 0; the arrays are used until the next call.
vs_error vs_barrier_system_factor(vs_barrier_system *s, const double *l, const double *c, const double *p);
// dl (rows), dp (constraints) for r_d (rows), r_g (constraints).
vs_error vs_barrier_system_solve(vs_barrier_system *s, const double *r_d, const double *r_g, double *dl, double *dp);
// The same by conjugate gradients (barrier_pcg.c).
void vs_barrier_pcg_factor(vs_barrier_system *s);
void vs_barrier_pcg_solve(vs_barrier_system *s, const double *r_d, const double *r_g, double *dl, double *dp);
// Backward error of the last factor, into solver->report. Costs one triangular solve, not counted.
vs_error vs_barrier_system_check(vs_barrier_system *s);

#endif
