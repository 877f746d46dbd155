// The linear systems of all stages, in an island's rows:
//
//     (P + Q N) d = rhs,    P and Q block diagonal
//
// with unsymmetric values on a symmetric pattern. A few rows are factored by a dense LU without calls; more by a linear
// solver, created when it is first needed, in one of two forms:
//
//     impulse     P + Q N itself
//     velocity    1 + J'P^-1 Q J,  N = J J' (H = 1 in scaled units), refined on the residual of the impulse form; its
//                 determinant times those of the blocks P is the determinant of P + Q N
#ifndef VS_SOLVER_COULOMB_LINEAR_SYSTEM_LINEAR_SYSTEM_H
#define VS_SOLVER_COULOMB_LINEAR_SYSTEM_LINEAR_SYSTEM_H

#include "solver/coulomb/linear_system/linear_system_data.h"

void vs_linear_system_init(vs_linear_system *system, const vs_linear_system_shared *shared,
                           const vs_impulse_problem *island);
void vs_linear_system_release(vs_linear_system *system);

// P, Q: blocks of the groups (vs_impulse_block()), row-major, kept by the caller until the next factorization.
// Q null: identity. VS_ERROR_NUMERICAL if singular.
vs_error vs_linear_system_factor(vs_linear_system *system, const double *P, const double *Q);
// rhs in, d out (rows).
vs_error vs_linear_system_solve(vs_linear_system *system, double *x);
// Operations of one factorization; analyses the matrix if nothing was factored before. 0: a small one, by dense LU.
vs_error vs_linear_system_count(vs_linear_system *system, double *flops);
// Time that so many iterations of a stage, with one factorization each, are expected to take, s.
double vs_linear_system_predict(const vs_linear_system *system, int iterations);

#endif
