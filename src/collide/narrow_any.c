// The contact points of any two shapes, of which at most one is a plane.
#include "collide/mesh/mesh.h"
#include "collide/narrow/narrow.h"

static vs_error take_manifold(const vs_shape *a, vs_pose pose_a, const vs_shape *b, vs_pose pose_b, double envelope,
                              vs_mesh_points *points) {
    vs_manifold m;
    vs_narrow(a, pose_a, b, pose_b, envelope, &m);
    vs_error error = VS_OK;
    points->count = 0;
    for (int k = 0; k < m.count && !error; k++)
        error =
            vs_mesh_points_add(points, (vs_mesh_point){m.at[k].point, m.at[k].normal, m.at[k].gap, m.at[k].feature});
    return error;
}

vs_error vs_narrow_any(const vs_shape *a, vs_pose pose_a, const vs_shape *b, vs_pose pose_b, double envelope,
                       vs_mesh_points *points) {
    if (a->kind <= VS_SHAPE_PLANE && b->kind <= VS_SHAPE_PLANE)
        return take_manifold(a, pose_a, b, pose_b, envelope, points);
    const bool convex = vs_shape_is_convex(a) || vs_shape_is_convex(b);
    const bool plane = a->kind == VS_SHAPE_PLANE || b->kind == VS_SHAPE_PLANE;
    if (!convex && !plane)
        return vs_narrow_meshes(a, pose_a, b, pose_b, envelope, points);
    const bool swapped = vs_shape_is_convex(b) || a->kind == VS_SHAPE_PLANE;
    const vs_shape *first = swapped ? b : a, *second = swapped ? a : b;
    const vs_pose pose_first = swapped ? pose_b : pose_a, pose_second = swapped ? pose_a : pose_b;
    vs_error error = convex ? vs_narrow_mesh(first, pose_first, second, pose_second, envelope, points)
                            : vs_narrow_mesh_plane(first, pose_first, pose_second, envelope, points);
    for (int k = 0; k < points->count && swapped; k++)
        points->at[k].normal = vs_scale(-1, points->at[k].normal);
    return error;
}
