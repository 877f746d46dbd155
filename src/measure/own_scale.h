// The scale of each contact and joint by its own mass, beside the reference of its island: where masses differ, the
// energies of the heavy bodies hide what the light ones do. With the velocity V of an island (voussoir/measure.h) and its
// reference e,
//
//     share = V^2 / (2a) / e           a of the contact or joint
//
// is the energy of that velocity at a contact, over the reference. Shares of at least one matter to nobody: the island's
// reference is the stricter one.
#ifndef VS_MEASURE_OWN_SCALE_H
#define VS_MEASURE_OWN_SCALE_H

#include "mass/mass_model.h"

typedef struct vs_own_scale {
    double *contact, *joint; // (contacts), (joints) shares; infinite for boxes, whose rows may have any unit
    double *contact_floor, *joint_floor; // J; energy of the rounding of their free velocities
    double *extreme;                     // (4 islands) work
} vs_own_scale;

// Errors of a contact count if they exceed the tolerance so many times in velocity: two digits less than asked of its island.
#define VS_OWN_SLACK 1e2

vs_error vs_own_scale_create(vs_own_scale *own, const vs_problem *problem, int islands, vs_arena *arena);
// reference (islands), J: of the islands of the mass model. The floors are the caller's. Collective.
void vs_own_scale_update(vs_own_scale *own, const vs_mass_model *mass, const double *reference);

// The reference of a contact's or joint's own errors over that of its island, at most 1.
static inline double vs_own_reference(double share) {
    double own = VS_OWN_SLACK * VS_OWN_SLACK * share;
    return own < 1.0 ? own : 1.0;
}

#endif
