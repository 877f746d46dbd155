// Contact geometry to first order: how point, normal and gap of a contact move with its two bodies.
//
// Only relative motion counts, so that six directions of the second body give all twelve. They are differences of the narrow phase
// of the pair alone, by the rule of fourth order
//
//     f' = (8 (f(d) - f(-d)) - (f(2d) - f(-2d))) / (12 d) + O(d^4),    d = 1e-3
//
// of the smaller size, and rad about the point of contact. This d balances d^4 with rounding, eps/d: both are some 1e-12. Where
// the second difference shows a kink, or features of the contact are lost, d is reduced; if it stays, the kink is at
// this pose, and f' is the mean of both sides.
#ifndef VS_STEP_CONTACT_GEOMETRY_H
#define VS_STEP_CONTACT_GEOMETRY_H

#include "step/data/simulation_data.h"

// By one direction.
typedef struct vs_contact_motion {
    vs_vec3 point, normal;
    double gap;
} vs_contact_motion;

typedef struct vs_contact_geometry {
    vs_contact_motion
        by[12]; // translation and rotation of the first body about its centre of mass, world axes; of the second
    bool kink;
} vs_contact_geometry;

// Of those contacts between rigid bodies in the step of s that are `wanted` (contacts); the bodies have not moved yet. False: the
// narrow phase does not find contact `missed` again, or loses it close by.
bool vs_contact_geometry_find(const vs_simulation *s, const bool *wanted, vs_contact_geometry *geometry, int *missed);

#endif
