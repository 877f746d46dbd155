// The space of vectors of rows: in the local form with rows of other processes that N couples to rows here.
#ifndef VS_SOLVER_SCALE_ROW_SPACE_H
#define VS_SOLVER_SCALE_ROW_SPACE_H

#include "solver/scale/scaled_data.h"

// Ghosts and row_space, once the cones are known.
vs_error vs_scaled_create_row_space(vs_scaled *s, const vs_problem *problem, vs_arena *arena);

#endif
