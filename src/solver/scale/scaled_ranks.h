// Rows of other ranks that the local form's N couples to rows here.
#ifndef VS_SOLVER_SCALE_SCALED_RANKS_H
#define VS_SOLVER_SCALE_SCALED_RANKS_H

#include "solver/scale/scaled_data.h"

// Ghosts and row_ranks, once the cones are known.
vs_error vs_scaled_create_ranks(vs_scaled *s, const vs_problem *problem, vs_arena *arena);

#endif
