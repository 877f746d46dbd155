// The friction law as an equation F(l, y) = 0 a group, with its generalized derivative dF = A dl + B dy.
//
//     natural map       F = l - P_K(l - ybar),  ybar = y + (mu |y_T|, 0, 0)
//     Alart-Curnier     F_n = l_n - max(0, l_n - y_n),  F_T = l_T - P(l_T - y_T on the disc of radius mu max(0, l_n -
//     y_n))
//
// Both vanish exactly at the solutions. Half lines, boxes and free rows: l - P(l - y), y.
#ifndef VS_SOLVER_COULOMB_LAW_H
#define VS_SOLVER_COULOMB_LAW_H

#include "solver/impulse/island.h"

typedef enum vs_map { VS_MAP_NATURAL, VS_MAP_ALART_CURNIER } vs_map;

// F (rows); A, B 9 a group, row-major 3 x 3 (entry 0 of one-row groups); A, B null: F alone. Returns |F|^2.
double vs_law_evaluate(const vs_island *island, vs_map map, const double *l, const double *y, double *F, double *A,
                       double *B);

#endif
