// Bodies that stop where they meet: see hold.h.
#include "step/scheme/hold.h"

#include <math.h>

#include "base/disjoint_sets.h"
#include "step/contacts/swept_contacts.h"

void vs_hold_release(vs_context *context, vs_hold *hold) {
    VS_ARRAY_RELEASE(context, &hold->begin);
    VS_ARRAY_RELEASE(context, &hold->spin);
    VS_ARRAY_RELEASE(context, &hold->group);
    VS_ARRAY_RELEASE(context, &hold->time);
}

// Impacts within a step of shake move bodies with the velocities before them, too.
static void add_velocities_before(vs_simulation *s) {
    for (int64_t k = 0; k < s->blocks.body.count && s->kick.centred && s->problem.solver; k++) {
        const double *u = s->blocks.before.data + 6 * k;
        vs_motion_bound *bound = &s->contacts.swept.bound.data[s->blocks.body.data[k]];
        bound->way = fmax(bound->way, s->kick.h * vs_length((vs_vec3){u[0], u[1], u[2]}));
        bound->turn = fmax(bound->turn, s->kick.h * vs_length((vs_vec3){u[3], u[4], u[5]}));
    }
}

// So do velocities that bodies do not keep.
static void add_moved(vs_simulation *s) {
    for (int k = 1; k < s->world->bodies && s->moved.active; k++) {
        const vs_moved_body *moved = vs_moved_bodies_motion(&s->moved, &s->blocks, k);
        vs_motion_bound *bound = &s->contacts.swept.bound.data[k];
        if (!moved)
            continue;
        bound->way = fmax(bound->way, s->kick.h * vs_length(moved->velocity));
        bound->turn = fmax(bound->turn, s->kick.h * vs_length(moved->spin));
    }
}

vs_error vs_hold_begin(vs_simulation *s) {
    const vs_world *world = s->world;
    vs_hold *hold = &s->hold;
    hold->begin.count = 0;
    if (s->division)
        return VS_OK;
    vs_error error = vs_swept_bounds_set(&s->contacts.swept, world, NULL, NULL, s->kick.h);
    if (!error)
        add_velocities_before(s), add_moved(s);
    if (error || !vs_swept_pairs_expected(&s->contacts.swept, s->contacts.collision))
        return error;
    error = VS_RESERVE(s->context, &hold->begin, world->bodies);
    if (!error)
        error = VS_RESERVE(s->context, &hold->spin, world->bodies);
    if (error)
        return error;
    for (int k = 0; k < world->bodies; k++) {
        hold->begin.data[k] = world->body[k].pose;
        const vs_moved_body *moved = vs_moved_bodies_motion(&s->moved, &s->blocks, k);
        hold->spin.data[k] = moved ? moved->spin : world->body[k].spin;
    }
    hold->begin.count = world->bodies;
    return VS_OK;
}

// ---- paths -----------------------------------------------------------------------------------------

static vs_error set_paths(vs_simulation *s) {
    vs_swept_pairs *pairs = &s->contacts.swept;
    const vs_world *world = s->world;
    vs_error error = VS_RESERVE(s->context, &pairs->path, world->bodies);
    if (error)
        return error;
    pairs->path.count = world->bodies;
    for (int k = 0; k < world->bodies; k++) {
        const vs_path path =
            vs_path_between(s->hold.begin.data[k], world->body[k].pose, vs_scale(s->kick.h, s->hold.spin.data[k]));
        pairs->path.data[k] = path;
        pairs->bound.data[k] = (vs_motion_bound){vs_length(path.way), vs_length(path.turn)};
    }
    return VS_OK;
}

static void find_time(vs_simulation *s, int64_t k, double from) {
    const vs_swept_pair pair = s->contacts.swept.pair.data[k];
    const bool soft = vs_world_meets_softly(s->world, pair.a, pair.b);
    s->hold.time.data[k] = vs_swept_pairs_meet(&s->contacts.swept, s->world, pair, from, soft);
}

// ---- groups that joints connect --------------------------------------------------------------------

