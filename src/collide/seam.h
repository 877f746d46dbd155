// Seams: contacts with parts of a collider that its neighbours hide.
#ifndef VS_COLLIDE_SEAM_H
#define VS_COLLIDE_SEAM_H

#include "collide/mesh/mesh.h"

// A collider near a contact.
typedef struct vs_seam_solid {
    const vs_shape *shape;
    vs_pose pose;
} vs_seam_solid;

// One side of a pair, with the neighbours that lie flush with it and move along with it.
enum { VS_SEAM_NEIGHBOURS = 32 }; // more are ignored: contacts stay that could be left out
typedef struct vs_seam_side {
    vs_seam_solid solid;
    int neighbours;
    vs_seam_solid neighbour[VS_SEAM_NEIGHBOURS];
} vs_seam_side;

// The neighbourhood of a contact in which directions are compared, m. Neighbours that move by less in a step move along.
double vs_seam_reach(const vs_shape *a, const vs_shape *b);

// Corrects a contact of side[0] with side[1], of which the second one may be a mesh or height field; its normal points
// from the first to the second. False: a seam makes it, there is none.
bool vs_seam_correct(const vs_seam_side side[2], double envelope, vs_mesh_point *at);

#endif
