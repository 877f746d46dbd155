// Velocities that impulses cause, on unscaled data:
//
//     v   = H^-1 (C'g + D'l - c)        velocities
//     y   = D v - b + E l               contact velocities; local form: y = N l + r
//     r_e = C v - b_e + E_e g           joint velocities, zero if the joints hold
//
// Without impulses they are those of the free motion, and y is the r of the problem in impulses.
#ifndef VS_MASS_VELOCITIES_H
#define VS_MASS_VELOCITIES_H

#include "mass/mass.h"

typedef struct vs_velocities {
    double *v;        // (n) m/s; unused in the local form
    double *y;        // (m) m/s
    double *r_e;      // (m_e) m/s
    double *p;        // (n) C'g + D'l - c, N s; null: not kept
    double *extended; // (columns of N) work: impulses here and of ghosts; local form, distributed
} vs_velocities;

// keep_momentum: p, too.
vs_error vs_velocities_create(vs_velocities *motion, const vs_problem *problem, bool keep_momentum, vs_arena *arena);
// factor: of the same problem; null for the local form. g (m_e) and lambda (m): null means zero.
vs_error vs_velocities_compute(vs_velocities *motion, const vs_problem *problem, vs_mass *factor, const double *g,
                               const double *lambda);

#endif
