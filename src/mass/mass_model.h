// The mass matrix of a problem and the quantities derived from it once, before any impulse is known: factors of H,
// inverse effective masses, free motion. Solvers and measures borrow the same one.
#ifndef VS_MASS_MASS_MODEL_H
#define VS_MASS_MASS_MODEL_H

#include "mass/energy_scale.h"
#include "mass/velocities.h"
#include "problem/island_map.h"

typedef struct vs_mass_model {
    const vs_problem *problem;
    vs_model friction;     // friction model
    vs_mass *factor;       // null for the local form
    vs_island_map islands; // parts that do not act on each other
    vs_energy_scale scale; // inverse effective masses
    vs_velocities free;    // of zero impulses: v = -H^-1 c; y = -b - D H^-1 c, local form: r
} vs_mass_model;

// Allocates in the arena, factors H. After an error, too, end with vs_mass_model_release() before the arena goes.
vs_error vs_mass_model_create(vs_mass_model *mass, const vs_problem *problem, vs_model friction, vs_arena *arena);
// Values of another problem with the same pattern; allocates nothing of ours.
vs_error vs_mass_model_update(vs_mass_model *mass, const vs_problem *problem);
void vs_mass_model_release(vs_mass_model *mass); // all that does not belong to the arena

// Friction coefficient of a contact in the friction model.
double vs_mass_model_friction(const vs_mass_model *mass, int contact);
// The discs of a contact with rolling or spinning friction in the friction model, rotational rows scaled to lengths:
// see energy_scale.h. ell: null, or the length of each row (6).
vs_discs vs_mass_model_discs(const vs_mass_model *mass, int contact, double *ell);
// End of the rows of a contact whose velocities matter: without friction only the normal one does.
int vs_mass_model_rows_end(const vs_mass_model *mass, int contact);
// N s; the least size of an impulse that a row's bounds allow: 0 except for boxes without 0.
double vs_mass_model_demand(const vs_mass_model *mass, int contact, int row);

// Energies of rounding, J, this process's part: sums of islands, and of each contact and joint alone.
typedef struct vs_roundings {
    double *island, *contact, *joint; // (islands), (contacts), (joints)
} vs_roundings;
// Adds the energy error that rounding of the free velocities and demanded impulses alone may cause.
void vs_mass_model_add_rounding(const vs_mass_model *mass, const vs_roundings *to);
// The same for the rounding left in H^-1 (general H only), measured at contacts and joints: costs a solution with its
// factor. r, z (n): work.
vs_error vs_mass_model_add_factor_rounding(const vs_mass_model *mass, double *r, double *z, const vs_roundings *to);

#endif
