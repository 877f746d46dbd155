// Energy of flexible bodies in a step: work of loads and of prescribed motion, losses of damped elements.
//
// The step of flexible bodies (elastic_times.h) is
//
//     M (v1 - v0) + L R v1 = L (f + M g + loads) + impulses,     R = alpha M + beta K
//
// Its product with the mean velocity v = (v0 + v1)/2 (in implicit Euler with v = v1) is accounted:
//
//     a load does                          L load'v
//     elements lose by damping             L v'R v   (>= 0)
//     prescribed motion of node i does     p_i'v_i,   p: the difference of both sides without impulses
//
// Contacts at prescribed nodes are accounted by their rows. The rest is the error of the time discretization: numerical
// damping, nonlinear elements, nodes that meet an obstacle.
#ifndef VS_STEP_ELASTIC_ENERGY_H
#define VS_STEP_ELASTIC_ENERGY_H

#include "step/elastic/elastic_terms.h"
#include "voussoir/simulation.h"

// The largest part of its energy that the elements of a flexible body create in a step to the velocities v (n). Linear
// elements create none; with numerical damping they remove energy.
double vs_elastic_energy_created(const vs_elastic_terms *s, const double *v);
// The largest part of its kinetic energy that the strain energy of a beam differs by from its expansion, where the velocities
// v (n) lead: 0 for linear elements. Elements that turn by w h and are longer by w^2 h^2/2 afterwards count here, not above.
double vs_elastic_energy_omitted(const vs_elastic_terms *s, const double *v);
// To be called when the free velocities of the world are set, before the prescribed ones are and positions change.
void vs_elastic_energy_account(const vs_elastic_terms *s, vs_energy_flow *flow);

#endif
