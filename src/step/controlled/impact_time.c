// The time of an impact: see impact_time.h.
#include "step/controlled/impact_time.h"

#include <math.h>

#include "step/controlled/passing.h"
#include "step/controlled/rattle.h"
#include "step/controlled/saved_state.h"
#include "step/controlled/touching.h"

enum { BISECTIONS = 40 };
// Of the smaller size: gaps beyond it are not needed for a root.
static const double REACH = .1;
// Of a step: the least time that is searched after pairs are about to touch.
static const double LEAST_PART = 1e-9;

// Moves a body to the time t of a step of h.
static void place(vs_simulation *s, int index, double h, double t) {
    vs_body *body = &s->world->body[index];
    const vs_saved_body *from = &s->saved.body.data[index];
    const int block = vs_blocks_of_body(&s->blocks, index);
    if (block == VS_NO_BLOCK) {
        if (body->motion == VS_MOTION_STATIC)
            return;
        body->pose.position = vs_add_scaled(from->pose.position, t, body->velocity);
        body->pose.rotation = vs_quat_multiply(from->pose.rotation, vs_quat_exp(vs_scale(t, body->spin)));
        return;
    }
    const double *u = s->problem.result.v + vs_blocks_column(&s->blocks, block);
    const vs_vec3 change = vs_subtract((vs_vec3){u[0], u[1], u[2]}, from->velocity);
    const vs_vec3 turn = vs_subtract((vs_vec3){u[3], u[4], u[5]}, from->spin);
    const vs_vec3 way = vs_add_scaled(vs_scale(t, from->velocity), t * t / h, change);
    const vs_vec3 angle = vs_add_scaled(vs_scale(t, from->spin), t * t / h, turn);
    body->pose.position = vs_add(from->pose.position, way);
    body->pose.rotation = vs_quat_normalize(vs_quat_multiply(from->pose.rotation, vs_quat_exp(angle)));
    body->velocity = vs_add_scaled(from->velocity, 2 * t / h, change);
    body->spin = vs_add_scaled(from->spin, 2 * t / h, turn);
}

static bool has_triangles(const vs_world *world, int collider) {
    return vs_shape_has_triangles(world->collider[collider].shape);
}

// Least gap of the striking contacts of a pair at the time t.
static double gap_of(vs_simulation *s, const vs_contact *pair, double h, double t) {
    const vs_world *world = s->world;
    const vs_collider *a = &world->collider[pair->collider_a], *b = &world->collider[pair->collider_b];
    // Linear; the step shows the rest. Not where they meet within the step only.
    if (has_triangles(world, pair->collider_a) || has_triangles(world, pair->collider_b))
        return pair->moved > 0 ? INFINITY : pair->gap - t * fmax(vs_contact_approach(s, pair, 0), 0);
    place(s, pair->a, h, t);
    place(s, pair->b, h, t);
    const vs_pose pose[2] = {vs_collider_pose(world, a), vs_collider_pose(world, b)};
    const double size = vs_contact_size(world, pair);
    vs_manifold m = {0};
    (void)vs_collision_meet(s->contacts.collision, pair->collider_a, pair->collider_b, pose, REACH * size, &m);
    double least = REACH * size;
    for (int k = 0; k < m.count; k++) {
        vs_contact contact = *pair;
        contact.point = m.at[k].point, contact.normal = m.at[k].normal, contact.gap = m.at[k].gap;
        if (vs_contact_strikes(s, &contact, 0))
            least = fmin(least, contact.gap);
    }
    return least;
}

static double least_gap(vs_simulation *s, double h, double t) {
    double least = INFINITY;
    for (int64_t k = 0; k < s->control.located.count; k++)
        least = fmin(least, gap_of(s, &s->control.located.data[k], h, t));
    return least;
}

// The last time, at most h, before which no pair passes through another one: those that do are apart again at h.
static vs_error find_last(vs_simulation *s, double h, double *last) {
    double first;
    for (int k = 1; k < s->world->bodies; k++)
        place(s, k, h, h);
    const vs_error error = vs_passing_find(s, h, &first);
    *last = fmin(first, 1) * h;
    return error;
}

// A pair that passes was found just before it touches. A time just after that, or `from` if there is none: so far the gap is
// below VS_CCD_TARGET of the smaller size, and so is the first overlap.
static double find_overlap(vs_simulation *s, double h, double from) {
    const double left = h - from;
    double more = LEAST_PART * left;
    while (more < left && least_gap(s, h, from + more) >= 0)
        more *= 2;
    return more < left ? from + more : from;
}

vs_error vs_impact_time_find(vs_simulation *s, double h, double *time, vs_step_report *report) {
    *time = h;
    vs_error error = vs_rattle_solve_unlocated(s, h, report);
    if (!error)
        error = find_last(s, h, time);
    if (error)
        return error;
    double low = 0, high = *time;
    if (high < h && least_gap(s, h, high) > 0) {
        low = high;
        high = find_overlap(s, h, low);
    }
    if (least_gap(s, h, high) < 0) {
        for (int k = 0; k < BISECTIONS; k++) {
            const double middle = .5 * (low + high);
            if (least_gap(s, h, middle) > 0)
                low = middle;
            else
                high = middle;
        }
        *time = high;
    }
    vs_saved_state_restore(s);
    return VS_OK;
}
