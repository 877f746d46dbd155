// The narrow phase of one pair: dispatch to the function for it, in ascending order of kinds.
//
// The functions handle pairs with ascending kinds only; the other order is swapped and the normals reversed. Meshes and
// height fields are not handled here: they give one manifold per triangle (mesh.h).
#include "collide/narrow/narrow.h"

#include "collide/narrow/pairs.h"

typedef void narrow_part(const vs_shape *a, vs_pose pose_a, const vs_shape *b, vs_pose pose_b, double envelope,
                         vs_manifold *m);

static bool has_faces(vs_shape_kind kind) {
    return kind == VS_SHAPE_BOX || kind == VS_SHAPE_HULL;
}

// For kinds a <= b, a convex.
static narrow_part *choose_part(vs_shape_kind a, vs_shape_kind b) {
    if (b == VS_SHAPE_PLANE)
        return vs_narrow_plane;
    if (b > VS_SHAPE_PLANE)
        return NULL;
    if (a == VS_SHAPE_SPHERE)
        return b == VS_SHAPE_ELLIPSOID ? vs_narrow_generic : vs_narrow_sphere;
    if (has_faces(a) && has_faces(b))
        return vs_narrow_polytope;
    bool capsule = a == VS_SHAPE_CAPSULE || b == VS_SHAPE_CAPSULE;
    bool straight = (has_faces(a) || a == VS_SHAPE_CAPSULE) && (has_faces(b) || b == VS_SHAPE_CAPSULE);
    return capsule && straight ? vs_narrow_capsule : vs_narrow_generic;
}

void vs_narrow(const vs_shape *a, vs_pose pose_a, const vs_shape *b, vs_pose pose_b, double envelope,
               vs_manifold *manifold) {
    manifold->former = NULL;
    vs_narrow_again(a, pose_a, b, pose_b, envelope, manifold);
}

void vs_narrow_again(const vs_shape *a, vs_pose pose_a, const vs_shape *b, vs_pose pose_b, double envelope,
                     vs_manifold *manifold) {
    manifold->count = 0;
    bool swapped = a->kind > b->kind;
    narrow_part *part = swapped ? choose_part(b->kind, a->kind) : choose_part(a->kind, b->kind);
    if (!part || !vs_shape_is_convex(swapped ? b : a))
        return;
    if (!swapped) {
        part(a, pose_a, b, pose_b, envelope, manifold);
        return;
    }
    part(b, pose_b, a, pose_a, envelope, manifold);
    for (int k = 0; k < manifold->count; k++)
        manifold->at[k].normal = vs_scale(-1, manifold->at[k].normal);
}
