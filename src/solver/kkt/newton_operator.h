// The unreduced Newton system as an operator, and the weight of a contact in it.
#ifndef VS_SOLVER_KKT_NEWTON_OPERATOR_H
#define VS_SOLVER_KKT_NEWTON_OPERATOR_H

#include "solver/kkt/newton_data.h"

// y = [H C' D'T; C -E_e 0; TD 0 -M] x, the operator of the reductions that keep dv.
void vs_newton_apply_saddle(void *user, const double *x, double *y);
// out = T x, out = T'x of the contact rows (m); out may be x.
void vs_newton_scale_rows(const vs_newton *newton, const double *x, double *out);
void vs_newton_scale_rows_t(const vs_newton *newton, const double *x, double *out);
// weight = T (M + delta)^-1 T of a cone, velocity form; 3 x 3, of a one-row cone entry 0.
void vs_newton_weight(const vs_newton *newton, int k, double *weight);

#endif
