// Colliders that may lie flush with those of a pair: the input of seam.h.
#ifndef VS_COLLIDE_NEIGHBOURS_H
#define VS_COLLIDE_NEIGHBOURS_H

#include "collide/collision_data.h"
#include "collide/seam.h"

// After the pairs have been found.
vs_error vs_neighbours_find(vs_collision *c);
void vs_neighbours_release(vs_neighbours *n);
// The sides of the pair of colliders a and b, with the neighbours of each. False: neither has any.
bool vs_neighbours_gather(const vs_collision *c, int a, int b, vs_seam_side side[2]);

#endif
