// The rows beside the trees, with bounds: see forest.h.
#ifndef VS_SOLVER_FOREST_FOREST_BOUNDS_H
#define VS_SOLVER_FOREST_FOREST_BOUNDS_H

#include "solver/forest/forest_data.h"

// x within its bounds with w = A x + q complementary to them, from the sets on. Returns the number of exchanges; -1: it failed.
int vs_forest_exchange(vs_forest *s);

#endif
