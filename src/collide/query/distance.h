// The distance of two shapes of any kind, for queries.
#ifndef VS_COLLIDE_DISTANCE_H
#define VS_COLLIDE_DISTANCE_H

#include "collide/mesh/mesh.h"

// The places where two shapes, not both planes, are closest: gap and normal from a to b, the point midway. found: is the
// gap within `reach`? Contacts prefer faces over edges by some 1e-7 of the size; here nothing is preferred.
// Points are work. VS_ERROR_MEMORY.
vs_error vs_shapes_distance(const vs_shape *a, vs_pose pose_a, const vs_shape *b, vs_pose pose_b, double reach,
                            vs_mesh_points *points, vs_mesh_point *least, bool *found);

// Does a convex shape touch or cut a triangle of a mesh or height field?
bool vs_mesh_is_cut(const vs_shape *convex, vs_pose pose, const vs_shape *mesh, vs_pose mesh_pose);

#endif
