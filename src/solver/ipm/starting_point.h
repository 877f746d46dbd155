// Starting points of the interior point: see starting_point.c.
#ifndef VS_SOLVER_IPM_STARTING_POINT_H
#define VS_SOLVER_IPM_STARTING_POINT_H

#include "solver/ipm/ipm_data.h"

// Cold or warm starting point: sets pairs and g.
vs_error vs_ipm_start(vs_ipm *ipm);

#endif
