// The friction coefficient of a contact with static friction, in a step.
#ifndef VS_STEP_STATIC_FRICTION_H
#define VS_STEP_STATIC_FRICTION_H

#include "collide/contact.h"
#include "step/friction_memory.h"

// Its bodies, as the memory knows them.
static inline uint64_t vs_friction_bodies(const vs_contact *contact) {
    return (uint64_t)contact->a << 32 | (uint64_t)contact->b;
}
// The coefficient of a contact between rigid bodies of this pair of materials, which has more friction at rest than mu.
double vs_static_friction_now(const vs_friction_memory *memory, const vs_world *world, const vs_contact *contact,
                              const vs_material *material);

#endif
