// Contacts of flexible solids with rigid shapes: nodes of the surface against the shape's closest point.
//
// For the narrow phase a node is a sphere of radius zero; against meshes it is paired with the nearest triangle. A
// contact counts if it may close within the step:
//
//     gap <= max(1e-3 size of the smaller, a quarter of the mesh edges there) + 1.5 h (closing speed + h g)
//
// unless the caller specifies an envelope. Nodes attached to a body do not collide with it. The other half, points
// against the faces of solids, is in node_faces.c.
#include "collide/convex/closest.h"
#include "base/array.h"
#include "collide/narrow/narrow.h"
#include "collide/node/node_data.h"

#include <string.h>

vs_error vs_node_collision_create(vs_world *world, vs_node_collision **collision) {
    vs_node_collision *c = vs_allocate(world->context, sizeof *c);
    *collision = c;
    if (!c)
        return vs_fail_memory(world->context);
    *c = (vs_node_collision){.world = world, .context = world->context};
    c->broad.context = world->context;
    return VS_OK;
}

void vs_node_collision_destroy(vs_node_collision *c) {
    if (!c)
        return;
    vs_broad_release(&c->broad);
    vs_release(c->context, c->solid);
    vs_release(c->context, c->normal);
    vs_release(c->context, c->item);
    vs_release(c->context, c->box);
    vs_release(c->context, c->near);
    vs_release(c->context, c->contacts.contact);
    vs_release(c->context, c);
}

// ---- solids ----------------------------------------------------------------------------------------

