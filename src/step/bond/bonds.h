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
// s is extrapolated to the middle of the step with the last rate of d: explicit in time, second order in steady opening.
//
// The two sides meet where the opening, as the two points measure it, is
//
//     rise(|slip|) - crushed        rise(x) = tan(psi) (sqrt(min(x, L)^2 + r^2) - r)
//
// with the depth by which the bond was crushed (crushing.h) and the rise by dilatancy, rounded over a length r that hardly counts.
// Openings are measured from there, and contacts close there (bond_contacts.h). Not here: healing.
#ifndef VS_STEP_BONDS_H
#define VS_STEP_BONDS_H

#include "collide/contact/contact.h"
#include "base/array.h"

// A state keeps it (step/state/memory_parts.c).
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
    double opens;          // m, d at which a brittle bond is lost; r
    double reached, rate;  // m, d; m/s, its growth in the last step
    double work;           // J
    double broken;         // s, time; < 0: it holds
    double compression;    // N, the most normal force; 0: no limit
    double crushed;        // m
    double crushing;       // 1: it was crushed in the last step, 0: not
    double dilatancy;      // tan(psi)
    double dilates;        // m, L; 0: the slip at which the bond breaks
} vs_bond;

// A bond that changes the contacts of its face: bond_contacts.h.
typedef struct vs_bond_of_pair {
    uint64_t bodies; // both indices
    int64_t bond;
} vs_bond_of_pair;

typedef struct vs_bonds {
    VS_ARRAY(vs_bond) bond;
    VS_ARRAY(vs_bond_of_pair) of_pair; // work: by bodies
    int64_t listed;                    // bonds, when these were made
    int mortars;                       // of the world, whose bonds have been made
    int broken;                        // in the last step
    int64_t holds;                     // how many do
    double step;                       // growth of d in the last step over d_c, the largest
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
    vs_vec3 slip;          // m, world axes: of the point of b from that of a, across the normal
    double opening;        // m, from where the two sides meet
    double rise;           // m
} vs_bond_place;
vs_bond_place vs_bond_find(const vs_bond *bond, const vs_world *world);
// rise(|slip|) and its gradient with respect to the slip.
double vs_bond_find_rise(const vs_bond *bond, vs_vec3 slip, vs_vec3 *gradient);

#endif
