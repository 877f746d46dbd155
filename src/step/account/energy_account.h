// Energy that enters and leaves the world in a step, from its impulses. With M (v1 - v0) = D'l + C'g + h f the change of
// kinetic energy is
//
//     1/2 (v0 + v1)'(D'l + C'g + h f)
//
// term by term. A load on a body does h load'(v0 + v1)/2. The velocity of a row is u = D v + w, where w is due to
// prescribed motion, which has no columns: kinematic bodies, moving surfaces, prescribed nodes. So
//
//     1/2 l'D (v0 + v1) = 1/2 l'(u0 + u1) - l'w
//
//     prescribed motion                        does the work -l'w (w: mean, too)
//     motors                                   do the rest, 1/2 l'(u0 + u1), as work
//     friction of contacts and joints          dissipates it
//     normal rows of contacts, limits          dissipate it without the velocity that removes penetration, if it is an
//                                              impact: approach or separation faster than gravity in two steps
//     springs with dampers                     dissipate h d u1^2
//     constraints of joints                    are ideal: nothing
//     bonds                                    take it as work of fracture (bond_rows.h), also by crushing (crushing.h)
//
// What remains of the change of kinetic and potential energy is the error of the time discretization (and that of the
// solver, which is certified): constraints hold at the old positions, v0 violates them at the new ones, and each step
// removes that part; penetrations are removed; gravity and springs act along h v1, not h (v0 + v1)/2.
//
// Contacts that slide fast along curved surfaces, with a centripetal acceleration above 2 g, cannot be told from impacts
// and are accounted as these. Compliant contacts absorb energy and return it; both count as impacts.
//
// Rows on nodes of flexible solids with the numerical damping of implicit Euler, and all rows of the scheme quasi-static, are
// accounted with u1 instead, force times displacement. Normal rows on nodes are not accounted at all: an elastic solid loses nothing by touching. The energy
// that closing a gap within a step, or opening a penetration, takes or gives is due to the scheme (elastic_times.h).
#ifndef VS_STEP_ENERGY_ACCOUNT_H
#define VS_STEP_ENERGY_ACCOUNT_H

#include "step/data/simulation_data.h"

// Adds the work of loads on bodies that get the velocities v (n).
void vs_energy_account_loads(const vs_simulation *s, const double *v, vs_energy_flow *flow);
// Adds the work and dissipation of all rows.
void vs_energy_account_rows(const vs_simulation *s, vs_energy_flow *flow);
// Closes the balance of a step that began with the energy `before`: sets the error of the discretization and the sums.
// Its energy and flow, else complete, are those of this process.
void vs_energy_account_close(const vs_energy *before, vs_step_report *report);
// Compares the discretization of a closed step with the energies that were exchanged; all of all processes.
void vs_energy_account_compare(vs_simulation *s, vs_step_report *report);

#endif
