// Velocities that impulses cause, in twice the precision of doubles (velocities.h has the equations).
#ifndef VS_MASS_EXTENDED_VELOCITIES_H
#define VS_MASS_EXTENDED_VELOCITIES_H

#include "mass/velocities.h"

// As vs_velocities_compute(), but all sums are in double-double and v is refined until its residual stops falling: v, y and
// r_e are rounded once. p is not set. Not for distributed problems.
vs_error vs_velocities_compute_extended(vs_velocities *motion, const vs_problem *problem, vs_mass *factor,
                                        const double *g, const double *lambda, vs_arena *arena);

#endif
