// Do the surfaces of two meshes cross so deep that no contact leads them apart?
//
// An edge of one crosses a triangle of the other, and both of its ends are farther than `depth` from the plane of the triangle.
// Bodies in touch, which overlap by less, have no such edge.
#ifndef VS_COLLIDE_MESH_CROSSING_H
#define VS_COLLIDE_MESH_CROSSING_H

#include "collide/mesh/kept_pairs.h"

// relative: pose of a in the axes of b. kept: what searches of the two share, may be null; the depth is always the same.
bool vs_meshes_cross(const vs_triangles *a, vs_pose relative, const vs_triangles *b, double depth, vs_kept_pairs *kept);

#endif
