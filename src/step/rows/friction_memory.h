// What contacts remember of their friction (material/friction.h), carried from step to step by their keys. A contact that was not
// there before has what the other contacts of its two bodies have, joined.
#ifndef VS_STEP_FRICTION_MEMORY_H
#define VS_STEP_FRICTION_MEMORY_H

#include "base/array.h"
#include "material/friction.h"

typedef struct vs_remembered_friction {
    uint64_t bodies, key; // both indices; of the contact
    vs_friction_past past;
} vs_remembered_friction;

typedef struct vs_friction_memory {
    VS_ARRAY(vs_remembered_friction) contact; // by bodies, then by key
    VS_ARRAY(vs_remembered_friction) next;    // work
} vs_friction_memory;

void vs_friction_memory_release(vs_context *context, vs_friction_memory *memory);
vs_friction_past vs_friction_memory_find(const vs_friction_memory *memory, uint64_t bodies, uint64_t key);
// A list of the next step's: begins it, adds to it, replaces the memory by it.
void vs_friction_memory_begin(vs_friction_memory *memory);
vs_error vs_friction_memory_add(vs_friction_memory *memory, vs_context *context, vs_remembered_friction contact);
void vs_friction_memory_end(vs_friction_memory *memory);

#endif
