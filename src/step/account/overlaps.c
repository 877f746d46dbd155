// Overlaps of bodies in the present state, and a way to remove them before a simulation starts.
//
// Bodies are moved apart by translation alone, in the metric of their masses: with the contacts found at the present
// positions, projected Gauss-Seidel on
//
//     minimise  sum of m_i |dx_i|^2   subject to   gap_k + n_k . (dx_b - dx_a) >= 0,
//
// then the contacts are found again, until no pair overlaps by more than the least depth that counts. Joints are
// projected after each round, within their limits: where a leg is at its stop, the whole robot gives way, a part of the
// depth in each round, as much as the foot weighs beside the rest. Bodies that cannot move (static ones, or those wedged between them) stay as they are.
#include <stdlib.h>

#include "body/joint_projection.h"
#include "step/data/simulation_data.h"

static const double LEAST = 1e-4; // of the smaller shape's size

// ---- search ----------------------------------------------------------------------------------------

typedef VS_ARRAY(vs_overlap) overlaps;

static double least_of(const vs_world *world, const vs_contact *c, double least) {
    if (least > 0)
        return least;
    return LEAST * fmin(world->collider[c->collider_a].shape->size, world->collider[c->collider_b].shape->size);
}

static vs_body_id id_of(const vs_world *world, int body) {
    return (vs_body_id){(uint32_t)body, world->body[body].generation};
}

static int by_depth(const void *first, const void *second) {
    const vs_overlap *p = first, *q = second;
    if (p->depth != q->depth)
        return p->depth > q->depth ? -1 : 1;
    return p->a.index != q->a.index ? (p->a.index < q->a.index ? -1 : 1)
                                    : (p->b.index > q->b.index) - (p->b.index < q->b.index);
}

// One per pair of bodies; contacts are sorted by them.
static vs_error list(const vs_world *world, const vs_contacts *contacts, double least, overlaps *found) {
    vs_error error = VS_OK;
    vs_overlap *last = NULL;
    for (int k = 0; k < contacts->count && !error; k++) {
        const vs_contact *c = &contacts->contact[k];
        if (!(-c->gap > least_of(world, c, least)))
            continue;
        const vs_overlap overlap = {id_of(world, c->a), id_of(world, c->b), -c->gap, c->point, c->normal};
        if (last && last->a.index == overlap.a.index && last->b.index == overlap.b.index) {
            *last = overlap.depth > last->depth ? overlap : *last;
            continue;
        }
        error = VS_RESERVE(world->context, found, found->count + 1);
        if (error)
            break;
        last = &found->data[found->count++];
        *last = overlap;
    }
    return error;
}

vs_error vs_simulation_find_overlaps(const vs_simulation *s, double least, vs_overlap *overlap, int capacity,
                                     int *count) {
    if (!s)
        return VS_ERROR_ARGUMENT;
    if (!count || capacity < 0 || (capacity > 0 && !overlap) || !(least >= 0))
        return vs_fail(s->context, VS_ERROR_ARGUMENT,
                       "overlaps: the count must not be null, depth and capacity not negative");
    *count = 0;
    vs_collision *collision;
    const vs_contacts *contacts;
    overlaps found = {0};
    vs_error error = vs_collision_create(s->world, &collision);
    if (!error)
        error = vs_collision_find(collision, 0, 0, NULL, &contacts);
    if (!error)
        error = list(s->world, contacts, least, &found);
    if (!error && found.count > 0) {
        qsort(found.data, (size_t)found.count, sizeof *found.data, by_depth);
        *count = (int)found.count;
        for (int k = 0; k < *count && k < capacity; k++)
            overlap[k] = found.data[k];
    }
    VS_ARRAY_RELEASE(s->context, &found);
    vs_collision_destroy(collision);
    return error;
}

// ---- separation ------------------------------------------------------------------------------------

static double inverse_mass(const vs_body *body) {
    return body->motion == VS_MOTION_DYNAMIC ? 1 / body->mass : 0;
}

// Moves the bodies by one round of Gauss-Seidel sweeps over the contacts. True: some pair counted as overlapping.
static bool push_apart(vs_world *world, const vs_contacts *contacts, vs_vec3 *moved) {
    enum { SWEEPS = 50 };
    bool overlap = false;
    for (int k = 0; k < world->bodies; k++)
        moved[k] = VS_ZERO3;
    for (int sweep = 0; sweep < SWEEPS; sweep++)
        for (int k = 0; k < contacts->count; k++) {
            const vs_contact *c = &contacts->contact[k];
            double wa = inverse_mass(&world->body[c->a]), wb = inverse_mass(&world->body[c->b]);
            double gap = c->gap + vs_dot(c->normal, vs_subtract(moved[c->b], moved[c->a]));
            overlap = overlap || (wa + wb > 0 && -c->gap > least_of(world, c, 0));
            if (!(gap < 0) || !(wa + wb > 0))
                continue;
            moved[c->a] = vs_add_scaled(moved[c->a], gap * wa / (wa + wb), c->normal);
            moved[c->b] = vs_add_scaled(moved[c->b], -gap * wb / (wa + wb), c->normal);
        }
    for (int k = 0; k < world->bodies && overlap; k++)
        world->body[k].pose.position = vs_add(world->body[k].pose.position, moved[k]);
    return overlap;
}

vs_error vs_simulation_separate(vs_simulation *s, int *left) {
    enum { ROUNDS = 100, ROUNDS_OF_JOINTS = 2000 };
    if (!s || !left)
        return VS_ERROR_ARGUMENT;
    vs_error error = vs_simulation_check_idle(s, "vs_simulation_separate");
    if (error)
        return error;
    vs_world *world = s->world;
    vs_collision *collision;
    const vs_contacts *contacts;
    VS_ARRAY(vs_vec3) moved = {0};
    error = vs_collision_create(world, &collision);
    if (!error)
        error = VS_RESERVE(s->context, &moved, world->bodies);
    const int rounds = world->joints > 0 ? ROUNDS_OF_JOINTS : ROUNDS;
    for (int round = 0; round < rounds && !error; round++) {
        error = vs_collision_find(collision, 0, 0, NULL, &contacts);
        if (error || !push_apart(world, contacts, moved.data))
            break;
        double drift;
        if (world->joints > 0)
            error = vs_joints_project_within_limits(world, 1e-13, 3, &drift);
    }
    VS_ARRAY_RELEASE(s->context, &moved);
    vs_collision_destroy(collision);
    return error ? error : vs_simulation_find_overlaps(s, 0, NULL, 0, left);
}
