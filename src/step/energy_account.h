// Work and dissipation of a step, from its impulses. With M (v1 - v0) = D'l + C'g + h f the change of kinetic energy is
//
//     1/2 (v0 + v1)'(D'l + C'g + h f)
//
// term by term. A load on a body does h load'(v0 + v1)/2. The velocity of a row is u = D v + w, where w is due to
// prescribed motion, which has no columns: kinematic bodies, moving surfaces, prescribed nodes. So
//
//     1/2 l'D (v0 + v1) = 1/2 l'(u0 + u1) - l'w
//
//     prescribed motion                        does the work -l'w (w: mean, too)
//     contacts, limits, joint friction         dissipate the rest, -1/2 l'(u0 + u1)
//     other rows of joints, motors             do it as work
//     springs with dampers                     dissipate h d u1^2; the rest is potential energy
//
// Rows on nodes of flexible solids are accounted with u1 instead, force times displacement, and their normal rows not
// at all: an elastic solid loses nothing by touching. The energy that closing a gap within a step, or opening a
// penetration, takes or gives is due to the scheme (elastic_energy.h).
#ifndef VS_STEP_ENERGY_ACCOUNT_H
#define VS_STEP_ENERGY_ACCOUNT_H

#include "step/simulation_data.h"

// Sets the work of loads on bodies that get the velocities v (n).
void vs_energy_account_loads(const vs_simulation *s, const double *v, vs_step_report *report);
// Adds the work and dissipation of all rows.
void vs_energy_account_rows(const vs_simulation *s, vs_step_report *report);

#endif
