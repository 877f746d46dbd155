// What bonds change in the contacts of their faces, bonds that may be crushed or that dilate. A contact of two bodies with such
// bonds belongs to the nearest one on the same side of the bodies, whether it holds or not. With the gap g and the normal n that
// collision finds, the slip s of the bond, and the opening at which its sides meet (bonds.h), the contact closes where
//
//     g(s) = g + crushed - rise(|s|)
//
// is zero, and has the normal of this surface, the gradient of g(s) with respect to the motion of b relative to a,
//
//     n - rise'(|s|) s/|s|        |gradient| = sqrt(1 + rise'^2),  the gap is g(s)/|gradient|
//
// so that dilatancy is sliding along a slope. Coulomb's law holds there; no work is lost or gained. The slip is extrapolated
// to the middle of the step with the present velocity, so that a slip that begins has a slope at once.
#ifndef VS_STEP_BOND_CONTACTS_H
#define VS_STEP_BOND_CONTACTS_H

#include "step/bond/bonds.h"
#include "step/contacts/contacts.h"

// Is there mortar of this kind? If not, the others need not be called.
bool vs_bond_contacts_needed(const vs_world *world);
// Widens the envelopes of the next search by as much as bonds have risen.
vs_error vs_bond_contacts_widen(const vs_bonds *bonds, const vs_world *world, vs_step_contacts *contacts);
// Sets bond, gap and normal of the contacts that were found, for a step of h.
vs_error vs_bond_contacts_set(vs_bonds *bonds, const vs_world *world, double h, vs_step_contacts *contacts);

#endif
