// Which groups of stacked rows N couples, without N.
#ifndef VS_SOLVER_IMPULSE_ISLAND_PARTS_H
#define VS_SOLVER_IMPULSE_ISLAND_PARTS_H

#include "solver/scale/scaled.h"

// part (groups): number of each group's island, in the order of their first groups; count: of them. Serial.
vs_error vs_island_parts_find(const vs_scaled *problem, int *part, int *count);

#endif
