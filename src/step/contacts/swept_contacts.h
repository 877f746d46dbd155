// Continuous collision: contacts of pairs that would pass through each other within the step.
//
// The solution v of the step's problem moves the bodies from their poses to others. Pairs that move farther than half of their
// thickness are followed on the way (collide/ccd/ccd.h). Where one meets at the time t, the contact points of the bodies
// as they are then become contacts of the step, with rows of that configuration,
//
//     gap_0 + h n.u >= 0,     gap_0 = the gap at the beginning of the two points that meet, along n, >= 0
//
// and the step is solved again: a contact is added before it is needed, and no body is moved back. A solution with all
// bodies at rest is feasible. Slow pairs cost one comparison per collider.
#ifndef VS_STEP_SWEPT_CONTACTS_H
#define VS_STEP_SWEPT_CONTACTS_H

#include "step/contacts/late_contacts.h"

// Adds contacts to those of the step; `added`: how many.
vs_error vs_swept_contacts_add(vs_step_contacts *contacts, const vs_late_search *s, int *added);

// The path of a body within the step with the velocities s->v.
vs_path vs_swept_path(const vs_late_search *s, int index);
// Bounds of the motion of all bodies within h with the velocities of the world, or v (n) where they have a block;
// blocks may be null.
vs_error vs_swept_bounds_set(vs_swept_pairs *pairs, const vs_world *world, const vs_blocks *blocks, const double *v,
                             double h);

#endif
