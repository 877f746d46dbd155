// Damage of dry joints: how far they have opened and slipped since a state of the world, at most and now.
//
// A joint is where two bodies meet: all interfaces of the pair (statics.h) in that state. Its corners are points of both
// bodies; what separates the two points of a corner is an opening along the normal, which turns with body a, and a slip.
#ifndef VOUSSOIR_DAMAGE_H
#define VOUSSOIR_DAMAGE_H

#include "voussoir/statics.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct vs_damage vs_damage;

typedef struct vs_interface_damage {
    vs_body_id a, b;                // a has the lower index
    vs_vec3 centre, normal;         // m, world axes; in the first state, of the largest interface; normal from a to b
    double area;                    // m^2, sum
    double opening_most, slip_most; // m, of all corners and updates
    double opening, slip;           // m, of all corners at the last update
    double dissipation;             // J, as it was added
} vs_interface_damage;

// Finds the joints in the present state; destroy with vs_damage_destroy(). Null options: the defaults. The world must outlive
// it. Materials and joints of any kind are allowed; there are no joints with meshes, height fields and flexible bodies.
VS_API vs_error vs_damage_create(const vs_world *world, const vs_interface_options *options, vs_damage **damage);
VS_API void vs_damage_destroy(vs_damage *damage); // null is allowed
// Takes the present state of the world. Bodies that were removed keep their last values.
VS_API void vs_damage_update(vs_damage *damage);
// Adds energy (J) to the joint of two bodies, in any order; false: they have none.
VS_API bool vs_damage_dissipate(vs_damage *damage, vs_body_id a, vs_body_id b, double energy);
// Joints k = 0 … count - 1, ascending by bodies; VS_ERROR_ARGUMENT for another k.
VS_API int vs_damage_get_joint_count(const vs_damage *damage);
VS_API vs_error vs_damage_get_joint(const vs_damage *damage, int k, vs_interface_damage *joint);

#ifdef __cplusplus
}
#endif

#endif
