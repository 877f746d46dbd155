// Residuals of one row and of one contact: their distances from the complementarity conditions. Pure functions.
#ifndef VS_MEASURE_RESIDUAL_H
#define VS_MEASURE_RESIDUAL_H

#include "cone/cone.h"

// A row has an impulse x with lo <= x <= hi (either may be infinite) and a velocity w. At a solution
//
//     w >= 0 where x = lo,   w <= 0 where x = hi,   w = 0 between

// x - P(x - t), P: projection onto [lo, hi]. Zero exactly at a solution of (x, t). x and t have the same unit.
double vs_row_natural(double x, double t, double lo, double hi);
// Energy error, J; a inverse effective mass, 1/kg.
double vs_row_energy(double a, double x, double w, double lo, double hi);
// The larger of the natural residuals at the two bounds, and of the Fischer-Burmeister functions, >= 0. Both mix N s
// and m/s.
double vs_row_natural_residual(double x, double w, double lo, double hi);
double vs_row_fischer_burmeister(double x, double w, double lo, double hi);

// |l - P_K(l - s y)|^2 of a friction contact: l (3), y (3) in the order n, u, w; mu >= 0; s > 0.
double vs_friction_natural_squared(double mu, const double *l, const double *y, double s);
// Square of the Fischer-Burmeister function of the Lorentz cone, zero exactly at a solution,
//
//     |x + w - (x o x + w o w)^1/2|^2          x = (mu l_n, l_T),  w = (y_n / mu, y_T)
//
// Mixes N s and m/s.
double vs_friction_fischer_burmeister_squared(double mu, const double *l, const double *y);

// The same of a contact with rolling or spinning friction: l, y (rows), in rows of one unit.
double vs_discs_natural_squared(const vs_discs *d, const double *l, const double *y, double s);
// Fischer-Burmeister functions of the normal row, with the velocity that is left of K*, and of each disc alone:
//
//     (l_n, y_n - sum mu_k |y_k|)      ((l_n, l_k), (mu_k |y_k|, y_k))
double vs_discs_fischer_burmeister_squared(const vs_discs *d, const double *l, const double *y);

#endif
