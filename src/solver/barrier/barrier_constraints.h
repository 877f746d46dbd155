// The constraints of the log barrier, c(l) <= 0, on the impulses of impulse_problem.h (Fang 2014):
//
//     friction       c = (l_u^2 + l_w^2 - mu^2 l_n^2) / 2   and   c = -l_n
//     frictionless   c = -l
//     box            c = lo - l   and   c = l - hi
//     joint row      none
//
// With multipliers p > 0 (Fang's lambda), B = grad c, C = diag(c / p) and M = sum p_i hess c_i: the matrix that the
// barrier adds to N is G = M - B'C^-1 B, one block per group. M is indefinite, hess c = diag(-mu^2, 1, 1), and c is not
// a convex function, but the cone is a convex set: with a = mu l_n, b = |l_T|, d = l_T / b the friction part of G has,
// in the coordinates (mu l_n, l_T), the eigenvalues
//
//     p (a + b) / (a - b)   on (-1, d),      p (a - b) / (a + b)   on (1, d),      p   on (0, d_perp)
//
// and is positive definite inside. It is computed from these, and c as the product (b - a)(b + a) / 2: no difference of
// large squares. Cancellation in a - b itself remains: there are no slacks.
#ifndef VS_SOLVER_BARRIER_BARRIER_CONSTRAINTS_H
#define VS_SOLVER_BARRIER_BARRIER_CONSTRAINTS_H

#include "solver/impulse/impulse_run.h"

typedef struct vs_barrier_limits {
    const vs_impulse_problem *problem; // not owned
    int count;                         // constraints
    int *first;                        // (groups + 1) of each group: 0, 1 or 2
} vs_barrier_limits;

vs_error vs_barrier_limits_create(vs_barrier_limits *limits, const vs_impulse_problem *problem, vs_arena *arena);

// c (count) at l (rows); true if l is strictly inside.
bool vs_barrier_values(const vs_barrier_limits *limits, const double *l, double *c);
// out (rows) += B(l)' weight, weight (count)
void vs_barrier_gradient_add(const vs_barrier_limits *limits, const double *l, const double *weight, double *out);
// out (count) = B(l) dl
void vs_barrier_slopes(const vs_barrier_limits *limits, const double *l, const double *dl, double *out);
// B of group g: constraints x rows, row-major with 3 columns.
void vs_barrier_jacobian(const vs_barrier_limits *limits, int g, const double *l, double B[6]);
// M of group g: its diagonal.
void vs_barrier_hessian(const vs_barrier_limits *limits, int g, const double *p, double M[3]);
// G of group g, 3 x 3 row-major; of one row the first entry. c is that of l.
void vs_barrier_block(const vs_barrier_limits *limits, int g, const double *l, const double *c, const double *p,
                      double G[9]);
// The largest step <= cap for which l + step dl is not outside; c is that of l.
double vs_barrier_step(const vs_barrier_limits *limits, const double *l, const double *dl, const double *c, double cap);
// Moves l strictly inside: normal impulses at least `least`, tangential ones at most the share (< 1) that friction
// allows, boxes at least `least` or a quarter of their width from both bounds.
void vs_barrier_push(const vs_barrier_limits *limits, double least, double share, double *l);

#endif
