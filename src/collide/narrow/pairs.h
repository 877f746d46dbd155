// Parts of the narrow phase: functions for pairs of kinds, called by narrow.c with the shapes in the order given here.
#ifndef VS_COLLIDE_PAIRS_H
#define VS_COLLIDE_PAIRS_H

#include "collide/contact/manifold.h"
#include "shape/shape_data.h"

void vs_narrow_sphere(const vs_shape *a, vs_pose pose_a, const vs_shape *b, vs_pose pose_b, double envelope,
                      vs_manifold *m); // sphere against sphere, box, capsule, cylinder, plane, hull (closest point)
void vs_narrow_plane(const vs_shape *a, vs_pose pose_a, const vs_shape *plane, vs_pose pose_b, double envelope,
                     vs_manifold *m); // any convex shape on a plane: box 4 points, cylinder standing 4, lying 2, …
void vs_narrow_capsule(const vs_shape *a, vs_pose pose_a, const vs_shape *b, vs_pose pose_b, double envelope,
                       vs_manifold *m); // capsule against capsule, box, hull
void vs_narrow_polytope(const vs_shape *a, vs_pose pose_a, const vs_shape *b, vs_pose pose_b, double envelope,
                        vs_manifold *m); // box and hull against box and hull: separating axes and clipping
void vs_narrow_generic(const vs_shape *a, vs_pose pose_a, const vs_shape *b, vs_pose pose_b, double envelope,
                       vs_manifold *m); // any two convex shapes: one point; more for flat faces and parallel lines

#endif
