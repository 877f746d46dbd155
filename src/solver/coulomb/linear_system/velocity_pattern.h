// The pattern of the velocity form, 1 + J'M J, in the island's velocities.
#ifndef VS_SOLVER_COULOMB_LINEAR_SYSTEM_VELOCITY_PATTERN_H
#define VS_SOLVER_COULOMB_LINEAR_SYSTEM_VELOCITY_PATTERN_H

#include "solver/coulomb/linear_system/linear_system_data.h"

// Where entry (row, col) of a pattern p, i is.
int64_t vs_velocity_place(const int64_t *p, const int *i, int row, int col);
// Pattern, and places of the groups' products, in the system's arena.
vs_error vs_velocity_pattern(vs_linear_system *system);

#endif
