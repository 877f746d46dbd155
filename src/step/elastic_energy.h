// Energy of flexible bodies in a step: work of loads and of prescribed motion, losses of damped elements.
//
// The step of flexible bodies is
//
//     (M + h^2 K + h R) v1 = M v0 + h (f + M g + loads) + impulses,     R = alpha M + beta K
//
// Force times displacement h v1 is accounted:
//
//     a load does                          h load'v1
//     elements lose by damping             h v1'R v1   (>= 0)
//     prescribed motion of node i does     p_i'v1_i,   p = (M + h^2 K + h R) v1 - M v0 - h (f + M g + loads)
//
// Contacts at prescribed nodes are accounted by their rows. The rest is the error of the time discretization,
// 1/2 (v1 - v0)'M(v1 - v0) and as much in the elements: implicit Euler damps vibrations faster than h.
#ifndef VS_STEP_ELASTIC_ENERGY_H
#define VS_STEP_ELASTIC_ENERGY_H

#include "step/elastic_terms.h"
#include "voussoir/simulation.h"

// To be called when the free velocities of the world are set, before the prescribed ones are and positions change.
void vs_elastic_energy_account(const vs_elastic_terms *s, vs_energy_flow *flow);

#endif
