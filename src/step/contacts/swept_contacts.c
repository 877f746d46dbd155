// Contacts of pairs that would pass through each other: see swept_contacts.h.
#include "step/contacts/swept_contacts.h"

#include <math.h>

#include "base/hash.h"
#include "collide/collision_data.h"

// Contact points are searched within this many times the motion that is left.
static const double AHEAD = 1.5;

// ---- motion ----------------------------------------------------------------------------------------

vs_error vs_swept_bounds_set(vs_swept_pairs *pairs, const vs_world *world, const vs_blocks *blocks, const double *v,
                             double h) {
    vs_error error = VS_RESERVE(world->context, &pairs->bound, world->bodies);
    if (error)
        return error;
    pairs->bound.count = world->bodies;
    for (int k = 0; k < world->bodies; k++) {
        const vs_body *body = &world->body[k];
        const int block = blocks ? vs_blocks_of_body(blocks, k) : VS_NO_BLOCK;
        vs_vec3 velocity = body->velocity, spin = body->spin;
        if (block != VS_NO_BLOCK) {
            const double *u = v + 6 * (int64_t)block;
            velocity = (vs_vec3){u[0], u[1], u[2]};
            spin = (vs_vec3){u[3], u[4], u[5]};
        }
        const bool moves = vs_body_takes_part(body) && body->motion != VS_MOTION_STATIC;
        pairs->bound.data[k] =
            moves ? (vs_motion_bound){h * vs_length(velocity), h * vs_length(spin)} : (vs_motion_bound){0, 0};
    }
    return VS_OK;
}

vs_path vs_swept_path(const vs_late_search *s, int index) {
    const vs_body *body = &s->step->world->body[index];
    if (!vs_body_takes_part(body) || body->motion == VS_MOTION_STATIC)
        return (vs_path){.begin = body->pose, .stop = 1};
    const int block = vs_blocks_of_body(s->step->blocks, index);
    const double *u = block == VS_NO_BLOCK ? NULL : s->v + 6 * (int64_t)block + 3;
    const vs_vec3 spin = u ? (vs_vec3){u[0], u[1], u[2]} : body->spin;
    const vs_pose end =
        vs_blocks_move_body(s->step->blocks, s->step->world, index, s->v, s->step->kick->h, s->step->kick->centred)
            .pose;
    return vs_path_between(body->pose, end, vs_scale(s->step->kick->h, spin));
}

// The paths of all bodies with the solution; bounds of their turns may grow by the gyroscopic part.
static vs_error set_paths(vs_swept_pairs *pairs, const vs_late_search *s) {
    const vs_world *world = s->step->world;
    vs_error error = VS_RESERVE(world->context, &pairs->path, world->bodies);
    if (error)
        return error;
    pairs->path.count = world->bodies;
    for (int k = 0; k < world->bodies; k++) {
        vs_motion_bound *bound = &pairs->bound.data[k];
        vs_path *path = &pairs->path.data[k];
        *path = (vs_path){.begin = world->body[k].pose, .stop = 1};
        if (!(bound->way > 0 || bound->turn > 0))
            continue;
        *path = vs_swept_path(s, k);
        bound->turn = fmax(bound->turn, vs_length(path->turn));
    }
    return VS_OK;
}

// ---- a pair that meets -----------------------------------------------------------------------------

typedef struct meeting {
    vs_swept_pair pair;
    vs_path path[2];
    vs_pose body[2]; // at the time s
    double s;
    int moved; // place of these poses
} meeting;

static vs_vec3 move_back(const meeting *m, int side, vs_vec3 x) {
    return vs_pose_apply(m->path[side].begin, vs_pose_apply_back(m->body[side], x));
}

// The gap at the beginning of the points that meet, and with the bodies turned as they are then: the smaller one.
static double gap_before(const meeting *m, vs_vec3 point, vs_vec3 n, double gap) {
    const vs_vec3 on_a = vs_add_scaled(point, -.5 * gap, n), on_b = vs_add_scaled(point, .5 * gap, n);
    const vs_vec3 way = vs_scale(m->s, vs_subtract(m->path[1].way, m->path[0].way));
    const double turned = gap - vs_dot(n, way);
    const double first = vs_dot(n, vs_subtract(move_back(m, 1, on_b), move_back(m, 0, on_a)));
    return fmax(0, fmin(turned, first));
}

// m, way of a point of a body during the rest of the step, to first order.
static vs_vec3 way_left(const meeting *m, int side, vs_vec3 point) {
    const vs_path *path = &m->path[side];
    const vs_vec3 w = vs_rotate(path->begin.rotation, path->turn);
    const vs_vec3 u = vs_add(path->way, vs_cross(w, vs_subtract(point, m->body[side].position)));
    return vs_scale(1 - m->s, u);
}

