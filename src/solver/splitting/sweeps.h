// Sweeps over the groups of a problem in impulses: each is solved exactly for the others as they are.
#ifndef VS_SOLVER_SPLITTING_SWEEPS_H
#define VS_SOLVER_SPLITTING_SWEEPS_H

#include "solver/splitting/colouring.h"

// The law of group g by itself: x (rows of g), of velocity y, becomes the solution for y + A (new - old). A (3 x 3
// row-major; one row: its first entry) is the group's block of N + E, or one that stands for it. A block that moves
// nothing has no answer: x stays.
void vs_group_solve(const vs_dual *d, int g, const double *A, const double *y, double *x);
// x + omega (solution - x), on the group's set again if omega > 1.
void vs_group_relax(const vs_dual *d, int g, const double *A, double omega, const double *y, double *x);

// Each visits every group once, with the newest impulses of all others. l (rows) in place; v (n) carries them.
void vs_sweep_forward(const vs_dual *d, double omega, double *l, double *v);
void vs_sweep_backward(const vs_dual *d, double omega, double *l, double *v);
// Colour by colour, over threads; the same bits for any number of them.
void vs_sweep_coloured(const vs_dual *d, const vs_colouring *colouring, double omega, double *l, double *v);

#endif
