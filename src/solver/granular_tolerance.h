// What a simulation needs of its solver where large granular islands have a tolerance of their own.
#ifndef VS_SOLVER_GRANULAR_TOLERANCE_H
#define VS_SOLVER_GRANULAR_TOLERANCE_H

#include "problem/island_map.h"
#include "voussoir/solver.h"

// Both tolerances of the following solves: vs_solver_set_tolerance(), and granular_tolerance.
vs_error vs_solver_set_tolerances(vs_solver *solver, double tolerance, double granular);
// The islands of its problem, which live as long as the solver.
const vs_island_map *vs_solver_islands(const vs_solver *solver);

#endif
