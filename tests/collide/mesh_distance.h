// The distance of two meshes by all pairs of their triangles.
#ifndef TESTS_COLLIDE_MESH_DISTANCE_H
#define TESTS_COLLIDE_MESH_DISTANCE_H

#include "collide/convex/closest.h"
#include "kit/solids.h"
#include "meeting.h"

static inline void corners_of(const vs_shape *mesh, vs_pose pose, int triangle, vs_vec3 v[3]) {
    for (int k = 0; k < 3; k++)
        v[k] = vs_pose_apply(pose, mesh->triangles.vertex[mesh->triangles.index[3 * triangle + k]]);
}

// Does the segment pass through the triangle?
static inline bool pierces(const vs_vec3 v[3], vs_vec3 from, vs_vec3 to) {
    const vs_vec3 n = vs_cross(vs_subtract(v[1], v[0]), vs_subtract(v[2], v[0]));
    const double a = vs_dot(n, vs_subtract(from, v[0])), b = vs_dot(n, vs_subtract(to, v[0]));
    if (a * b >= 0)
        return false;
    const vs_vec3 x = vs_add_scaled(from, a / (a - b), vs_subtract(to, from));
    for (int k = 0; k < 3; k++)
        if (vs_dot(n, vs_cross(vs_subtract(v[(k + 1) % 3], v[k]), vs_subtract(x, v[k]))) < 0)
            return false;
    return true;
}

static inline double triangle_distance(const vs_vec3 p[3], const vs_vec3 q[3]) {
    double least = INFINITY;
    for (int k = 0; k < 3; k++) {
        if (pierces(p, q[k], q[(k + 1) % 3]) || pierces(q, p[k], p[(k + 1) % 3]))
            return 0;
        least = fmin(least, vs_length(vs_subtract(p[k], vs_closest_on_triangle(q, p[k]))));
        least = fmin(least, vs_length(vs_subtract(q[k], vs_closest_on_triangle(p, q[k]))));
        for (int i = 0; i < 3; i++) {
            double s, t;
            const vs_vec3 d = vs_subtract(p[(k + 1) % 3], p[k]), e = vs_subtract(q[(i + 1) % 3], q[i]);
            vs_closest_segments(p[k], d, q[i], e, &s, &t);
            least = fmin(least, vs_length(vs_subtract(vs_add_scaled(p[k], s, d), vs_add_scaled(q[i], t, e))));
        }
    }
    return least;
}

// Least distance of the two surfaces; 0: they intersect.
static inline double mesh_distance(const vs_shape *a, vs_pose pose_a, const vs_shape *b, vs_pose pose_b) {
    double least = INFINITY;
    for (int i = 0; i < a->triangles.triangles && least > 0; i++) {
        vs_vec3 p[3], q[3];
        corners_of(a, pose_a, i, p);
        for (int j = 0; j < b->triangles.triangles && least > 0; j++) {
            corners_of(b, pose_b, j, q);
            least = fmin(least, triangle_distance(p, q));
        }
    }
    return least;
}

#endif
