// A convex shape against a mesh or a height field.
#ifndef VS_COLLIDE_MESH_H
#define VS_COLLIDE_MESH_H

#include "collide/contact.h"

typedef struct vs_mesh_point {
    vs_vec3 point, normal; // world; normal from the convex shape to the mesh
    double gap;            // m
    uint64_t feature;      // triangle in the high 32 bits
} vs_mesh_point;

// Reusable memory; initialize to zero except for the context.
typedef struct vs_mesh_points {
    vs_context *context;
    vs_mesh_point *at;
    int count;
    int64_t capacity;
} vs_mesh_points;

// Replaces the points. VS_ERROR_MEMORY without memory for them.
vs_error vs_narrow_mesh(const vs_shape *convex, vs_pose pose, const vs_shape *mesh, vs_pose mesh_pose, double envelope,
                        vs_mesh_points *points);

#endif
