// Impacts with restitution within a step: see impact_shift.h.
#include "step/scheme/impact_shift.h"

#include <math.h>
#include <string.h>

#include "base/disjoint_sets.h"

// Of the step: times of impacts that are alike.
static const double ALIKE = .01;

static bool is_impact(const vs_simulation *s, const vs_row_group *group) {
    return vs_row_group_is_contact(group) && s->contact_rows.impact_time.data[group->source] >= 0 &&
           vs_row_group_impulses(group, &s->problem.result)[0] > 0;
}

static bool is_any_impact(const vs_simulation *s) {
    for (int64_t k = 0; k < s->groups.group.count; k++)
        if (is_impact(s, &s->groups.group.data[k]))
            return true;
    return false;
}

// Velocities before the impacts of the step: those before it and, of bodies on which nothing else acts, what loads and gravity
// add, so that only the impulse of the impact is shifted. What joints and other contacts add belongs to no time of the step.
static void find_bases(vs_simulation *s) {
    const int blocks = (int)s->blocks.body.count;
    double *base = s->shake.base.data;
    memcpy(base, s->blocks.free.data, sizeof *base * 6 * (size_t)blocks);
    for (int64_t k = 0; k < s->groups.group.count; k++) {
        const vs_row_group *group = &s->groups.group.data[k];
        const bool open = vs_row_group_is_contact(group) && !(vs_row_group_impulses(group, &s->problem.result)[0] > 0);
        for (int i = 0; i < group->blocks && !open && !is_impact(s, group); i++)
            if (group->block[i] < blocks)
                memcpy(base + 6 * (int64_t)group->block[i], s->blocks.before.data + 6 * (int64_t)group->block[i],
                       sizeof *base * 6);
    }
}

// Islands of rows that act.
static vs_error find_islands(vs_simulation *s) {
    const int blocks = vs_blocks_count(&s->blocks);
    vs_error error = VS_RESERVE(s->context, &s->shake.island, blocks);
    if (!error)
        error = VS_RESERVE(s->context, &s->shake.shift, blocks);
    if (!error)
        error = VS_RESERVE(s->context, &s->shake.base, 6 * (int64_t)blocks);
    if (error)
        return error;
    for (int k = 0; k < blocks; k++)
        s->shake.shift.data[k] = INFINITY;
    vs_row_groups_join(&s->groups, s->shake.island.data, blocks);
    return VS_OK;
}

static double *shift_of(vs_simulation *s, const vs_row_group *group) {
    return &s->shake.shift.data[vs_sets_root(s->shake.island.data, group->block[0])];
}

// The time until which a contact may have moved with the velocities before the step, if it is to end open. Its normal velocity
// is linear in the impulses.
static double longest_shift(const vs_simulation *s, const vs_row_group *group) {
    const double gap = s->contacts.rigid->contact[group->source].gap;
    const double prescribed = vs_row_groups_values(&s->groups, group).prescribed[0];
    const double u0 = vs_row_groups_velocity(&s->groups, &s->blocks, group, 0, s->shake.base.data);
    const double u1 = vs_row_groups_velocity(&s->groups, &s->blocks, group, 0, s->problem.result.v);
    const double end = gap + s->kick.h * (u1 + prescribed),
                 left = fmax(end, 0) + vs_contact_rows_slop(s->contact_rows.size.data[group->source]);
    return u1 > u0 ? left / (u1 - u0) : INFINITY;
}

static vs_vec3 turn_of(const double *before, const double *v) {
    return (vs_vec3){v[3] - before[3], v[4] - before[4], v[5] - before[5]};
}

static vs_pose shift_pose(vs_pose pose, const double *before, const double *v, double time) {
    const vs_vec3 jump = {v[0] - before[0], v[1] - before[1], v[2] - before[2]};
    return (vs_pose){
        vs_add_scaled(pose.position, -time, jump),
        vs_quat_normalize(vs_quat_multiply(pose.rotation, vs_quat_exp(vs_scale(-time, turn_of(before, v)))))};
}

