// Directions at a point of the central path: tangent, corrector and second-order correction.
#ifndef VS_SOLVER_COULOMB_CENTRAL_PATH_DIRECTION_H
#define VS_SOLVER_COULOMB_CENTRAL_PATH_DIRECTION_H

#include "solver/coulomb/path/central_path_data.h"

// The Newton matrix at `now`, for all directions below. VS_ERROR_NUMERICAL if singular.
vs_error vs_path_factor(vs_central_path *path, const vs_progress *progress);
vs_error vs_path_tangent(vs_central_path *path, const vs_progress *progress, double kappa);
// The Newton step to the path at the present t.
vs_error vs_path_corrector(vs_central_path *path, const vs_progress *progress, double kappa);
// The correction of the second-order terms that a step d leaves in the pairs.
vs_error vs_path_second_order(vs_central_path *path, const vs_progress *progress, const vs_path_direction *d);

#endif
