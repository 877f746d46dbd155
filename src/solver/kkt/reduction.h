// The three reductions of the Newton system: which unknowns are eliminated before factoring.
#ifndef VS_SOLVER_KKT_REDUCTION_H
#define VS_SOLVER_KKT_REDUCTION_H

#include "solver/kkt/newton_data.h"

extern const vs_reduction vs_reduction_augmented, vs_reduction_velocity, vs_reduction_impulse;

#endif
