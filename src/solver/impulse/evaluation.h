// The evaluation of an iterate: its error, in the problem's own units. The result of a solve is measured again by
// measure/, on the unscaled problem.
#ifndef VS_SOLVER_IMPULSE_EVALUATION_H
#define VS_SOLVER_IMPULSE_EVALUATION_H

#include "solver/impulse/impulse_problem.h"

// The error of an iterate l with y = (N + E) l + r: the relative error of vs_measures and, if `both`, the larger one of
// that and FCLIB's relative natural-map error over sqrt(share), so that at most tol for every island means at most tol for
// the whole.
double vs_impulse_error(const vs_impulse_problem *p, bool both, const double *l, const double *y);
// The error that rounding l to doubles may cause by itself, on the same scale: with very different masses a tolerance
// below it is out of reach. Serial.
double vs_impulse_rounding(const vs_impulse_problem *p, bool both, const double *l);
// The largest sum of the sizes of N's entries in a row; where velocities are carried, of the terms that they are summed of.
// Serial.
double vs_impulse_norm(const vs_impulse_problem *p);

#endif
