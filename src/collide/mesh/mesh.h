// Contacts of meshes and height fields.
#ifndef VS_COLLIDE_MESH_H
#define VS_COLLIDE_MESH_H

#include "collide/mesh/kept_pairs.h"

typedef struct vs_mesh_point {
    vs_vec3 point, normal; // world; normal from the first shape to the second
    double gap;            // m
    uint64_t feature;      // triangle in the high 32 bits; of two meshes: narrow_meshes.c
} vs_mesh_point;

// Reusable memory; initialize to zero except for the context.
typedef struct vs_mesh_points {
    vs_context *context;
    vs_mesh_point *at;
    int count;
    int64_t capacity;
} vs_mesh_points;

static inline void vs_triangle_corners(const vs_triangles *t, vs_pose pose, int triangle, vs_vec3 v[3]) {
    for (int k = 0; k < 3; k++)
        v[k] = vs_pose_apply(pose, t->vertex[t->index[3 * (int64_t)triangle + k]]);
}

// All replace the points. VS_ERROR_MEMORY without memory for them.

// A convex shape against a mesh or a height field.
vs_error vs_narrow_mesh(const vs_shape *convex, vs_pose pose, const vs_shape *mesh, vs_pose mesh_pose, double envelope,
                        vs_mesh_points *points);
// A mesh against a plane.
vs_error vs_narrow_mesh_plane(const vs_shape *mesh, vs_pose mesh_pose, vs_pose plane, double envelope,
                              vs_mesh_points *points);
// Two meshes or height fields. A closed one is a solid, the others are shells with two sides.
vs_error vs_narrow_meshes(const vs_shape *a, vs_pose pose_a, const vs_shape *b, vs_pose pose_b, double envelope,
                          vs_mesh_points *points);
// The same contacts, with what searches of the two share: lists of pairs; these and answers at the same poses. kept may be null.
vs_error vs_narrow_meshes_by_lists(const vs_shape *a, vs_pose pose_a, const vs_shape *b, vs_pose pose_b,
                                   double envelope, vs_kept_pairs *kept, vs_mesh_points *points);
vs_error vs_narrow_meshes_again(const vs_shape *a, vs_pose pose_a, const vs_shape *b, vs_pose pose_b, double envelope,
                                vs_kept_pairs *kept, vs_mesh_points *points);

// Any two shapes, not two planes.
vs_error vs_narrow_any(const vs_shape *a, vs_pose pose_a, const vs_shape *b, vs_pose pose_b, double envelope,
                       vs_mesh_points *points);
// Do two shapes touch or overlap? Points are work.
vs_error vs_shapes_touch(const vs_shape *a, vs_pose pose_a, const vs_shape *b, vs_pose pose_b, vs_mesh_points *points,
                         bool *touch);

// ---- from many points to few (mesh_points.c) -------------------------------------------------------

vs_error vs_mesh_points_add(vs_mesh_points *points, vs_mesh_point point);
// Merges equal points, and keeps the outermost ones of flat patches; size: m, of the smaller shape.
void vs_mesh_points_reduce(vs_mesh_points *points, double size);
// At most this many: the closest one, then those that differ most from the chosen ones, close ones first.
enum { VS_MESH_POINTS_MOST = 96 };
vs_error vs_mesh_points_limit(vs_mesh_points *points, double size, double envelope);

#endif
