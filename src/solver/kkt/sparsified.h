// The choice of the matrix that is factored: the velocity form's or a sparser one, whichever is cheaper.
#ifndef VS_SOLVER_KKT_SPARSIFIED_H
#define VS_SOLVER_KKT_SPARSIFIED_H

#include "solver/kkt/sparsified_matrix.h"

// Permits a sparsified matrix, for the same systems.
vs_error vs_newton_allow_sparsified(vs_newton *newton, vs_arena *arena);
void vs_newton_release_sparsified(vs_newton *newton);
// A new solve begins: its choices do not depend on earlier ones.
void vs_newton_begin(vs_newton *newton);
// Finds the heavy directions of the assembled cones and the cost of factoring a matrix of these, ns.
void vs_newton_weigh(vs_newton *newton);
double vs_newton_factor_cost(const vs_newton *newton);
// Chooses the cheapest matrix for the backend; factors it; solves with it, x (n of the reduction's pattern).
vs_error vs_newton_choose_matrix(vs_newton *newton);
vs_error vs_newton_factor_matrix(vs_newton *newton);
vs_error vs_newton_solve_matrix(vs_newton *newton, double *x);
// u <- (M + delta)^-1 T w - u of cone k, w its rows of D x; for a cone with rows in the matrix, from the last solution.
void vs_newton_eliminated(const vs_newton *newton, int k, const double *w, double *u);
vs_error vs_newton_check_matrix(vs_newton *newton);

#endif
