// Steps along the central path: their composition and their length.
#ifndef VS_SOLVER_COULOMB_CENTRAL_PATH_STEP_H
#define VS_SOLVER_COULOMB_CENTRAL_PATH_STEP_H

#include "solver/coulomb/path/central_path_data.h"

// The whole step in the sense -1 (t falls) or 1, into path->corrector.
vs_error vs_path_find_step(vs_central_path *path, const vs_progress *progress, const vs_central_path_settings *settings,
                           double sense);
// Largest fraction of d that stays inside the cones, at most 1.
double vs_path_largest_step(const vs_central_path *path, const vs_impulse_problem *island, const vs_path_direction *d);
// Moves `now` by step d; false if it leaves the neighbourhood.
bool vs_path_move(vs_central_path *path, const vs_impulse_problem *island, const vs_central_path_settings *settings,
                  const vs_path_direction *d, double step);
// Shortens the step from `kept` until it stays in the neighbourhood; returns the fraction taken, 0 if too small.
double vs_path_advance(vs_central_path *path, const vs_impulse_problem *island,
                       const vs_central_path_settings *settings, const vs_path_direction *d);

#endif
