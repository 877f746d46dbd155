// The impulse form of a linear system: P + Q N itself, on the pattern of N.
#ifndef VS_SOLVER_COULOMB_LINEAR_SYSTEM_IMPULSE_FORM_H
#define VS_SOLVER_COULOMB_LINEAR_SYSTEM_IMPULSE_FORM_H

#include "solver/coulomb/linear_system/linear_system_data.h"

extern const vs_linear_system_form vs_linear_system_impulse;

#endif
