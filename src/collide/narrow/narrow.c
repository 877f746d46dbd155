// The narrow phase of one pair: a table of functions by kinds.
//
// An entry handles its row's kind first; the other order is swapped and the normals reversed. Kinds without an entry in
// either order meet by their families. Meshes and height fields are not handled here: they give one manifold per
// triangle (mesh.h).
#include "collide/narrow/narrow.h"

#include "collide/narrow/pairs.h"

// clang-format off
static vs_narrow_part *const by_kinds[VS_SHAPE_KINDS][VS_SHAPE_KINDS] = {
    [VS_SHAPE_SPHERE] = {[VS_SHAPE_SPHERE]    = vs_narrow_spheres,
                         [VS_SHAPE_BOX]       = vs_narrow_sphere_box,
                         [VS_SHAPE_CAPSULE]   = vs_narrow_sphere_capsule,
                         [VS_SHAPE_CYLINDER]  = vs_narrow_sphere_cylinder,
                         [VS_SHAPE_ELLIPSOID] = vs_narrow_generic,
                         [VS_SHAPE_HULL]      = vs_narrow_sphere_hull,
                         [VS_SHAPE_PLANE]     = vs_narrow_sphere_plane},
    [VS_SHAPE_BOX] = {[VS_SHAPE_BOX]       = vs_narrow_polytope,
                      [VS_SHAPE_CYLINDER]  = vs_narrow_generic,
                      [VS_SHAPE_ELLIPSOID] = vs_narrow_generic,
                      [VS_SHAPE_HULL]      = vs_narrow_polytope,
                      [VS_SHAPE_PLANE]     = vs_narrow_box_plane},
    [VS_SHAPE_CAPSULE] = {[VS_SHAPE_BOX]       = vs_narrow_capsule_polytope,
                          [VS_SHAPE_CAPSULE]   = vs_narrow_capsules,
                          [VS_SHAPE_CYLINDER]  = vs_narrow_generic,
                          [VS_SHAPE_ELLIPSOID] = vs_narrow_generic,
                          [VS_SHAPE_HULL]      = vs_narrow_capsule_polytope,
                          [VS_SHAPE_PLANE]     = vs_narrow_capsule_plane},
    [VS_SHAPE_CYLINDER] = {[VS_SHAPE_CYLINDER]  = vs_narrow_generic,
                           [VS_SHAPE_ELLIPSOID] = vs_narrow_generic,
                           [VS_SHAPE_HULL]      = vs_narrow_generic,
                           [VS_SHAPE_PLANE]     = vs_narrow_cylinder_plane},
    [VS_SHAPE_ELLIPSOID] = {[VS_SHAPE_ELLIPSOID] = vs_narrow_generic,
                            [VS_SHAPE_HULL]      = vs_narrow_generic,
                            [VS_SHAPE_PLANE]     = vs_narrow_ellipsoid_plane},
    [VS_SHAPE_HULL] = {[VS_SHAPE_HULL]  = vs_narrow_polytope,
                       [VS_SHAPE_PLANE] = vs_narrow_hull_plane},
};
// clang-format on

static vs_narrow_part *const by_families[VS_FAMILIES][VS_FAMILIES] = {
    [VS_FAMILY_CONVEX] = {[VS_FAMILY_CONVEX] = vs_narrow_generic, [VS_FAMILY_PLANE] = vs_narrow_convex_plane}};

// The function of a pair in this order; null: none, or the other order.
static vs_narrow_part *choose_part(const vs_shape *a, const vs_shape *b) {
    vs_narrow_part *part = by_kinds[a->kind][b->kind];
    if (part || by_kinds[b->kind][a->kind])
        return part;
    return by_families[vs_class_of(a)->family][vs_class_of(b)->family];
}

bool vs_narrow_is_direct(const vs_shape *a, const vs_shape *b) {
    vs_narrow_part *part = choose_part(a, b);
    part = part ? part : choose_part(b, a);
    return part && part != vs_narrow_generic && part != vs_narrow_polytope;
}

bool vs_narrow_remembers(const vs_shape *a, const vs_shape *b) {
    return (a->kind != VS_SHAPE_SPHERE && b->kind != VS_SHAPE_SPHERE) || !vs_narrow_is_direct(a, b);
}

void vs_narrow(const vs_shape *a, vs_pose pose_a, const vs_shape *b, vs_pose pose_b, double envelope,
               vs_manifold *manifold) {
    manifold->former = NULL;
    vs_narrow_again(a, pose_a, b, pose_b, envelope, manifold);
}

void vs_narrow_again(const vs_shape *a, vs_pose pose_a, const vs_shape *b, vs_pose pose_b, double envelope,
                     vs_manifold *manifold) {
    manifold->count = 0;
    vs_narrow_part *part = choose_part(a, b);
    if (part) {
        part(a, pose_a, b, pose_b, envelope, manifold);
        return;
    }
    part = choose_part(b, a);
    if (!part)
        return;
    part(b, pose_b, a, pose_a, envelope, manifold);
    for (int k = 0; k < manifold->count; k++)
        manifold->at[k].normal = vs_scale(-1, manifold->at[k].normal);
}
