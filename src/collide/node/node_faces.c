// Points against the faces of flexible solids: corners of boxes and hulls, balls (spheres, the ends of capsules), nodes
// of other solids, and a solid's own nodes.
//
// Candidates are pairs of boxes of points and triangles; for each point and solid the nearest face counts. A ball
// touches every face that it is above: in a dent it touches several, and if it were pressed into one after the other it
// would be pushed out each time, which creates energy.
// Faces are one-sided. Behind one a point counts only up to half a mesh edge deep, so that a thin solid does not touch
// its own back, and only a node whose surface faces the other way. A solid touches itself where two points are closer
// than half of their distance at rest (a quarter, if they overlap already): neighbouring points are not in contact.
#include "collide/convex/closest.h"
#include "base/array.h"
#include "collide/node/node_data.h"

#include <stdlib.h>
#include <string.h>

static const double DEPTH_SHARE = .5;                     // of a mesh edge
static const double APART_SHARE = .5, INSIDE_SHARE = .25; // of the distance at rest

// ---- items -----------------------------------------------------------------------------------------

static vs_error add_item(vs_node_collision *c, vs_node_item item, vs_box3 box) {
    vs_error error = vs_array_reserve(c->context, &c->item, &c->item_capacity, c->items + 1, sizeof *c->item);
    if (!error)
        error = vs_array_reserve(c->context, &c->box, &c->box_capacity, c->items + 1, sizeof *c->box);
    if (error)
        return error;
    c->item[c->items] = item;
    c->box[c->items++] = box;
    return VS_OK;
}

// A margin for bodies at rest, plus the displacement at this speed.
static double margin_of(const vs_node_collision *c, const vs_flexible *f, double speed) {
    return vs_node_reach(c, speed) + fmax(.5e-3 * f->size, .5 * f->edge);
}

static vs_error add_faces(vs_node_collision *c, int flexible) {
    const vs_flexible *f = &c->world->flexible[flexible];
    vs_error error = VS_OK;
    for (int k = 0; k < f->faces && !error; k++) {
        const int *v = f->face + 3 * (int64_t)k;
        vs_box3 box = {f->position[v[0]], f->position[v[0]]};
        double speed = 0;
        for (int i = 0; i < 3; i++) {
            vs_vec3 x = f->position[v[i]];
            box.low = (vs_vec3){fmin(box.low.x, x.x), fmin(box.low.y, x.y), fmin(box.low.z, x.z)};
            box.high = (vs_vec3){fmax(box.high.x, x.x), fmax(box.high.y, x.y), fmax(box.high.z, x.z)};
            speed = fmax(speed, vs_length(f->velocity[v[i]]));
        }
        error = add_item(c, (vs_node_item){.flexible = flexible, .index = k, .triangle = true},
                         vs_box_grow(box, margin_of(c, f, speed)));
    }
    return error;
}

static vs_error add_nodes(vs_node_collision *c, int flexible) {
    const vs_flexible *f = &c->world->flexible[flexible];
    vs_error error = VS_OK;
    for (int k = 0; k < f->surface_nodes && !error; k++) {
        int node = f->surface_node[k];
        vs_vec3 x = f->position[node];
        double reach = vs_node_reach(c, vs_length(f->velocity[node]));
        error = add_item(c, (vs_node_item){.flexible = flexible, .index = node, .x = x},
                         vs_box_grow((vs_box3){x, x}, reach));
    }
    return error;
}

static vs_error add_rigid_point(vs_node_collision *c, int collider, int number, vs_vec3 x, double radius) {
    const vs_body *body = &c->world->body[c->world->collider[collider].body];
    double reach = vs_node_reach(c, vs_length(vs_body_point_velocity(body, x)));
    return add_item(c, (vs_node_item){.flexible = -1, .index = number, .collider = collider, .x = x, .radius = radius},
                    vs_box_grow((vs_box3){x, x}, radius + reach));
}

