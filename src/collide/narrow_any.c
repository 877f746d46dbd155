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

static vs_error meet_plane(const vs_shape *mesh, vs_pose pose, const vs_shape *plane, vs_pose plane_pose,
                           double envelope, vs_mesh_points *points) {
    (void)plane; // there is only one
    return vs_narrow_mesh_plane(mesh, pose, plane_pose, envelope, points);
}

typedef vs_error part(const vs_shape *a, vs_pose pose_a, const vs_shape *b, vs_pose pose_b, double envelope,
                      vs_mesh_points *points);

// The other order is swapped and the normals reversed. Two planes have no contacts.
static part *const by_families[VS_FAMILIES][VS_FAMILIES] = {
    [VS_FAMILY_CONVEX] =
        {[VS_FAMILY_CONVEX] = take_manifold, [VS_FAMILY_PLANE] = take_manifold, [VS_FAMILY_TRIANGLES] = vs_narrow_mesh},
    [VS_FAMILY_TRIANGLES] = {[VS_FAMILY_PLANE] = meet_plane, [VS_FAMILY_TRIANGLES] = vs_narrow_meshes},
};

vs_error vs_narrow_any(const vs_shape *a, vs_pose pose_a, const vs_shape *b, vs_pose pose_b, double envelope,
                       vs_mesh_points *points) {
    const vs_shape_family f = vs_class_of(a)->family, g = vs_class_of(b)->family;
    if (by_families[f][g])
        return by_families[f][g](a, pose_a, b, pose_b, envelope, points);
    points->count = 0;
    vs_error error = by_families[g][f] ? by_families[g][f](b, pose_b, a, pose_a, envelope, points) : VS_OK;
    for (int k = 0; k < points->count; k++)
        points->at[k].normal = vs_scale(-1, points->at[k].normal);
    return error;
}
