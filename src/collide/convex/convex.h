// A convex shape or a triangle in a common working frame, and the distance between two of them.
#ifndef VS_COLLIDE_CONVEX_H
#define VS_COLLIDE_CONVEX_H

#include "shape/shape_data.h"

// A shape = a core and a round layer of `radius` about it (vs_core). The working frame is that of the first shape of a pair: rounding does not depend on the position in the world.
typedef struct vs_convex {
    const vs_shape *shape; // null: a triangle
    vs_vec3 triangle[3];   // working frame
    vs_vec3 normal;        // of the triangle, unit, outward
    vs_mat3 rotation;      // shape to working frame
    vs_vec3 position;
    vs_vec3 centre; // a point inside
    double radius;  // m, of the round layer
    double size;    // m, of the whole about its centre
    double inner;   // m, a ball of this radius about the centre lies in the core; 0: the core is flat
    double shrink;  // m, < inner: the core is shrunk by about this much, 0: not at all
    bool even;      // a polytope shrinks by as much at all faces; else towards its centre, so that it stays similar
} vs_convex;

vs_convex vs_convex_from_shape(const vs_shape *shape, vs_pose pose);
vs_convex vs_convex_from_triangle(const vs_vec3 triangle[3]);

// Farthest point of the core in a direction of any length. vertex (may be null): its index, -1 if it has none.
vs_vec3 vs_convex_support(const vs_convex *c, vs_vec3 direction, int *vertex);
// Flat faces: of polytopes, the discs of round shapes, a triangle. Their normals in the working frame.
int vs_convex_faces(const vs_convex *c);
vs_vec3 vs_convex_face_normal(const vs_convex *c, int face);
// Vertex of a polytope or triangle in the working frame.
vs_vec3 vs_convex_vertex(const vs_convex *c, int vertex);

// min over b of n.x - max over a of n.x, round layers included. The signed gap is its largest value over all unit n.
double vs_convex_gap_along(const vs_convex *a, const vs_convex *b, vs_vec3 n);

typedef struct vs_distance {
    double distance; // m, between the cores; 0: they meet
    vs_vec3 normal;  // unit, from a to b; 0 if they meet
    vs_vec3 on_a, on_b;
    int count;                    // pairs of vertices that span the closest points, 1 to 3
    int vertex_a[3], vertex_b[3]; // -1 for round shapes
} vs_distance;

// Distance of the cores with b shifted by `shift`; stops early, with a lower bound, once it is known to be above `far`.
vs_distance vs_convex_distance(const vs_convex *a, const vs_convex *b, vs_vec3 shift, double far);

#endif
