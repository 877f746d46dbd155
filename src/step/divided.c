// What a step over several ranks has beyond that of one process: ghosts, and sums. Without a division nothing happens.
#include "step/simulation_data.h"

#include <stdlib.h>
#include <string.h>

// ---- ghosts ----------------------------------------------------------------------------------------

typedef struct ghost {
    int owner, body;
} ghost;

static int compare(const void *a, const void *b) {
    const ghost *x = a, *y = b;
    return x->owner != y->owner ? x->owner - y->owner : x->body - y->body;
}

// Those that contacts here touch; the others are of no use to the solver. Marks them in block_of.
static int mark_ghosts(vs_simulation *s) {
    int *block_of = s->block_of.data, count = 0;
    for (int k = 0; k < s->contacts->count; k++) {
        const int body[2] = {s->contacts->contact[k].a, s->contacts->contact[k].b};
        for (int i = 0; i < 2; i++)
            if (vs_world_place(s->world, body[i]) == VS_PLACE_GHOST && block_of[body[i]] == VS_NO_BLOCK)
                block_of[body[i]] = s->owned + count++;
    }
    return count;
}

vs_error vs_step_number_ghosts(vs_simulation *s) {
    int *block_of = s->block_of.data, *body_of = s->body_of.data, count = mark_ghosts(s), found = 0;
    ghost *list = vs_allocate(s->context, sizeof *list * (size_t)(count + 1));
    if (!list)
        return vs_fail_memory(s->context);
    for (int k = 0; k < s->contacts->count && found < count; k++) {
        const int body[2] = {s->contacts->contact[k].a, s->contacts->contact[k].b};
        for (int i = 0; i < 2; i++)
            if (block_of[body[i]] >= s->owned) {
                list[found++] = (ghost){s->division->owner[body[i]], body[i]};
                block_of[body[i]] = VS_NO_BLOCK;
            }
    }
    qsort(list, (size_t)count, sizeof *list, compare);
    for (int k = 0; k < count; k++) {
        body_of[s->owned + k] = list[k].body;
        block_of[list[k].body] = s->owned + k;
    }
    s->body_of.count = s->owned + count;
    vs_release(s->context, list);
    return VS_OK;
}

// A prepared problem is used again only if that is so on all ranks. Not with rows that have bounds: where these meet,
// the solver asks for a new problem, and others would not know.
bool vs_step_is_same_division(const vs_simulation *s, bool same) {
    if (!s->division)
        return same;
    const vs_group *group = s->group.data;
    for (int64_t k = 0; k < s->group.count && same; k++)
        same = group[k].kind != VS_GROUP_BOX;
    same = same && s->prepared.count == s->body_of.count &&
           memcmp(s->prepared.data, s->body_of.data, sizeof(int) * (size_t)s->body_of.count) == 0;
    return !vs_ranks_any(s->division->ranks, !same);
}

vs_error vs_step_connect(vs_simulation *s) {
    const vs_division *division = s->division;
    const int *body_of = s->body_of.data, ghosts = (int)s->body_of.count - s->owned;
    vs_error error = vs_list_reserve(s->context, &s->prepared, s->body_of.count, sizeof(int));
    error = division->agree(division->user, error);
    if (!error)
        error = division->connect(division->user, s->owned, ghosts, body_of + s->owned);
    if (error)
        return error;
    memcpy(s->prepared.data, body_of, sizeof(int) * (size_t)s->body_of.count);
    s->prepared.count = s->body_of.count;
    s->problem->ranks = division->ranks;
    return VS_OK;
}

// ---- sums ------------------------------------------------------------------------------------------

bool vs_step_is_free(const vs_simulation *s) {
    return s->division && !vs_ranks_any(s->division->ranks, s->group.count > 0);
}

void vs_step_sum_report(const vs_simulation *s, vs_step_report *report) {
    vs_energy *e = &report->energy;
    double sum[] = {
        report->contacts,      report->active,        report->dissipation,    report->work,  e->kinetic,
        e->potential,          e->momentum.x,         e->momentum.y,          e->momentum.z, e->angular_momentum.x,
        e->angular_momentum.y, e->angular_momentum.z, report->work_prescribed};
    vs_ranks_sum(s->division->ranks, (int)(sizeof sum / sizeof *sum), sum);
    report->contacts = (int)sum[0], report->active = (int)sum[1];
    report->dissipation = sum[2], report->work = sum[3], report->work_prescribed = sum[12];
    *e = (vs_energy){sum[4], sum[5], {sum[6], sum[7], sum[8]}, {sum[9], sum[10], sum[11]}};
    report->penetration = vs_ranks_most(s->division->ranks, report->penetration);
    report->joint_drift = vs_ranks_most(s->division->ranks, report->joint_drift);
}