static void measure_solid(const vs_flexible *f, vs_placed_solid *s) {
    s->box = (vs_box3){{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
    s->speed = 0;
    for (int k = 0; k < f->surface_nodes; k++) {
        vs_vec3 x = f->position[f->surface_node[k]];
        s->box.low = (vs_vec3){fmin(s->box.low.x, x.x), fmin(s->box.low.y, x.y), fmin(s->box.low.z, x.z)};
        s->box.high = (vs_vec3){fmax(s->box.high.x, x.x), fmax(s->box.high.y, x.y), fmax(s->box.high.z, x.z)};
        s->speed = fmax(s->speed, vs_length(f->velocity[f->surface_node[k]]));
    }
}

static void find_normals(const vs_flexible *f, vs_vec3 *normal) {
    memset(normal, 0, sizeof *normal * (size_t)f->nodes);
    for (int k = 0; k < f->faces; k++) {
        const int *v = f->face + 3 * (int64_t)k;
        vs_vec3 a = vs_subtract(f->position[v[1]], f->position[v[0]]);
        vs_vec3 n = vs_cross(a, vs_subtract(f->position[v[2]], f->position[v[0]]));
        for (int i = 0; i < 3; i++)
            normal[v[i]] = vs_add(normal[v[i]], n);
    }
    for (int k = 0; k < f->nodes; k++)
        normal[k] = vs_normalize(normal[k]);
}

static vs_error place_solids(vs_node_collision *c) {
    const vs_world *world = c->world;
    int total = 1;
    for (int k = 0; k < world->flexibles; k++)
        total += world->flexible[k].beam ? 0 : world->flexible[k].nodes;
    vs_error error = vs_array_reserve(c->context, &c->solid, &c->solid_capacity, world->flexibles, sizeof *c->solid);
    if (!error)
        error = vs_array_reserve(c->context, &c->normal, &c->normal_capacity, total, sizeof *c->normal);
    if (error)
        return error;
    vs_vec3 *next = c->normal;
    for (int k = 0; k < world->flexibles; k++) {
        const vs_flexible *f = &world->flexible[k];
        c->solid[k] = (vs_placed_solid){.active = f->alive && !f->beam && f->collide, .normal = next};
        if (!c->solid[k].active)
            continue;
        measure_solid(f, &c->solid[k]);
        find_normals(f, next);
        next += f->nodes;
    }
    return VS_OK;
}

// ---- nodes against rigid shapes --------------------------------------------------------------------

static bool in_box(const vs_box3 *b, vs_vec3 x) {
    return x.x >= b->low.x && x.x <= b->high.x && x.y >= b->low.y && x.y <= b->high.y && x.z >= b->low.z &&
           x.z <= b->high.z;
}

// Signed distance of x to the surface and the direction outward (world); false if it is beyond the reach.
static bool meet_mesh(const vs_shape *shape, vs_pose pose, vs_vec3 x, double reach, vs_vec3 *outward, double *gap) {
    const vs_triangles *t = &shape->triangles;
    const vs_vec3 local = vs_pose_apply_back(pose, x);
    const vs_nearest n = vs_triangles_nearest(t, local, reach);
    if (n.triangle < 0)
        return false;
    const int *corner = t->index + 3 * (int64_t)n.triangle;
    const vs_vec3 v = t->vertex[corner[0]];
    const vs_vec3 normal =
        vs_normalize(vs_cross(vs_subtract(t->vertex[corner[1]], v), vs_subtract(t->vertex[corner[2]], v)));
    vs_vec3 away = vs_subtract(local, n.point);
    bool front = vs_dot(away, normal) >= 0;
    *gap = front ? n.distance : -n.distance;
    bool edge = front && n.distance > 1e-9 * shape->size && vs_dot(away, normal) < .999 * n.distance;
    *outward = vs_rotate(pose.rotation, edge ? vs_scale(1 / n.distance, away) : normal);
    return true;
}

static bool meet_shape(const vs_shape *shape, vs_pose pose, vs_vec3 x, double reach, vs_vec3 *outward, double *gap) {
    if (vs_shape_has_triangles(shape))
        return meet_mesh(shape, pose, x, reach, outward, gap);
    const vs_shape point = {.kind = VS_SHAPE_SPHERE};
    vs_manifold m;
    vs_narrow(&point, (vs_pose){x, {1, 0, 0, 0}}, shape, pose, reach, &m);
    if (m.count == 0)
        return false;
    *outward = vs_scale(-1, m.at[0].normal);
    *gap = m.at[0].gap;
    return true;
}

typedef struct rigid_pair {
    int flexible, collider;
    vs_pose pose;
    vs_box3 box; // of the collider, grown
    double reach;
} rigid_pair;

static vs_error meet_node(vs_node_collision *c, const rigid_pair *pair, int node) {
    const vs_flexible *f = &c->world->flexible[pair->flexible];
    const vs_collider *collider = &c->world->collider[pair->collider];
    const vs_body *body = &c->world->body[collider->body];
    vs_vec3 x = f->position[node], outward;
    double gap;
    if (body->motion != VS_MOTION_DYNAMIC && !vs_node_is_free(c->world, f, node))
        return VS_OK;
    bool plane = !vs_shape_is_bounded(collider->shape);
    if ((!plane && !in_box(&pair->box, x)) || !meet_shape(collider->shape, pair->pose, x, pair->reach, &outward, &gap))
        return VS_OK;
    double u = vs_dot(outward, vs_subtract(f->velocity[node], vs_body_point_velocity(body, x)));
    double size = fmin(f->size, collider->shape->size);
    if (!vs_node_matters(c, gap, u, size, f->node_edge[node]))
        return VS_OK;
    vs_node_contact contact = {
        .side = {{.flexible = -1, .body = collider->body, .collider = pair->collider},
                 {.flexible = pair->flexible, .count = 1, .node = {node}, .weight = {1}}},
        .point = x,
        .normal = outward,
        .gap = gap,
        .size = size,
        .material = {collider->material, f->material},
        .surface_velocity = vs_scale(-1, vs_rotate(body->pose.rotation, collider->surface_velocity)),
        .key = vs_node_key(1, (uint64_t)pair->flexible << 32 | f->generation,
                           (uint64_t)pair->collider << 32 | collider->generation, (uint64_t)node)};
    return vs_node_add(c, &contact);
}

static vs_error meet_colliders(vs_node_collision *c, int flexible) {
    const vs_world *world = c->world;
    const vs_flexible *f = &world->flexible[flexible];
    const vs_placed_solid *s = &c->solid[flexible];
    vs_error error = VS_OK;
    for (int k = 0; k < world->colliders && !error; k++) {
        const vs_collider *collider = &world->collider[k];
        if (!collider->alive || collider->sensor)
            continue;
        const vs_body *body = &world->body[collider->body];
        bool plane = !vs_shape_is_bounded(collider->shape);
        double arm = plane ? 0 : vs_shape_arm(collider->shape, collider->pose);
        double speed = s->speed + vs_length(body->velocity) + vs_length(body->spin) * arm;
        rigid_pair pair = {.flexible = flexible, .collider = k, .pose = vs_collider_pose(world, collider)};
        pair.reach = vs_node_reach(c, speed) + vs_node_margin(f->size, f->edge);
        if (!plane) {
            pair.box = vs_shape_bounds(collider->shape, pair.pose, pair.reach);
            if (!vs_boxes_meet(&pair.box, &s->box))
                continue;
        }
        if (!vs_node_filter(world, f, collider))
            continue;
        for (int i = 0; i < f->surface_nodes && !error; i++)
            error = meet_node(c, &pair, f->surface_node[i]);
    }
    return error;
}

vs_error vs_node_collision_find(vs_node_collision *c, double h, double envelope, const vs_node_contacts **contacts) {
    *contacts = &c->contacts;
    c->contacts.count = 0;
    c->h = h;
    c->envelope = envelope;
    if (c->world->flexible_slots.used == 0)
        return VS_OK;
    vs_error error = place_solids(c);
    for (int k = 0; k < c->world->flexibles && !error; k++)
        if (c->solid[k].active)
            error = meet_colliders(c, k);
    if (!error)
        error = vs_node_meet_faces(c);
    if (error)
        c->contacts.count = 0;
    return error;
}
