// Shared by the reductions.
#ifndef VS_SOLVER_KKT_REDUCTION_H
#define VS_SOLVER_KKT_REDUCTION_H

#include "solver/kkt/newton.h"

// The backend's triangular solves or, while they are cheaper than its factorizations, conjugate gradients; counted and
// timed.
vs_error vs_newton_backend_solve(vs_newton *newton, double *x);
// A new system has been assembled. True: no factor is needed yet.
bool vs_newton_begin_cg(vs_newton *newton);
// weight = T (M + delta)^-1 T of a cone, velocity form; 3 x 3, of a one-row cone entry 0.
void vs_newton_weight(const vs_newton *newton, int k, double *weight);
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
void vs_newton_release_thin(vs_newton *newton);
// Factors the assembled matrix; increases delta while that fails.
vs_error vs_newton_factor_assembled(vs_newton *newton);

// out = T x of the contact rows (m); out may be x.
void vs_newton_scale_rows(const vs_newton *newton, const double *x, double *out);

// y = [H C' D'T; C -E_e 0; TD 0 -M] x, the operator of the reductions that keep dv.
void vs_newton_apply_saddle(void *user, const double *x, double *y);

// Groups of consecutive velocities that touch the same joints, cones and, by a general H, velocities (a body, a node),
// for the ordering:
// writes first unknowns to group (at most n + 1) and returns the number of groups.
enum { VS_NEWTON_WIDEST = 12 }; // velocities of a group
vs_error vs_newton_group_velocities(const vs_scaled *problem, vs_arena *arena, int *group, int *groups);

#endif
