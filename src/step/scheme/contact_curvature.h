// Contacts of a controlled step hold at its end, as joints do in the scheme shake (shake.h). A normal row is linearized about
// predicted velocities v_p, which move the bodies to q_p:
//
//     D v >= -gap(q)/h + curvature,    curvature = D v_p - (gap(q_p) - gap(q))/h
//
// A contact that sticks does not creep: the mean velocity at the point of contact is zero, which moves from r to r + dr relative
// to the centre of each body, with a corner but not below a ball that rolls; and the spin w of a body that is no ball becomes w + dw
// as it turns (disks and tops, whose rolling would be of first order without).
//
//     D_T v = curvature,    curvature = -(w x dr/2 + dw x (r + dr)/2 - h/12 w x (w x dr))_T        difference of both bodies
//
// The last term makes this exact to the fourth power of w h for points of bodies that turn.
//
// The gap at q_p is that of the same features of the two shapes. Where they no longer meet, and for triangle meshes, there
// is none. Late contacts (late_contacts.h) are exact for the last solution anyway.
#ifndef VS_STEP_CONTACT_CURVATURE_H
#define VS_STEP_CONTACT_CURVATURE_H

#include "step/data/simulation_data.h"

// Sets it for velocities v (n) of the contacts between rigid bodies. Returns the largest change among those that press, relative
// to what may be left of it.
double vs_contact_curvature_set(vs_simulation *s, const double *v);

#endif
