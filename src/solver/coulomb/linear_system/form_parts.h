// Parts that the forms of a linear system share: products with its blocks, and the solve of the backend.
#ifndef VS_SOLVER_COULOMB_LINEAR_SYSTEM_FORM_PARTS_H
#define VS_SOLVER_COULOMB_LINEAR_SYSTEM_FORM_PARTS_H

#include "solver/coulomb/linear_system/linear_system_data.h"

// Row i of Q x for `count` columns; x has the group's rows with leading dimension width, Q ld. Q null: identity.
void vs_linear_system_multiply_row(const double *x, int64_t width, int rows, const double *Q, int ld, int i,
                                   int64_t count, double *out);
// Entry of P + epsilon Q of group g; no compliance on joints.
double vs_linear_system_diagonal_entry(const vs_impulse_problem *island, int g, const double *P, const double *Q, int i,
                                       int j);
// One solve of the backend, counted.
vs_error vs_linear_system_backend_solve(vs_linear_system *system, double *x);

#endif
