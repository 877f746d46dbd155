// Parts of the narrow phase: functions for pairs of kinds, which the table of narrow.c lists.
#ifndef VS_COLLIDE_PAIRS_H
#define VS_COLLIDE_PAIRS_H

#include "collide/contact/manifold.h"
#include "shape/shape_data.h"

// Each takes its shapes in the order of its name, and replaces the points of the manifold.
typedef void vs_narrow_part(const vs_shape *a, vs_pose pose_a, const vs_shape *b, vs_pose pose_b, double envelope,
                            vs_manifold *m);

// narrow_sphere.c: one point, the closest one
vs_narrow_part vs_narrow_spheres, vs_narrow_sphere_box, vs_narrow_sphere_capsule, vs_narrow_sphere_cylinder,
    vs_narrow_sphere_hull;
// narrow_capsule.c
vs_narrow_part vs_narrow_capsules, vs_narrow_capsule_polytope; // box or hull
// narrow_polytope.c: box and hull against box and hull, by separating axes and clipping
vs_narrow_part vs_narrow_polytope;
// narrow_plane.c: box 4 points, cylinder standing 4, lying 2, …; any convex shape
vs_narrow_part vs_narrow_sphere_plane, vs_narrow_box_plane, vs_narrow_capsule_plane, vs_narrow_cylinder_plane,
    vs_narrow_ellipsoid_plane, vs_narrow_hull_plane, vs_narrow_convex_plane;
// narrow_generic.c: any two convex shapes: one point; more for flat faces and parallel lines
vs_narrow_part vs_narrow_generic;

#endif
