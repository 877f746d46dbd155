// The search for the contacts of a world: broad phase, narrow phase, seams.
#ifndef VS_COLLIDE_COLLISION_H
#define VS_COLLIDE_COLLISION_H

#include "collide/contact/contact.h"
#include "collide/contact/manifold.h"

// Broad and narrow phase: finds the contacts of a world for a step of h. envelope 0: chosen by size, speed and step
// (collision.c). former: contacts of the last step; null: not known. Pairs by sorting, O(n log n); deterministic.
// Memory is reused.
typedef struct vs_collision vs_collision;
vs_error vs_collision_create(vs_world *world, vs_collision **collision);
void vs_collision_destroy(vs_collision *c);
vs_error vs_collision_find(vs_collision *c, double h, double envelope, const vs_former_contacts *former,
                           const vs_contacts **contacts);
// Widens the envelopes of the next searches by `margin` (bodies, m) of both bodies; null: none. It must outlive them.
void vs_collision_widen(vs_collision *c, const double *margin);
// Contacts within the envelope of two colliders at other poses than those of the last search, with its neighbours for
// seams, and with m->former; of a mesh the deepest ones. Normals from the first to the second. VS_ERROR_MEMORY.
vs_error vs_collision_meet(vs_collision *c, int a, int b, const vs_pose pose[2], double envelope, vs_manifold *m);
// Identity of two colliders, that of the lower body first: vs_contact.pair.
uint64_t vs_collision_pair(const vs_collision *c, int a, int b);
// Region in which a body may have contacts: two bodies with disjoint boxes have none. False: it has no colliders.
bool vs_collision_bounds(const vs_world *world, int body, double h, double envelope, vs_box3 *box);

#endif
