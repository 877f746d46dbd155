// Which side of open meshes do bodies start on?
#ifndef VS_COLLIDE_FACING_H
#define VS_COLLIDE_FACING_H

#include "body/world_data.h"

// Moving bodies (their colliders) near an open mesh.
typedef struct vs_facing {
    int front, behind;
    int first; // body behind it; -1: none
} vs_facing;

// Of a collider; nothing unless it is an open mesh that has contacts.
vs_facing vs_facing_of(const vs_world *world, int mesh);
// A warning in the log for every open mesh with more bodies behind than in front.
void vs_facing_check(const vs_world *world);

#endif
