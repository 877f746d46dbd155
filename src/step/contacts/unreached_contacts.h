// Contacts within the envelope that the bodies do not reach.
//
// A contact is linear in the velocities, gap + h n.u >= 0: it continues the motion of the beginning of the step along straight
// lines. The end of a blade that turns by an angle t moves on a circle of the radius r instead, and the row would let it act
// up to r t^2/2 beyond its reach. Where such a contact has an impulse, and its colliders would not come into touch on
// their true way with the free velocities, the contacts of the pair are left out and the step is solved again. With each solution
// the pairs that were left out are followed: those that come into touch, since other contacts or joints move them, have
// their contacts again, for the rest of the step. A pair that turns little, and one that touches, keeps its contacts.
#ifndef VS_STEP_UNREACHED_CONTACTS_H
#define VS_STEP_UNREACHED_CONTACTS_H

#include "step/contacts/late_contacts.h"

typedef struct vs_unreached_inputs {
    const vs_late_search *search; // with the velocities as solved
    int revision;                 // number of earlier ones in this step
} vs_unreached_inputs;

// Leaves contacts out or adds them again; `changed`: did it?
vs_error vs_unreached_contacts_revise(vs_step_contacts *contacts, const vs_unreached_inputs *in, bool *changed);

#endif
