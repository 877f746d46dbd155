// The data of a barrier system, direct or by conjugate gradients: see barrier_system.h.
#ifndef VS_SOLVER_BARRIER_BARRIER_SYSTEM_DATA_H
#define VS_SOLVER_BARRIER_BARRIER_SYSTEM_DATA_H

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

#endif