// s, of the islands: at most until the first impact.
static vs_error find_shifts(vs_simulation *s) {
    const vs_error error = find_islands(s);
    if (error)
        return error;
    find_bases(s);
    for (int64_t k = 0; k < s->groups.group.count; k++) {
        const vs_row_group *group = &s->groups.group.data[k];
        if (is_impact(s, group))
            *shift_of(s, group) = fmin(*shift_of(s, group), s->contact_rows.impact_time.data[group->source]);
    }
    for (int64_t k = 0; k < s->groups.group.count; k++) {
        const vs_row_group *group = &s->groups.group.data[k];
        if (vs_row_group_is_contact(group) && isfinite(*shift_of(s, group)))
            *shift_of(s, group) = fmin(*shift_of(s, group), longest_shift(s, group));
    }
    for (int k = 0; k < (int)s->blocks.body.count; k++)
        s->shake.shift.data[k] = s->shake.shift.data[vs_sets_root(s->shake.island.data, k)];
    return VS_OK;
}

static bool applies(const vs_simulation *s) {
    return s->kick.centred && !s->kick.half && s->problem.solver && !s->division && !s->blocks.flexible &&
           is_any_impact(s);
}

vs_error vs_impact_shift_limit(vs_simulation *s, bool *again) {
    *again = false;
    if (s->shake.limited || !applies(s))
        return VS_OK;
    const vs_error error = find_shifts(s);
    for (int64_t k = 0; k < s->groups.group.count && !error && !*again; k++) {
        const vs_row_group *group = &s->groups.group.data[k];
        *again = is_impact(s, group) && s->contact_rows.impact_time.data[group->source] >
                                            s->shake.shift.data[group->block[0]] + ALIKE * s->kick.h;
    }
    s->shake.limited = *again;
    return error;
}

vs_error vs_impact_shift_moved(vs_simulation *s, const bool *chosen) {
    if (!applies(s))
        return VS_OK;
    const bool limited = s->shake.limited;
    const vs_error error = find_shifts(s);
    for (int k = 0; k < (int)s->blocks.body.count && !error; k++) {
        double *shift = &s->shake.shift.data[k];
        if (chosen[k] && isfinite(*shift)) {
            const int64_t first = 6 * (int64_t)k;
            const double *before = s->shake.base.data + first, *v = s->problem.result.v + first;
            vs_moved_body *body = &s->moved.body.data[k];
            body->end = shift_pose(body->end, before, v, *shift);
            body->spin = vs_add_scaled(body->spin, -*shift / s->kick.h, turn_of(before, v));
        }
        if (chosen[k])
            s->moved.body.data[k].shifted = true;
        else if (!limited)
            *shift = INFINITY;
    }
    s->shake.limited = !error;
    return error;
}

static bool is_shifted(const vs_simulation *s, int block) {
    return s->moved.active && s->moved.moved.data[block] && s->moved.body.data[block].shifted;
}

vs_error vs_impact_shift(vs_simulation *s) {
    if (!applies(s))
        return VS_OK;
    const vs_error error = find_shifts(s);
    for (int k = 0; k < (int)s->blocks.body.count && !error; k++) {
        const int64_t first = 6 * (int64_t)k;
        if (!isfinite(s->shake.shift.data[k]) || is_shifted(s, k))
            continue;
        const double *before = s->shake.base.data + first, *v = s->problem.result.v + first;
        vs_pose *pose = &s->world->body[s->blocks.body.data[k]].pose;
        *pose = shift_pose(*pose, before, v, s->shake.shift.data[k]);
        if (s->hold.begin.count > 0) { // it has turned by as much
            vs_vec3 *spin = &s->hold.spin.data[s->blocks.body.data[k]];
            *spin = vs_add_scaled(*spin, -s->shake.shift.data[k] / s->kick.h, turn_of(before, v));
        }
    }
    return error;
}
