// The law of one group by itself: the set of its impulses, its natural map, its solution when all other groups are
// fixed. A new law of contact is written here, and in coulomb/friction_map.c for Newton's method.
#ifndef VS_SOLVER_IMPULSE_GROUP_LAW_H
#define VS_SOLVER_IMPULSE_GROUP_LAW_H

#include "solver/impulse/impulse_problem.h"

vs_law vs_law_of(const vs_scaled *problem, int group); // of a group of stacked rows

// The nearest point of the group's set, in place: x (rows of g).
void vs_law_project(const vs_impulse_problem *p, int g, double *x);
// |l - P(l - s ybar)|^2; l, ybar (rows of g)
double vs_law_natural_squared(const vs_impulse_problem *p, int g, const double *l, const double *ybar, double s);
// x (rows of g), of velocity y, becomes the solution for y + A (new - old). A (row-major, leading dimension p->ld) is
// the group's block of N + E, or a substitute. A zero block has no solution: x stays.
void vs_law_solve(const vs_impulse_problem *p, int g, const double *A, const double *y, double *x);
// x + omega (solution - x), projected onto the group's set if omega > 1.
void vs_law_relax(const vs_impulse_problem *p, int g, const double *A, double omega, const double *y, double *x);

// All groups: l (rows) projected onto their sets, in place; y (rows) <- ybar if friction is exact.
void vs_impulse_project(const vs_impulse_problem *p, double *l);
void vs_impulse_exact(const vs_impulse_problem *p, double *y);

#endif
