// Elimination of the trees, and sweeps through them: see forest.h.
#ifndef VS_SOLVER_FOREST_FOREST_FACTOR_H
#define VS_SOLVER_FOREST_FOREST_FACTOR_H

#include "solver/forest/forest_data.h"

// Articulated inertias. False: a joint contradicts itself, or a body has no inertia.
bool vs_forest_factor(vs_forest *forest);
// Loads of the rows' paths, and A.
void vs_forest_reduce(vs_forest *s);
// Up the trees with f = 0 and the right-hand side b (m_e) of the joints.
void vs_forest_lift(vs_forest *s, const double *b);
// The velocity of a row after vs_forest_lift().
double vs_forest_row_velocity(const vs_forest *s, const vs_forest_row *of);
// Up and down, with the changes of the rows' impulses as loads: g of the trees' joints, in addition to what it is.
void vs_forest_drop(vs_forest *s, const double *b, double *g);

#endif
