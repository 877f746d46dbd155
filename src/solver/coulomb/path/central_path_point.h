// Points of the central path: the start, residuals and centrality.
#ifndef VS_SOLVER_COULOMB_CENTRAL_PATH_POINT_H
#define VS_SOLVER_COULOMB_CENTRAL_PATH_POINT_H

#include "solver/coulomb/path/central_path_data.h"

// At t = 1 of an island, with kappa.
void vs_path_start(vs_central_path *path, const vs_impulse_problem *island, double kappa);
// Impulses, velocities and rp of `now`.
void vs_path_evaluate(vs_central_path *path, const vs_impulse_problem *island);
// Least and largest product of a pair relative to its target.
void vs_path_centrality(const vs_central_path *path, const vs_impulse_problem *island, double kappa, double *least,
                        double *most);

#endif
