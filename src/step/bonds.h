// Bonds of mortar between two bodies: their law, and their state from step to step.
//
// A bond is a point that both bodies carry, and a normal that the first one carries. With the strength s(d) (bond.h of
// the public headers) its law is Mohr-Coulomb's with cut-off,
//
//     l_n >= -s p,   |l_T| <= s c + mu l_n       p = A tension <= c/mu,  c = A cohesion
//
// which, with c' = c - mu p >= 0, is the sum of three:
//
//     l = k - s p e_n + q,      k in K_mu,  |q| <= s c'
//
// k is the contact of the two bodies as it is without mortar: collision finds it. -s p e_n is a constant pull within a step, like
// a load (bond_rows.h): every solver and certificate stays. q is Coulomb friction with a known normal impulse. So a step with
// bonds is a problem of Coulomb friction, and no new cone is needed.
//
// s is that of the middle of the step, as far as the last step's rate of d tells: explicit in time, of second order in steady
// opening. Not here: a cap on compression, dilatancy, healing.
#ifndef VS_STEP_BONDS_H
#define VS_STEP_BONDS_H

#include "collide/contact.h"
#include "base/array.h"

// Only numbers: checkpoints keep it as bytes.
typedef struct vs_bond {
    int64_t a, b;          // bodies
    int64_t generation[2]; // of these
    int64_t mortar;        //
    int64_t softening;     // vs_softening
    vs_vec3 anchor[2];     // the point, in the axes of a and of b
    vs_vec3 normal;        // in the axes of a, from a to b
    double area;           // m^2
    double pull, cohesion; // N, p and c' as new
    double critical;       // m, d_c; 0: brittle
    double shear;          // k, factor on slip
    double opens;          // m, d at which a brittle bond is lost
    double reached, rate;  // m, d; m/s, its growth in the last step
    double work;           // J
    double broken;         // s, time; < 0: it holds
} vs_bond;

typedef struct vs_bonds {
    VS_ARRAY(vs_bond) bond;
    int mortars;   // of the world, whose bonds have been made
    int broken;    // in the last step
    int64_t holds; // how many do
    double step;   // growth of d in the last step over d_c, the largest
} vs_bonds;

void vs_bonds_release(vs_context *context, vs_bonds *bonds);
// Makes those of mortar that was added since the last call, from contacts that are closed.
vs_error vs_bonds_make(vs_bonds *bonds, const vs_world *world, const vs_contacts *contacts);
// The state after a step of h that ends at the time `end`.
void vs_bonds_update(vs_bonds *bonds, const vs_world *world, double h, double end);

// Strength now, and in the middle of the next step of h.
double vs_bond_strength(const vs_bond *bond);
double vs_bond_next_strength(const vs_bond *bond, double h);
// Do both bodies exist still?
bool vs_bond_exists(const vs_bond *bond, const vs_world *world);

typedef struct vs_bond_place {
    vs_vec3 point, normal; // world
    vs_vec3 apart;         // m, world axes: from the anchor of a to that of b
} vs_bond_place;
vs_bond_place vs_bond_find(const vs_bond *bond, const vs_world *world);

#endif
