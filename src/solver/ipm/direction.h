// Residuals and directions of the interior point: see direction.c.
#ifndef VS_SOLVER_IPM_DIRECTION_H
#define VS_SOLVER_IPM_DIRECTION_H

#include "solver/ipm/ipm_data.h"

// Solves for the direction of the complementarity r_z (lifted) and of the iterate's residuals:
// fills dg, dlt, dyt.
vs_error vs_ipm_direction(vs_ipm *ipm, const double *r_z, vs_iteration *line);
// Largest common step <= 1 that keeps all pairs in their cones.
double vs_ipm_step(const vs_ipm *ipm);
// Unscales the impulses, measures them, computes r_d, r_e, r_c and the gap.
vs_error vs_ipm_residuals(vs_ipm *ipm);
// The same for the impulses in x and g alone, with v computed from them and y = 0.
vs_error vs_ipm_residuals_of_impulses(vs_ipm *ipm);
// v from the impulses, at the end of a start.
vs_error vs_ipm_settle(vs_ipm *ipm);

#endif