static vs_error find_groups(vs_simulation *s) {
    const vs_world *world = s->world;
    vs_error error = VS_RESERVE(s->context, &s->hold.group, world->bodies);
    if (error)
        return error;
    int *group = s->hold.group.data;
    for (int k = 0; k < world->bodies; k++)
        group[k] = k;
    for (int k = 0; k < world->joints; k++) {
        const vs_joint *joint = &world->joint[k];
        if (joint->alive && world->body[joint->a].motion == VS_MOTION_DYNAMIC &&
            world->body[joint->b].motion == VS_MOTION_DYNAMIC)
            (void)vs_sets_join(group, joint->a, joint->b);
    }
    return VS_OK;
}

// Stops the group of a body at s, unless it rests already; its number.
static int stop(vs_simulation *s, int body, double time) {
    int *group = s->hold.group.data, stopped = 0;
    const int root = vs_sets_root(group, body);
    if (s->world->body[body].motion != VS_MOTION_DYNAMIC || s->contacts.swept.path.data[body].stop <= time)
        return 0;
    for (int k = 1; k < s->world->bodies; k++)
        if (vs_sets_root(group, k) == root && s->world->body[k].alive) {
            s->contacts.swept.path.data[k].stop = time;
            stopped++;
        }
    return stopped;
}

// ---- the order of time -----------------------------------------------------------------------------

static int64_t find_first(const vs_simulation *s) {
    int64_t first = -1;
    for (int64_t k = 0; k < s->contacts.swept.pair.count; k++)
        if (s->hold.time.data[k] <= 1 && (first < 0 || s->hold.time.data[k] < s->hold.time.data[first]))
            first = k;
    return first;
}

// Bodies that came to rest meet others at other times.
static void find_times_again(vs_simulation *s, double time) {
    const vs_swept_pairs *pairs = &s->contacts.swept;
    for (int64_t k = 0; k < pairs->pair.count; k++) {
        const int a = s->world->collider[pairs->pair.data[k].a].body,
                  b = s->world->collider[pairs->pair.data[k].b].body;
        const bool changed = pairs->path.data[a].stop == time || pairs->path.data[b].stop == time;
        if (changed && s->hold.time.data[k] > time)
            find_time(s, k, time);
    }
}

static void stop_bodies(vs_simulation *s, vs_step_report *report) {
    for (int64_t k = find_first(s); k >= 0; k = find_first(s)) {
        const double time = s->hold.time.data[k];
        const vs_swept_pair pair = s->contacts.swept.pair.data[k];
        s->hold.time.data[k] = INFINITY;
        const int stopped =
            stop(s, s->world->collider[pair.a].body, time) + stop(s, s->world->collider[pair.b].body, time);
        report->held += stopped;
        if (stopped > 0)
            find_times_again(s, time);
    }
}

// A body that rests for a part of the step does not fall: gravity, which acted for the whole of it, must not keep on making it
// faster. What it has gained along its way stays.
static void stop_fall(vs_simulation *s, int index) {
    vs_body *body = &s->world->body[index];
    const vs_vec3 g = s->world->gravity;
    const double size = vs_dot(g, g), falls = size > 0 ? vs_dot(body->velocity, g) / size : 0; // s, of falling
    const double lost = (1 - s->contacts.swept.path.data[index].stop) * s->kick.h;
    if (body->joints == 0 && falls > 0)
        body->velocity = vs_add_scaled(body->velocity, -fmin(lost, falls), g);
}

vs_error vs_hold_end(vs_simulation *s, vs_step_report *report) {
    if (s->hold.begin.count == 0)
        return VS_OK;
    vs_swept_pairs *pairs = &s->contacts.swept;
    vs_error error = set_paths(s);
    if (!error)
        error = vs_swept_pairs_find(pairs, s->contacts.collision);
    if (!error)
        error = VS_RESERVE(s->context, &s->hold.time, pairs->pair.count);
    if (error)
        return error;
    for (int64_t k = 0; k < pairs->pair.count; k++)
        find_time(s, k, 0);
    if (find_first(s) < 0)
        return VS_OK;
    error = find_groups(s);
    if (error)
        return error;
    stop_bodies(s, report);
    for (int k = 1; k < s->world->bodies; k++)
        if (pairs->path.data[k].stop < 1) {
            s->world->body[k].pose = vs_path_at(&pairs->path.data[k], 1);
            stop_fall(s, k);
        }
    return VS_OK;
}
