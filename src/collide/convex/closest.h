// Closest points of points, segments, triangles and convex polytopes.
#ifndef VS_COLLIDE_CLOSEST_H
#define VS_COLLIDE_CLOSEST_H

#include "shape/shape_data.h"

// Position of something relative to a solid: signed distance of its surface (negative inside) and the unit direction
// from the surface outward.
typedef struct vs_closest {
    double distance; // m
    vs_vec3 outward; // unit
    double t;        // segments: parameter of the point, 0 … 1
} vs_closest;

// Parameter of the point of the segment p + t d, 0 <= t <= 1, closest to x; d may be zero.
double vs_closest_on_segment(vs_vec3 p, vs_vec3 d, vs_vec3 x);
// Parameters of closest points of p + s d and q + t e, both 0 … 1.
void vs_closest_segments(vs_vec3 p, vs_vec3 d, vs_vec3 q, vs_vec3 e, double *s, double *t);
vs_vec3 vs_closest_on_triangle(const vs_vec3 triangle[3], vs_vec3 x);

// The triangle closest to x (shape's axes) of those within reach; of equally close ones the first in the tree.
typedef struct vs_nearest {
    int triangle;    // -1: none within reach
    double distance; // m
    vs_vec3 point;   // on it
} vs_nearest;
vs_nearest vs_triangles_nearest(const vs_triangles *t, vs_vec3 x, double reach);
// If the distance exceeds `reach`, it is only a lower bound, larger than `reach`.
vs_closest vs_closest_point_polytope(const vs_polytope *h, vs_vec3 x, double reach);
// The segment p + t d; if it intersects the polytope, minus the penetration depth.
vs_closest vs_closest_segment_polytope(const vs_polytope *h, vs_vec3 p, vs_vec3 d, double reach);

#endif
