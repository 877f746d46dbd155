// Shared by the gradient methods (apgd.c, spg.c). They minimize
//
//     f(l) = 1/2 l'(N + E) l + r'l,   grad f = y = (N + E) l + r,   l in its sets
//
// An unsymmetric N has no f, but l = P(l - t y) still holds exactly at the solutions. As long as the skew part is
// small (frames and masses rounded when the matrix was written) the iterations use y as if it were a gradient; their
// results are measured as usual. Beyond that they are refused: descent would be meaningless.
#ifndef VS_SOLVER_FIRST_ORDER_GRADIENT_H
#define VS_SOLVER_FIRST_ORDER_GRADIENT_H

#include "solver/impulse/impulse_run.h"

// The dual of a method that needs a gradient. VS_ERROR_UNSUPPORTED (text set) if there is none.
vs_error vs_gradient_create(vs_impulse_run *impulses, const char *method, vs_method_run *run, vs_arena *arena);
double vs_gradient_dot(const vs_impulse_problem *problem, const double *a, const double *b); // over all rows
// An upper bound of the largest eigenvalue of N + E: |J|_1 |J|_inf, or the largest row sum of |N|, plus the largest E.
double vs_gradient_bound(const vs_impulse_problem *problem);

#endif
