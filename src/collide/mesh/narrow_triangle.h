// A convex shape against one triangle.
#ifndef VS_COLLIDE_NARROW_TRIANGLE_H
#define VS_COLLIDE_NARROW_TRIANGLE_H

#include "collide/contact/manifold.h"
#include "shape/shape_data.h"

// A convex shape against one triangle (world), normal from the shape to the triangle; replaces the points of the manifold.
// One-sided: counter-clockwise seen from outside; a shape entirely behind it has no contact. feature & 7 is the part of
// the triangle that is touched (edge k runs from vertex k to k + 1), so that a caller that knows the neighbours can
// drop inner edges.
enum { VS_TRIANGLE_FACE = 0, VS_TRIANGLE_EDGE = 1, VS_TRIANGLE_VERTEX = 4 }; // + k
void vs_narrow_triangle(const vs_shape *convex, vs_pose pose, const vs_vec3 triangle[3], double envelope,
                        vs_manifold *m);

// The shortest way of the shape out of the triangle, to any side: the point on the triangle, the normal, and the gap.
// False: they are apart, or the triangle has no area.
typedef struct vs_way_out {
    vs_vec3 point, normal; // world
    double gap;            // m
} vs_way_out;
bool vs_triangle_way_out(const vs_shape *convex, vs_pose pose, const vs_vec3 triangle[3], vs_way_out *way);

#endif
