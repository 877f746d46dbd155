// Conjugate gradients in place of factors, as long as they are cheaper: velocity form, no joints, one rank.
#ifndef VS_SOLVER_KKT_NEWTON_CG_H
#define VS_SOLVER_KKT_NEWTON_CG_H

#include "solver/kkt/newton_data.h"

// Permits conjugate gradients where they are cheaper: velocity form, no joints, serial.
vs_error vs_newton_allow_cg(vs_newton *newton, vs_arena *arena);
// Shall the next systems be solved so? gap: of the iterate, relative.
void vs_newton_try_cg(vs_newton *newton, bool yes, double gap);
// A new system has been assembled. True: no factor is needed yet.
bool vs_newton_begin_cg(vs_newton *newton);
// The backend's triangular solves or, while they are cheaper than its factorizations, conjugate gradients; counted and
// timed.
vs_error vs_newton_backend_solve(vs_newton *newton, double *x);

#endif
