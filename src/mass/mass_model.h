// The mass matrix of a problem and the quantities derived from it once, before any impulse is known: factors of H,
// inverse effective masses, free motion. Solvers and measures borrow the same one.
#ifndef VS_MASS_MASS_MODEL_H
#define VS_MASS_MASS_MODEL_H

#include "mass/energy_scale.h"
#include "mass/velocities.h"

typedef struct vs_mass_model {
    const vs_problem *problem;
    vs_model friction;     // friction model
    vs_mass *factor;       // null for the local form
    vs_energy_scale scale; // inverse effective masses
    vs_velocities free;    // of zero impulses: v = -H^-1 c; y = -b - D H^-1 c, local form: r
} vs_mass_model;

// Allocates in the arena, factors H. After an error, too, end with vs_mass_model_release() before the arena goes.
vs_error vs_mass_model_create(vs_mass_model *mass, const vs_problem *problem, vs_model friction, vs_arena *arena);
// Values of another problem with the same pattern; allocates nothing of ours.
vs_error vs_mass_model_update(vs_mass_model *mass, const vs_problem *problem);
void vs_mass_model_release(vs_mass_model *mass); // all that does not belong to the arena

// J; energy error that rounding of the free velocities alone may cause. r, z (n): work. Not for the local form.
vs_error vs_mass_model_rounding(const vs_mass_model *mass, double *r, double *z, double *energy);

#endif
