// Joints with strength: mortar and glue between bodies that touch.
//
// Mortar bonds the faces that touch when its first step begins. Each contact point of such a face becomes a bond with an equal
// share A of the face's area. With the friction coefficient mu of the two materials it carries
//
//     l_n >= -A tension,    |l_T| <= A cohesion + mu l_n        (forces; l_n > 0: compression)
//
// It opens or slides only beyond that, and weakens while it does: with the opening u_n, the slip u_T and the largest value d so
// far of sqrt(max(u_n, 0)^2 + (k u_T)^2), tension and cohesion are multiplied by a strength, where d_c = 2 fracture_energy / tension,
//
//     linear         1 - d/d_c
//     exponential    exp(-2 d/d_c), until 1e-3, where the bond breaks
//
// and k is such that sliding takes shear_fracture_energy. Friction stays. Bonds do not heal.
//
// Compression. A bond, broken or not, carries at most l_n = A compression. Under more its two sides approach each other, at this
// force, and stay where they are when it falls: the joint is crushed. The work of it counts as fracture.
//
// Dilatancy. The sides ride up on each other when they slip, by u_T tan(dilatancy) up to u_T = dilatancy_slip, and come down when
// they slip back, like teeth that fit into each other and do not wear (Patton 1966). They slide on the slope of the teeth: with
// mu = tan(phi), without cohesion, it takes the force l_n tan(phi + dilatancy) to slip, and l_n tan(phi - dilatancy) to slip back.
// Broken or not.
//
// The opening u_n is measured from where the two sides meet, crushed and risen as they are: neither weakens a bond, slip does.
// Contacts of faces with compression or dilatancy have no restitution.
#ifndef VOUSSOIR_BOND_H
#define VOUSSOIR_BOND_H

#include "voussoir/simulation.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum vs_softening { VS_SOFTENING_LINEAR, VS_SOFTENING_EXPONENTIAL } vs_softening;

typedef struct vs_mortar_def {
    const vs_body_id *body; // (bodies) mortar is between those of these that touch; the zero id is the world. Copied
    int bodies;             // 0: all that touches. Default 0
    double tension;         // Pa, tensile strength; default 0
    double cohesion;        // Pa; < 0: mu tension, which costs no further unknowns. Default -1
    double fracture_energy; // J/m^2, of opening; 0: brittle, a bond is lost with the step in which it opens or slides
    double shear_fracture_energy; // J/m^2, of sliding; 0: fracture_energy cohesion / tension. Default 0
    double area;                  // m^2, of a contact of one or two points; 0: such contacts are not bonded. Default 0
    vs_softening softening;       // how the strength falls; both take the fracture energy. Default linear
    double compression;           // Pa, compressive strength; 0: no limit. Default 0
    double dilatancy;             // degrees, less than 90. Default 0
    double dilatancy_slip;        // m, where the rise ends; 0: where a bond breaks, not if brittle. Default 0
} vs_mortar_def;

VS_API vs_mortar_def vs_mortar_def_default(void);
// A cohesion below mu tension limits the tension, to cohesion / mu. Not with steps of controlled accuracy, nor distributed.
VS_API vs_error vs_world_add_mortar(vs_world *world, const vs_mortar_def *def);
VS_API int vs_world_get_mortar_count(const vs_world *world);

// A bond after the last step.
typedef struct vs_bond_view {
    vs_body_id a, b;
    int mortar;            // 0, 1, … in the order of vs_world_add_mortar()
    vs_vec3 point, normal; // world axes; normal from a to b
    double area;           // m^2
    double strength;       // 1: as new … 0: broken
    double opening, slip;  // m, of b from a; opening from where the sides meet
    double work;           // J, done against it so far
    double broken;         // s, when it broke; < 0: it holds
    double crushed;        // m, by which the sides have approached each other for good
    double dilation;       // m, by which they ride up on each other
} vs_bond_view;

// Bonds of all mortar, also broken ones: k = 0 … count - 1. They are made by the first step.
VS_API int vs_simulation_get_bond_count(const vs_simulation *simulation);
VS_API vs_error vs_simulation_get_bond_at(const vs_simulation *simulation, int k, vs_bond_view *bond);

#ifdef __cplusplus
}
#endif

#endif
