// Which side of open meshes do bodies start on?
//
// Triangles are one-sided: counter-clockwise seen from the side on which they touch. An open mesh that was drawn the other way
// round, as files of other programs often are, lets bodies sink in and pushes them out behind. Nothing in a contact tells that
// apart from a deep impact, but the start does: bodies near the mesh are in front of it.
#include "collide/mesh/facing.h"

#include "collide/convex/closest.h"

static const double NEAR = 3;    // of a body's size: how far from the mesh its side is looked at
static const double FACING = .5; // cosine: beyond it the closest point is on the mesh, not at its border

// 1: x is in front of the mesh, -1: behind it, 0: not near or beside it.
static int side_of(const vs_triangles *t, vs_vec3 x, double reach) {
    const vs_nearest n = vs_triangles_nearest(t, x, reach);
    const double height = n.triangle < 0 ? 0 : vs_dot(t->surface.normal[n.triangle], vs_subtract(x, n.point));
    return height > FACING * n.distance ? 1 : height < -FACING * n.distance ? -1 : 0;
}

vs_facing vs_facing_of(const vs_world *world, int mesh) {
    const vs_collider *m = &world->collider[mesh];
    vs_facing found = {.first = -1};
    if (!m->alive || m->sensor || m->shape->kind != VS_SHAPE_MESH || m->shape->triangles.surface.closed)
        return found;
    const vs_pose pose = vs_collider_pose(world, m);
    for (int k = 0; k < world->colliders; k++) {
        const vs_collider *c = &world->collider[k];
        if (!c->alive || world->body[c->body].absent || c->sensor || c->body == m->body ||
            !(world->body[c->body].mass > 0) || !vs_world_may_collide(world, m, c))
            continue;
        const vs_vec3 x = vs_pose_apply_back(pose, vs_pose_apply(vs_collider_pose(world, c), c->shape->centre));
        const int side = side_of(&m->shape->triangles, x, NEAR * c->shape->size);
        found.front += side > 0;
        found.behind += side < 0;
        if (side < 0 && found.first < 0)
            found.first = c->body;
    }
    return found;
}

static const char *name_of(const vs_world *world, int body) {
    return world->body[body].name ? world->body[body].name : "(without a name)";
}

void vs_facing_check(const vs_world *world) {
    for (int k = 0; k < world->colliders; k++) {
        const vs_facing f = vs_facing_of(world, k);
        if (f.behind > f.front)
            vs_log(
                world->context, VS_LOG_WARNING,
                "body '%s': its open mesh touches on the side from which triangles run counter-clockwise, but %d %s, "
                "the first of them '%s' (body %d), %s behind it; if it is inside out, exchange two corners of every "
                "triangle",
                name_of(world, world->collider[k].body), f.behind, f.behind == 1 ? "body" : "bodies",
                name_of(world, f.first), f.first, f.behind == 1 ? "starts" : "start");
    }
}