static vs_error keep(vs_step_contacts *contacts, const vs_late_search *s, const meeting *m, const vs_contact *found) {
    vs_contact contact = *found;
    const vs_world *world = s->step->world;
    contact.collider_a = m->pair.a, contact.collider_b = m->pair.b;
    contact.a = world->collider[m->pair.a].body, contact.b = world->collider[m->pair.b].body;
    contact.pair = vs_collision_pair(contacts->collision, m->pair.a, m->pair.b);
    contact.shift = m->pair.shift;
    contact.gap = gap_before(m, found->point, found->normal, found->gap);
    contact.key = vs_hash_mix(contact.pair ^ vs_hash_mix((uint64_t)(s->round + 257) << 32 | found->feature));
    contact.feature = VS_FEATURE_NONE;
    contact.late = true;
    contact.moved = m->moved;
    vs_error error = VS_RESERVE(contacts->context, &contacts->late, contacts->late.count + 1);
    if (!error)
        contacts->late.data[contacts->late.count++] = contact;
    return error;
}

// The contact points as the bodies meet, first close ones, then all around.
static vs_error find_points(vs_step_contacts *contacts, const vs_world *world, const meeting *m, vs_manifold *points) {
    const vs_collider *a = &world->collider[m->pair.a], *b = &world->collider[m->pair.b];
    const vs_pose pose[2] = {vs_pose_multiply(m->body[0], a->pose), vs_pose_multiply(m->body[1], b->pose)};
    const double size = fmin(a->shape->size, b->shape->size);
    const double arm[2] = {vs_length(a->pose.position) + fmin(a->shape->size, 1e3 * size),
                           vs_length(b->pose.position) + fmin(b->shape->size, 1e3 * size)};
    const double left = (1 - m->s) * (vs_length(vs_subtract(m->path[1].way, m->path[0].way)) +
                                      vs_length(m->path[0].turn) * arm[0] + vs_length(m->path[1].turn) * arm[1]);
    const double envelope[] = {fmin(AHEAD * left + 10 * VS_CCD_TARGET * size, size), .1 * size, size};
    vs_error error = VS_OK;
    for (int k = 0; k < 3; k++) {
        points->count = 0;
        error = vs_collision_meet(contacts->collision, m->pair.a, m->pair.b, pose, envelope[k], points);
        if (error || points->count > 0)
            break;
    }
    return error;
}

// All that would close, and the closest one in any case.
static vs_error add_meeting(vs_step_contacts *contacts, const vs_late_search *s, meeting *m) {
    vs_manifold points = {0};
    vs_error error = find_points(contacts, s->step->world, m, &points);
    if (error || points.count == 0)
        return error;
    error = VS_RESERVE(contacts->context, &contacts->moved, contacts->moved.count + 2);
    if (error)
        return error;
    for (int side = 0; side < 2; side++)
        contacts->moved.data[contacts->moved.count++] = m->body[side];
    m->moved = (int)(contacts->moved.count / 2);
    int closest = 0;
    for (int k = 1; k < points.count; k++)
        closest = points.at[k].gap < points.at[closest].gap ? k : closest;
    for (int k = 0; k < points.count && !error; k++) {
        const vs_contact found = {.point = points.at[k].point,
                                  .normal = points.at[k].normal,
                                  .gap = points.at[k].gap,
                                  .feature = points.at[k].feature};
        const vs_vec3 left = vs_subtract(way_left(m, 1, found.point), way_left(m, 0, found.point));
        if (k == closest || found.gap + vs_dot(found.normal, left) < 0)
            error = keep(contacts, s, m, &found);
    }
    return error;
}

// ---- all pairs -------------------------------------------------------------------------------------

static bool is_searched(const vs_step_contacts *contacts, const vs_late_search *s, vs_swept_pair pair) {
    const uint64_t id = vs_collision_pair(contacts->collision, pair.a, pair.b);
    for (int64_t k = 0; k < s->located_count; k++)
        if (s->located[k].pair == id)
            return false;
    return !vs_world_meets_softly(s->step->world, pair.a, pair.b);
}

vs_error vs_swept_contacts_add(vs_step_contacts *contacts, const vs_late_search *s, int *added) {
    vs_swept_pairs *pairs = &contacts->swept;
    const vs_world *world = s->step->world;
    *added = 0;
    vs_error error = vs_swept_bounds_set(pairs, world, s->step->blocks, s->v, s->step->kick->h);
    if (error || !vs_swept_pairs_expected(pairs, contacts->collision))
        return error;
    error = set_paths(pairs, s);
    if (!error)
        error = vs_swept_pairs_find(pairs, contacts->collision);
    contacts->late.count = 0;
    for (int64_t k = 0; k < pairs->pair.count && !error; k++) {
        meeting m = {.pair = pairs->pair.data[k]};
        if (!is_searched(contacts, s, m.pair))
            continue;
        m.s = vs_swept_pairs_meet(pairs, world, m.pair, 0, false);
        if (m.s > 1)
            continue;
        for (int side = 0; side < 2; side++) {
            m.path[side] = pairs->path.data[world->collider[side ? m.pair.b : m.pair.a].body];
            if (side == 1)
                m.path[1] = vs_path_moved(m.path[1], m.pair.shift);
            m.body[side] = vs_path_at(&m.path[side], m.s);
        }
        error = add_meeting(contacts, s, &m);
    }
    *added = (int)contacts->late.count;
    return error || *added == 0 ? error : vs_step_contacts_merge(contacts);
}
