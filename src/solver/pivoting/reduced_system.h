// The linear system of an index set: the rows F that lie between their bounds,
//
//     (N + E + epsilon I)_FF dx_F = b_F,        dx = 0 elsewhere
//
// Small ones are factored dense here (Cholesky, else LU with row pivots), larger ones by a backend of linear_solver.h
// on the pattern of all rows, those outside F being rows of the identity: one analysis serves every index set.
#ifndef VS_SOLVER_PIVOTING_REDUCED_SYSTEM_H
#define VS_SOLVER_PIVOTING_REDUCED_SYSTEM_H

#include "linalg/linear_solver.h"
#include "solver/counts.h"
#include "solver/impulse/impulse_run.h"

// Position of a row: at its lower bound, between the bounds, at its upper bound.
enum { VS_AT_LOWER = -1, VS_BETWEEN = 0, VS_AT_UPPER = 1 };

// The least regularization. Far above the rounding of a factorization, 1e-16, and so small that a step of refinement
// gains many digits on all but the worst conditioned systems.
#define VS_REDUCED_EPSILON 1e-9

typedef struct vs_reduced {
    const vs_impulse_problem *problem;
    vs_delassus own;     // N where velocities are carried instead
    const vs_rows *N;    // (rows x rows) without E
    double epsilon;      // added to the diagonal, whose entries are about 1
    signed char *set;    // (rows) of the factor
    bool factored;       // there is one
    const char *backend; // its name
    const char *why;     // the reason of the choice, a sentence
    vs_counts counts;

    // dense
    int *list, *place; // (rows) the rows of F, and the position of a row among them, -1 if not
    int count;         // of F
    double *dense;     // (rows x rows) leading dimension count
    int *pivot;        // (rows)
    bool definite;     // dense contains the Cholesky factor, not LU
    double *b;         // (rows) work

    // sparse
    vs_linear_solver *solver; // null: dense
    int64_t *p;               // (rows + 1) pattern by columns
    int *i;                   // (p[rows])
    int64_t *from;            // (p[rows]) entry of N
    double *values;           // (p[rows])
} vs_reduced;

// linear_solver: the one that was asked for, or null. VS_ERROR_UNSUPPORTED (text set) if the backend that was asked for
// cannot do it.
vs_error vs_reduced_create(vs_reduced *s, const vs_impulse_problem *problem, const char *linear_solver,
                           vs_arena *arena);
void vs_reduced_release(vs_reduced *s);
void vs_reduced_update(vs_reduced *s);                     // new values of the problem
void vs_reduced_begin(vs_reduced *s);                      // forgets the last solve
void vs_reduced_regularize(vs_reduced *s, double epsilon); // from now on
// Expected time of a factorization for an index set and its solves before any was measured, s.
double vs_reduced_guess(const vs_reduced *s, const signed char *set);
// Factors for an index set unless it is factored already. A factorization that fails (an indefinite N) is repeated with
// a larger epsilon; VS_ERROR_NUMERICAL if nothing helps.
vs_error vs_reduced_factor(vs_reduced *s, const signed char *set);
// dx (rows) from b (rows); they may be the same.
vs_error vs_reduced_solve(vs_reduced *s, const double *b, double *dx);
// Row k of N + E, scattered into x (rows), zeros elsewhere.
void vs_reduced_row(const vs_reduced *s, int k, double *x);

#endif
