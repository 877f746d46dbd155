// Laws of the friction coefficient of a contact between rigid bodies. It is constant within a step, so that each step is a problem
// of Coulomb friction and dissipates. With the sliding speed v at the beginning of the step it is
//
//     the table mu(v)                      a material with friction over the speed
//     mu + (static_mu - mu) exp(-v/v_s)    with a Stribeck speed v_s
//     mu + (static_mu - mu) r              otherwise; r is the part of static friction that the contact still has
//
// r is carried from step to step:
//
//     it slides by s:        r <- r exp(-s/weakening)                 weakening 0: r = 0
//     it sticks for h:       r <- 1 - (1 - r) exp(-h/healing)         healing 0: r = 1
//
// A new law is a row of field.c and a branch of each of these functions.
#ifndef VS_MATERIAL_FRICTION_H
#define VS_MATERIAL_FRICTION_H

#include "voussoir/world.h"

// What a contact remembers. Only numbers: a state keeps them (step/state/memory_parts.c).
typedef struct vs_friction_past {
    double rest; // r, 0 … 1
} vs_friction_past;

// What a contact did in a step.
typedef struct vs_friction_step {
    double h;       // s
    double slip;    // m
    double sticks;  // m, slip up to which it sticks
    double impulse; // N s, normal; 0: the contact was open
} vs_friction_step;

// Does the coefficient differ from step to step?
bool vs_friction_varies(const vs_material *m);
// Does it depend on earlier steps?
bool vs_friction_remembers(const vs_material *m);
// Of a contact without a past; of one that other contacts of its two bodies stand for.
vs_friction_past vs_friction_past_new(void);
vs_friction_past vs_friction_past_join(vs_friction_past a, vs_friction_past b);
bool vs_friction_past_is_valid(vs_friction_past past);
// The coefficient in a step that begins with this sliding speed, m/s.
double vs_friction_now(const vs_material *m, vs_friction_past past, double speed);
vs_friction_past vs_friction_after(const vs_material *m, vs_friction_past past, const vs_friction_step *step);

#endif