static bool has_points(const vs_shape *shape) {
    return shape->polytope.vertices > 0 || vs_class_of(shape)->ends;
}

static vs_error add_rigid_points(vs_node_collision *c, int collider) {
    const vs_collider *from = &c->world->collider[collider];
    vs_pose pose = vs_collider_pose(c->world, from);
    const vs_shape *shape = from->shape;
    vs_error error = VS_OK;
    for (int k = 0; k < shape->polytope.vertices && !error; k++)
        error = add_rigid_point(c, collider, k, vs_pose_apply(pose, shape->polytope.vertex[k]), 0);
    vs_vec3 end[2];
    const vs_shape_class *kind = vs_class_of(shape);
    const int ends = kind->ends ? kind->ends(shape, end) : 0;
    for (int k = 0; k < ends && !error; k++)
        error = add_rigid_point(c, collider, k, vs_pose_apply(pose, end[k]), kind->core(shape).radius);
    return error;
}

// Lists the faces and nodes of solids, and the points of colliders, that may have contacts.
static vs_error gather_items(vs_node_collision *c) {
    const vs_world *world = c->world;
    vs_error error = VS_OK;
    c->items = 0;
    for (int a = 0; a < world->flexibles; a++) {
        c->solid[a].faces = c->solid[a].active && world->flexible[a].self_contact;
    }
    for (int a = 0; a < world->flexibles; a++)
        for (int b = 0; b < a && c->solid[a].active; b++) {
            double margin = vs_node_reach(c, c->solid[a].speed + c->solid[b].speed) + world->flexible[a].edge +
                            world->flexible[b].edge;
            vs_box3 box = vs_box_grow(c->solid[a].box, margin);
            if (c->solid[b].active && vs_boxes_meet(&box, &c->solid[b].box))
                c->solid[a].faces = c->solid[b].faces = true;
        }
    bool nodes = false;
    for (int k = 0; k < world->flexibles && !error; k++)
        if (c->solid[k].faces) {
            error = add_nodes(c, k);
            nodes = true;
        }
    for (int k = 0; k < world->colliders && !error; k++) {
        const vs_collider *collider = &world->collider[k];
        bool wanted = false;
        if (!collider->alive || collider->sensor || !has_points(collider->shape))
            continue;
        for (int a = 0; a < world->flexibles; a++) {
            if (!c->solid[a].active)
                continue;
            const vs_body *body = &world->body[collider->body];
            double speed = c->solid[a].speed + vs_length(body->velocity) +
                           vs_length(body->spin) * vs_shape_arm(collider->shape, collider->pose);
            vs_box3 box = vs_shape_bounds(collider->shape, vs_collider_pose(world, collider),
                                          vs_node_reach(c, speed) + world->flexible[a].edge);
            bool near = vs_boxes_meet(&box, &c->solid[a].box) && vs_node_filter(world, &world->flexible[a], collider);
            wanted = wanted || near;
            c->solid[a].faces = c->solid[a].faces || near;
        }
        if (wanted)
            error = add_rigid_points(c, k);
    }
    if (c->items == 0 && !nodes)
        return error;
    for (int k = 0; k < world->flexibles && !error; k++)
        if (c->solid[k].faces)
            error = add_faces(c, k);
    return error;
}

static bool face_has(const vs_flexible *f, int face, int node) {
    const int *v = f->face + 3 * (int64_t)face;
    return v[0] == node || v[1] == node || v[2] == node;
}

static bool all_given(const vs_world *world, const vs_flexible *f, int face) {
    for (int k = 0; k < 3; k++)
        if (vs_node_is_free(world, f, f->face[3 * (int64_t)face + k]))
            return false;
    return true;
}

