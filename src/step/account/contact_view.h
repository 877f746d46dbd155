// Contacts of the last step as users see them.
#ifndef VS_STEP_CONTACT_VIEW_H
#define VS_STEP_CONTACT_VIEW_H

#include "step/data/simulation_data.h"

// Contact k of this process.
void vs_contact_view_fill(const vs_simulation *s, int k, vs_contact_view *view);
// m, of the image of its body b that touches a (body/period.h).
vs_vec3 vs_contact_view_shift(const vs_simulation *s, int k);

#endif
