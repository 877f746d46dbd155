// How far one row or one contact is from its conditions. Pure functions of numbers.
#ifndef VS_MEASURE_RESIDUAL_H
#define VS_MEASURE_RESIDUAL_H

// A row: impulse x with lo <= x <= hi (either may be infinite), velocity w; at a solution w >= 0 where x = lo,
// w <= 0 where x = hi, w = 0 between.

// x - P(x - t), P the projection on [lo, hi]: zero exactly at a solution of (x, t). Unit of x; t too.
double vs_row_natural(double x, double t, double lo, double hi);
// Energy error, J; a inverse effective mass, 1/kg.
double vs_row_energy(double a, double x, double w, double lo, double hi);
// Largest of the two natural residuals and of the two Fischer-Burmeister functions, >= 0. They mix N s and m/s.
double vs_row_natural_residual(double x, double w, double lo, double hi);
double vs_row_fischer_burmeister(double x, double w, double lo, double hi);

// |l - P_K(l - s y)|^2 of a friction contact: l (3), y (3) in the order n, u, w; mu >= 0; s > 0.
double vs_friction_natural_squared(double mu, const double *l, const double *y, double s);
// |x + w - (x o x + w o w)^1/2|^2 with x = (mu l_n, l_T), w = (y_n / mu, y_T), the Fischer-Burmeister function of the
// Lorentz cone: zero exactly at a solution. Mixes N s and m/s.
double vs_friction_fischer_burmeister_squared(double mu, const double *l, const double *y);

#endif