static bool accept(void *user, int first, int second) {
    const vs_node_collision *c = user;
    const vs_node_item *p = &c->item[first], *t = &c->item[second];
    if (p->triangle == t->triangle)
        return false;
    if (p->triangle) {
        const vs_node_item *swap = p;
        p = t, t = swap;
    }
    const vs_world *world = c->world;
    const vs_flexible *f = &world->flexible[t->flexible];
    if (p->flexible < 0) {
        const vs_collider *collider = &world->collider[p->collider];
        return vs_node_filter(world, f, collider) &&
               (world->body[collider->body].motion == VS_MOTION_DYNAMIC || !all_given(world, f, t->index));
    }
    if (p->flexible == t->flexible)
        return f->self_contact && !face_has(f, t->index, p->index);
    const vs_flexible *g = &world->flexible[p->flexible];
    return (f->group & g->mask) && (g->group & f->mask) &&
           (vs_node_is_free(world, g, p->index) || !all_given(world, f, t->index));
}

// ---- pairs -----------------------------------------------------------------------------------------

static void corners(const vs_flexible *f, const vs_vec3 *x, int face, vs_vec3 v[3]) {
    for (int k = 0; k < 3; k++)
        v[k] = x[f->face[3 * (int64_t)face + k]];
}

// Points that are close at rest are neighbours, not in contact.
static bool apart_at_rest(const vs_flexible *f, int node, int face, double gap) {
    vs_vec3 v[3];
    corners(f, f->rest, face, v);
    double rest = vs_length(vs_subtract(f->rest[node], vs_closest_on_triangle(v, f->rest[node])));
    return gap >= 0 ? gap < APART_SHARE * rest : -gap < INSIDE_SHARE * rest;
}

// Position of the point relative to the triangle; false if this is no contact.
static bool locate(const vs_node_collision *c, int point, int triangle, vs_near_face *near) {
    const vs_node_item *p = &c->item[point], *t = &c->item[triangle];
    const vs_flexible *f = &c->world->flexible[t->flexible];
    vs_vec3 v[3];
    corners(f, f->position, t->index, v);
    vs_vec3 n = vs_normalize(vs_cross(vs_subtract(v[1], v[0]), vs_subtract(v[2], v[0])));
    vs_vec3 foot = vs_closest_on_triangle(v, p->x), r = vs_subtract(p->x, foot);
    double along = vs_dot(r, n), distance = vs_length(r);
    bool over = vs_length(vs_add_scaled(r, -along, n)) <= 1e-9 * f->edge;
    if (!over && along < 0)
        return false;
    *near = (vs_near_face){.point = point, .flexible = t->flexible, .face = t->index, .foot = foot};
    near->normal = over || distance <= 1e-9 * f->edge ? n : vs_scale(1 / distance, r);
    near->gap = (over ? along : distance) - p->radius;
    near->distance = distance;
    if (near->gap < -DEPTH_SHARE * f->edge - p->radius)
        return false;
    if (p->flexible < 0)
        return p->radius == 0 || over; // contacts of nodes with balls are found from the nodes
    if (vs_dot(c->solid[p->flexible].normal[p->index], near->normal) > .5)
        return false;
    return p->flexible != t->flexible || apart_at_rest(f, p->index, t->index, near->gap);
}

static int compare(const void *a, const void *b) {
    const vs_near_face *p = a, *q = b;
    if (p->point != q->point)
        return p->point < q->point ? -1 : 1;
    if (p->flexible != q->flexible)
        return p->flexible < q->flexible ? -1 : 1;
    if (p->distance != q->distance)
        return p->distance < q->distance ? -1 : 1;
    return (p->face > q->face) - (p->face < q->face);
}

// Weights of a point in the plane of a triangle, by areas; inside of it they are in 0 … 1.
static void barycentric(const vs_vec3 v[3], vs_vec3 x, double weight[3]) {
    vs_vec3 n = vs_cross(vs_subtract(v[1], v[0]), vs_subtract(v[2], v[0]));
    double total = vs_dot(n, n), sum = 0;
    for (int k = 0; k < 3; k++) {
        vs_vec3 a = vs_subtract(v[(k + 1) % 3], x), b = vs_subtract(v[(k + 2) % 3], x);
        weight[k] = fmin(fmax(total > 0 ? vs_dot(vs_cross(a, b), n) / total : 1. / 3, 0), 1);
        sum += weight[k];
    }
    for (int k = 0; k < 3; k++)
        weight[k] /= sum;
}

