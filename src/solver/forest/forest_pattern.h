// Which joints are the trees of a problem, and which rows are beside them: see forest.h.
#ifndef VS_SOLVER_FOREST_FOREST_PATTERN_H
#define VS_SOLVER_FOREST_FOREST_PATTERN_H

#include "solver/forest/forest_data.h"

// Fills a forest that is zero, with its run. *suits: does the problem have one?
vs_error vs_forest_pattern_make(vs_forest *forest, vs_arena *arena, bool *suitable);

#endif
