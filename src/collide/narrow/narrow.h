// The narrow phase: contact points of two shapes at poses, of which at least one is convex and none has triangles.
#ifndef VS_COLLIDE_NARROW_H
#define VS_COLLIDE_NARROW_H

#include "collide/contact/manifold.h"
#include "shape/shape_data.h"

// Replaces the points of the manifold by at most VS_MANIFOLD_MOST with gap <= envelope; the normal points from the first
// shape to the second; features 0 … 2^32-1 are stable while shapes move little. Dispatches on the kinds; no points for
// meshes and height fields, which give one manifold per triangle (collide/mesh/mesh.h).
void vs_narrow(const vs_shape *a, vs_pose pose_a, const vs_shape *b, vs_pose pose_b, double envelope,
               vs_manifold *manifold);
// The same with manifold->former.
void vs_narrow_again(const vs_shape *a, vs_pose pose_a, const vs_shape *b, vs_pose pose_b, double envelope,
                     vs_manifold *manifold);
// Two convex shapes: are their closest points found in closed form, or by features?
bool vs_narrow_is_direct(const vs_shape *a, const vs_shape *b);
// Has manifold->former a meaning for these shapes? Not for a ball, which has one point.
bool vs_narrow_remembers(const vs_shape *a, const vs_shape *b);

#endif