static vs_error add_contact(vs_node_collision *c, const vs_near_face *near, bool nearest) {
    const vs_world *world = c->world;
    const vs_node_item *p = &c->item[near->point];
    const vs_flexible *f = &world->flexible[near->flexible];
    vs_node_contact contact = {.point = near->foot, .normal = near->normal, .gap = near->gap, .size = f->size};
    vs_contact_side *face = &contact.side[0], *point = &contact.side[1];
    *face = (vs_contact_side){.flexible = near->flexible, .count = 3};
    vs_vec3 v[3], u, mean = VS_ZERO3;
    corners(f, f->position, near->face, v);
    barycentric(v, near->foot, face->weight);
    for (int k = 0; k < 3; k++) {
        face->node[k] = f->face[3 * (int64_t)near->face + k];
        mean = vs_add_scaled(mean, face->weight[k], f->velocity[face->node[k]]);
    }
    uint64_t name = (uint64_t)near->flexible << 32 | f->generation;
    contact.material[0] = f->material;
    if (p->flexible >= 0) {
        const vs_flexible *g = &world->flexible[p->flexible];
        *point = (vs_contact_side){.flexible = p->flexible, .count = 1, .node = {p->index}, .weight = {1}};
        u = g->velocity[p->index];
        contact.size = fmin(contact.size, g->size);
        contact.material[1] = g->material;
        contact.key = vs_node_key(2, name, (uint64_t)p->flexible << 32 | g->generation, (uint64_t)p->index);
    } else {
        const vs_collider *collider = &world->collider[p->collider];
        const vs_body *body = &world->body[collider->body];
        *point = (vs_contact_side){.flexible = -1, .body = collider->body, .collider = p->collider};
        u = vs_body_point_velocity(body, near->foot);
        contact.size = fmin(contact.size, collider->shape->size);
        contact.material[1] = collider->material;
        contact.surface_velocity = vs_rotate(body->pose.rotation, collider->surface_velocity);
        uint64_t beside = nearest ? 0 : (uint64_t)near->face + 1;
        contact.key =
            vs_node_key(3, name, (uint64_t)p->collider << 32 | collider->generation, (uint64_t)p->index | beside << 32);
    }
    u = vs_subtract(u, mean);
    if (!vs_node_matters(c, near->gap, vs_dot(near->normal, u), contact.size, f->edge))
        return VS_OK;
    return vs_node_add(c, &contact);
}

vs_error vs_node_meet_faces(vs_node_collision *c) {
    vs_error error = gather_items(c);
    if (error || c->items == 0)
        return error;
    error = vs_broad_find(&c->broad, c->box, c->items, accept, c);
    if (error)
        return error;
    c->nears = 0;
    for (int k = 0; k < c->broad.pairs; k++) {
        vs_box_pair pair = c->broad.pair[k];
        bool swapped = c->item[pair.first].triangle;
        vs_near_face near;
        if (!locate(c, swapped ? pair.second : pair.first, swapped ? pair.first : pair.second, &near))
            continue;
        if (vs_array_reserve(c->context, &c->near, &c->near_capacity, c->nears + 1, sizeof *c->near))
            return VS_ERROR_MEMORY;
        c->near[c->nears++] = near;
    }
    if (c->nears > 0)
        qsort(c->near, (size_t)c->nears, sizeof *c->near, compare);
    for (int k = 0; k < c->nears && !error; k++) {
        const vs_near_face *near = &c->near[k];
        bool nearest = k == 0 || near->point != near[-1].point || near->flexible != near[-1].flexible;
        if (nearest || (c->item[near->point].radius > 0 && near->gap > -c->item[near->point].radius))
            error = add_contact(c, near, nearest);
    }
    return error;
}
