// The friction law of a group as an equation F(l, y) = 0, with its generalized derivative dF = A dl + B dy.
//
//     natural map      F = l - P_K(l - ybar),    ybar = y + (mu |y_T|, 0, 0)
//
//     Alart-Curnier    F_n = l_n - max(0, l_n - y_n)
//                      F_T = l_T - P(l_T - y_T)   on the disc of radius mu max(0, l_n - y_n)
//
// With rolling or spinning friction both have further discs, of radii mu_k l_n, and ybar_n has their slip, too.
//
// Both vanish exactly at the solutions (de Saxcé and Feng 1998; Alart and Curnier 1991). Nonnegative and box rows:
// F = l - P(l - y); free rows: F = y.
#ifndef VS_SOLVER_COULOMB_FRICTION_MAP_H
#define VS_SOLVER_COULOMB_FRICTION_MAP_H

#include "solver/impulse/impulse_problem.h"

typedef enum vs_friction_map { VS_FRICTION_MAP_NATURAL, VS_FRICTION_MAP_ALART_CURNIER } vs_friction_map;

// F (rows); A, B: blocks of the groups (vs_impulse_block()), both null: F alone. Returns |F|^2.
double vs_friction_map_evaluate(const vs_impulse_problem *island, vs_friction_map map, const double *l, const double *y,
                                double *F, double *A, double *B);

#endif
