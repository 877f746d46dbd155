// Bodies that an impact struck: see struck.h.
#include "step/scheme/struck.h"

// Of the energy that was predicted to vanish: a gain by more does not come from a reaction that changes smoothly.
static const double UNMET = .01;

static bool is_impact(const vs_simulation *s, const vs_row_group *group) {
    const double resting = 2 * s->kick.h * vs_length(s->world->gravity);
    if (!vs_row_group_is_contact(group) || !(vs_row_group_impulses(group, &s->problem.result)[0] > 0))
        return false;
    const vs_row_values values = vs_row_groups_values(&s->groups, group);
    const double now = values.prescribed[0], last = 2 * values.prescribed_mean[0] - now;
    const double before = vs_row_groups_velocity(&s->groups, &s->blocks, group, 0, s->blocks.before.data) + last;
    const double free = vs_row_groups_velocity(&s->groups, &s->blocks, group, 0, s->blocks.free.data) + now;
    const double after = vs_row_groups_velocity(&s->groups, &s->blocks, group, 0, s->problem.result.v) + now;
    return -before > resting || -free > resting || after > resting;
}

void vs_struck_find(vs_simulation *s) {
    const int64_t bodies = s->blocks.body.count;
    for (int64_t k = 0; k < bodies; k++)
        s->blocks.struck.data[k] = false;
    for (int64_t k = 0; k < s->groups.group.count; k++) {
        const vs_row_group *group = &s->groups.group.data[k];
        if (!is_impact(s, group))
            continue;
        for (int i = 0; i < group->blocks; i++)
            if (group->block[i] < bodies)
                s->blocks.struck.data[group->block[i]] = true;
    }
}

// J, that the free spin of a body has more than the one that was shown.
static double predicted_energy(const vs_body *body, const double *free) {
    const vs_vec3 w = {free[3], free[4], free[5]}, shown = vs_add(w, body->held);
    return .5 * (vs_dot(w, vs_mat3_apply(&body->inertia, w)) - vs_dot(shown, vs_mat3_apply(&body->inertia, shown)));
}

static bool is_predicted(const vs_body *body) {
    return body->joints == 0 && vs_dot(body->held, body->held) > 0;
}

static vs_body *body_of(const vs_simulation *s, int block) {
    return &s->world->body[s->blocks.body.data[block]];
}

vs_error vs_struck_keep_predictions(vs_simulation *s, const vs_step_view *step, bool *again) {
    bool any = false;
    *again = false;
    for (int k = 0; k < s->blocks.owned && !any; k++)
        any = is_predicted(body_of(s, k));
    if (!any || s->division)
        return VS_OK;
    vs_island_work *islands = &s->recovery.islands;
    vs_error error = vs_island_work_find(islands, step);
    if (!error)
        error = VS_RESERVE(s->context, &s->predicted, s->blocks.owned);
    if (error)
        return error;
    for (int k = 0; k < s->blocks.owned; k++)
        s->predicted.data[k] = 0;
    for (int k = 0; k < s->blocks.owned; k++)
        if (is_predicted(body_of(s, k)))
            s->predicted.data[vs_island_work_root(islands, step, k)] +=
                predicted_energy(body_of(s, k), s->blocks.free.data + 6 * (int64_t)k);
    for (int k = 0; k < s->blocks.owned; k++) {
        const int root = vs_island_work_root(islands, step, k);
        const double part = s->predicted.data[root], gain = part + islands->work.data[root];
        if (!is_predicted(body_of(s, k)) || !(gain > UNMET * part) ||
            !vs_island_work_is_gain(islands, step, root, gain))
            continue;
        body_of(s, k)->held = VS_ZERO3;
        *again = true;
    }
    return VS_OK;
}

void vs_struck_forget(vs_simulation *s) {
    for (int k = 0; k < s->blocks.owned; k++) {
        vs_body *body = &s->world->body[s->blocks.body.data[k]];
        if (s->blocks.struck.data[k])
            body->free_spin = body->spin;
    }
}
