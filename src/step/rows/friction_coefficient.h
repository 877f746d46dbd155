// The friction coefficient of a contact in a step, by the laws of material/friction.h.
#ifndef VS_STEP_FRICTION_COEFFICIENT_H
#define VS_STEP_FRICTION_COEFFICIENT_H

#include "collide/contact/contact.h"
#include "step/rows/friction_memory.h"

// Of a contact between rigid bodies of this pair of materials, whose friction varies.
double vs_friction_coefficient(const vs_friction_memory *memory, const vs_world *world, const vs_contact *contact,
                               const vs_material *material);

#endif
