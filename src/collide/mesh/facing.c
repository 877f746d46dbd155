// Which side of open meshes do bodies start on?
//
// Triangles are one-sided: counter-clockwise seen from the side on which they touch. An open mesh that was drawn the other way
// round, as files of other programs often are, lets bodies sink in and pushes them out behind. Nothing in a contact tells that
// apart from a deep impact, but the start does: bodies near the mesh are in front of it.
#include "collide/mesh/facing.h"

#include "collide/convex/closest.h"
#include "collide/mesh/mesh.h"

static const double NEAR = 3;    // of a body's size: how far from the mesh its side is looked at
static const double FACING = .5; // cosine: beyond it the closest point is on the mesh, not at its border

typedef struct search {
    const vs_triangles *t;
    vs_vec3 x, way;  // from the closest point to x
    double distance; // m, to it
    int triangle;    // -1: none so far
    vs_box3 box;     // about x, as far as the closest
} search;

static void shrink(search *s) {
    const vs_vec3 around = {s->distance, s->distance, s->distance};
    s->box = (vs_box3){vs_subtract(s->x, around), vs_add(s->x, around)};
}

static bool visit(void *user, int triangle) {
    search *s = user;
    vs_vec3 v[3];
    vs_triangle_corners(s->t, VS_IDENTITY_POSE, triangle, v);
    const vs_vec3 way = vs_subtract(s->x, vs_closest_on_triangle(v, s->x));
    if (vs_length(way) < s->distance) {
        s->distance = vs_length(way);
        s->way = way;
        s->triangle = triangle;
        shrink(s);
    }
    return true;
}

// 1: x is in front of the mesh, -1: behind it, 0: not near or beside it.
static int side_of(const vs_triangles *t, vs_vec3 x, double reach) {
    search s = {.t = t, .x = x, .distance = reach, .triangle = -1};
    shrink(&s);
    vs_triangles_search(t, &s.box, visit, &s);
    const double height = s.triangle < 0 ? 0 : vs_dot(t->surface.normal[s.triangle], s.way);
    return height > FACING * s.distance ? 1 : height < -FACING * s.distance ? -1 : 0;
}

vs_facing vs_facing_of(const vs_world *world, int mesh) {
    const vs_collider *m = &world->collider[mesh];
    vs_facing found = {.first = -1};
    if (!m->alive || m->sensor || m->shape->kind != VS_SHAPE_MESH || m->shape->triangles.surface.closed)
        return found;
    const vs_pose pose = vs_collider_pose(world, m);
    for (int k = 0; k < world->colliders; k++) {
        const vs_collider *c = &world->collider[k];
        if (!c->alive || c->sensor || c->body == m->body || !(world->body[c->body].mass > 0) ||
            !vs_world_may_collide(world, m, c))
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
