// The velocity form of a linear system, for H in blocks (H = 1 in scaled units):
//
//     P d + Q J w = rhs,  w = J'd    =>    (1 + J'M J) w = J'P^-1 rhs,    d = P^-1 rhs - M J w,    M = P^-1 Q
//
// P of a sticking contact is as small as the proximal term, so w is a penalty solution; the loss is restored by
// refinement with the residual of P + Q N. Rows without a P (joints on the central path) get a small one in the factor.
#ifndef VS_SOLVER_COULOMB_LINEAR_SYSTEM_VELOCITY_FORM_H
#define VS_SOLVER_COULOMB_LINEAR_SYSTEM_VELOCITY_FORM_H

#include "solver/coulomb/linear_system/linear_system_data.h"

extern const vs_linear_system_form vs_linear_system_velocity;

#endif
