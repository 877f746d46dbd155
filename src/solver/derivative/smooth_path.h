// The point of the central path with a given gap (smooth_law.h), by a primal-dual interior point method whose Newton matrix
// is that of the modes, so that the last one is the derivative's.
#ifndef VS_SOLVER_DERIVATIVE_SMOOTH_PATH_H
#define VS_SOLVER_DERIVATIVE_SMOOTH_PATH_H

#include "solver/derivative/derivative_data.h"

// d->g, d->lambda, d->modes of the point with gap, J; d->iterations. VS_ERROR_NUMERICAL: the path ended before.
vs_error vs_smooth_path_find(vs_derivative *d, double gap);

#endif
