// Fill-reducing orderings of a symmetric pattern.
#ifndef VS_LINALG_ORDERING_H
#define VS_LINALG_ORDERING_H

#include "linalg/linear_solver.h"

// permutation (n): position -> unknown. Works on the graph of the groups (weights: unknowns in a group) when the
// pattern has groups. METIS nested dissection when built with METIS and n is large, else minimum degree. Deterministic.
vs_error vs_ordering(vs_context *context, const vs_linear_pattern *pattern, int *permutation);

#endif
