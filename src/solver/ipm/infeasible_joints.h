// Inconsistent joints: one reason why a problem has no solution.
#ifndef VS_SOLVER_IPM_INFEASIBLE_JOINTS_H
#define VS_SOLVER_IPM_INFEASIBLE_JOINTS_H

#include "solver/ipm/ipm_data.h"

// True, with the status set, if the tolerance was not met and the joints are inconsistent.
bool vs_ipm_blame_joints(vs_ipm *ipm);

#endif
