// The motion that impulses cause, on unscaled data:
//
//     v   = H^-1 (C'g + D'l - c)        velocities
//     y   = D v - b + E l               contact velocities; local form: y = N l + r
//     r_e = C v - b_e + E_e g           joint velocities, zero if the joints hold
//
// Without impulses it is the free motion, whose y is the r of the problem in impulses.
#ifndef VS_MASS_MOTION_H
#define VS_MASS_MOTION_H

#include "mass/mass.h"

typedef struct vs_motion {
    double *v;      // (n) m/s; unused in the local form
    double *y;      // (m) m/s
    double *r_e;    // (m_e) m/s
    double *p;      // (n) C'g + D'l - c, N s; null: not kept
    double *ghosts; // (columns of N) work: impulses with those of ghosts; local form over ranks
} vs_motion;

// keep_momentum: p, too.
vs_error vs_motion_create(vs_motion *motion, const vs_problem *problem, bool keep_momentum, vs_arena *arena);
// factor: of the same problem; null for the local form. g (m_e) and lambda (m): null means zero.
vs_error vs_motion_compute(vs_motion *motion, const vs_problem *problem, vs_mass *factor, const double *g,
                           const double *lambda);

#endif
