// Certificates of statics, checked independently of the solver in twice the precision of doubles, and mended where rounding
// left them a little outside their cones.
#ifndef VS_STATICS_CERTIFICATE_H
#define VS_STATICS_CERTIFICATE_H

#include "statics/statics_data.h"

// Largest residual of forces that hold, relative to the load of the block.
#define VS_CERTIFICATE_RESIDUAL 1e-11
// Least reach of a mechanism that is not exact, in weights.
#define VS_CERTIFICATE_REACH 1e7

// Forces z (rows) against the load (columns) in equilibrium: moved to the equilibrium within their cones and checked.
vs_error vs_certify_forces(vs_statics *s, const double *load, double *z, vs_force_certificate *certificate);
// A motion x (columns): mended so that D x is in L exactly where that is possible, and checked against the load. Scaled
// to the largest entry 1.
vs_error vs_certify_mechanism(vs_statics *s, const double *load, double *x, vs_mechanism *certificate);
// The first part of it: x scaled and mended, and its violation in m/s as x is scaled, 0 if there is none.
vs_error vs_mend_mechanism(vs_statics *s, double *x, double *violation);
// f'x in twice the precision
double vs_certify_power(const vs_statics *s, const double *load, const double *x);

#endif
