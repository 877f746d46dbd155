// Do the forces or the mechanism that the library reports prove its verdict? Evaluated in quadruple precision from them and
// the geometry of the assembly (geometry.h).
//
//     forces      each acts where and along which the solids may push each other, is in its cone, and the forces on each
//                 solid balance its own load; the load of heavier ones does not count
//     mechanism   no certain contact closes, and the loads do work. Where contacts close with the speed e > 0, forces would
//                 have to be larger than power / e; that proves, if it is beyond any force that could arise
#ifndef FORGE_PROOF_H
#define FORGE_PROOF_H

#include "geometry.h"
#include "voussoir/voussoir.h"

// Loads: weights and forces of the solids times `dead`, plus `live` times the weights along the assembly's direction.
typedef struct forge_loads {
    quad dead, live;
} forge_loads;

// Text says what is wrong.
bool forces_prove(const geometry *g, const vs_statics *statics, const vs_vec3 *force, forge_loads loads, char *text,
                  size_t size);
bool mechanism_proves(const geometry *g, const vs_statics *statics, const vs_mechanism *m, char *text, size_t size);
// Does the mechanism prove that no factor above `upper` has an equilibrium?
bool bound_proves(const geometry *g, const vs_statics *statics, const vs_mechanism *m, double upper, char *text,
                  size_t size);

#endif
