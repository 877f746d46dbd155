// Groups of velocities for the ordering of a factorization.
#ifndef VS_SOLVER_KKT_VELOCITY_GROUPS_H
#define VS_SOLVER_KKT_VELOCITY_GROUPS_H

#include "solver/scale/scaled.h"

enum { VS_NEWTON_WIDEST = 12 }; // velocities of a group

// Groups of consecutive velocities that touch the same joints, cones and, by a general H, velocities (a body, a node):
// writes first unknowns to group (at most n + 1) and returns the number of groups.
vs_error vs_newton_group_velocities(const vs_scaled *problem, vs_arena *arena, int *group, int *groups);

#endif
