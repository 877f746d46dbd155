// The direction of an iteration of the interior point: predictor and correctors, all with one factorization.
#ifndef VS_SOLVER_IPM_CORRECTORS_H
#define VS_SOLVER_IPM_CORRECTORS_H

#include "solver/ipm/ipm_data.h"

enum { VS_IPM_CORRECTORS = 4 }; // beyond Mehrotra's, unless options set it

// The direction, and its step to the boundary, at most 1.
vs_error vs_ipm_find_direction(vs_ipm *ipm, vs_iteration *line, double *step);

#endif
