// Static friction: the part r of the excess static_mu - mu that a contact still has, carried from step to step by its key,
//
//     mu_now = mu + (static_mu - mu) r
//
//     it slides by s:        r <- r exp(-s/weakening)                 weakening 0: r = 0
//     it sticks for h:       r <- 1 - (1 - r) exp(-h/healing)         healing 0: r = 1
//
// or, with a Stribeck speed v_s, r = exp(-v/v_s) for the sliding speed v at the beginning of the step, without memory. mu_now is
// constant within a step: each step is a problem of Coulomb friction, and dissipates.
//
// A contact that was not there before has r = 1, or the least r of the other contacts of its two bodies.
#ifndef VS_STEP_FRICTION_MEMORY_H
#define VS_STEP_FRICTION_MEMORY_H

#include "base/array.h"
#include "body/contact_law.h"

// Only numbers: checkpoints keep it as bytes.
typedef struct vs_remembered_friction {
    uint64_t bodies, key; // both indices; of the contact
    double rest;          // r
} vs_remembered_friction;

typedef struct vs_friction_memory {
    VS_ARRAY(vs_remembered_friction) contact; // by bodies, then by key
    VS_ARRAY(vs_remembered_friction) next;    // work
} vs_friction_memory;

void vs_friction_memory_release(vs_context *context, vs_friction_memory *memory);
// r of a contact.
double vs_friction_memory_find(const vs_friction_memory *memory, uint64_t bodies, uint64_t key);
// r by Stribeck's law for a sliding speed.
double vs_friction_stribeck(const vs_material *material, double speed);
// r after a step of h that slid by `slip`; it sticks if that is not above `sticks`.
double vs_friction_memory_advance(const vs_material *material, double rest, double h, double slip, double sticks);
// A list of the next step's: begins it, adds to it, replaces the memory by it.
void vs_friction_memory_begin(vs_friction_memory *memory);
vs_error vs_friction_memory_add(vs_friction_memory *memory, vs_context *context, vs_remembered_friction contact);
void vs_friction_memory_end(vs_friction_memory *memory);

#endif
