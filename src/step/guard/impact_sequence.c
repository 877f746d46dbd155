// Impacts that follow from impacts within a step: see impact_sequence.h.
#include "step/guard/impact_sequence.h"

#include "base/disjoint_sets.h"
#include "step/rows/island_tolerance.h"

// Of the solver's tolerance: part of the kinetic energy of an island that is its error.
static const double MARGIN = 10;

void vs_impact_sequence_release(vs_context *context, vs_impact_sequence *sequence) {
    VS_ARRAY_RELEASE(context, &sequence->parent);
    VS_ARRAY_RELEASE(context, &sequence->struck);
    VS_ARRAY_RELEASE(context, &sequence->moved);
    VS_ARRAY_RELEASE(context, &sequence->gain);
    VS_ARRAY_RELEASE(context, &sequence->energy);
    VS_ARRAY_RELEASE(context, &sequence->out);
    VS_ARRAY_RELEASE(context, &sequence->left_out);
}

static bool presses(const vs_step_view *step, const vs_row_group *group) {
    return vs_row_group_impulses(group, step->result)[0] > 0;
}

// Does the row close a gap, and take the velocity of two bodies that could rebound?
static bool stops(const vs_step_view *step, const vs_contact *contact, int k) {
    const vs_row_group *group = &step->groups->group.data[k];
    const double slowest = vs_contact_rows_slowest_impact(step->options, step->world, step->kick->h);
    return presses(step, group) && -step->rows->offset.data[3 * (int64_t)k] > slowest &&
           step->rows->restitution.data[k] > 0 && contact->bond == 0 &&
           !vs_world_meets_softly(step->world, contact->collider_a, contact->collider_b);
}

static bool is_any(const vs_step_view *step, const vs_contacts *contacts) {
    bool rebound = false, stop = false;
    for (int k = 0; k < contacts->count && !(rebound && stop); k++) {
        const vs_row_group *group = &step->groups->group.data[k];
        rebound = rebound || (vs_guarded_rebounds(step, group) && presses(step, group));
        stop = stop || stops(step, &contacts->contact[k], k);
    }
    return rebound && stop;
}

static vs_error find_islands(vs_impact_sequence *sequence, const vs_step_view *step, vs_context *context,
                             int contacts) {
    const int count = vs_guarded_blocks(step);
    vs_error error = VS_RESERVE(context, &sequence->parent, count);
    if (!error)
        error = VS_RESERVE(context, &sequence->struck, count);
    if (!error)
        error = VS_RESERVE(context, &sequence->moved, count);
    if (!error)
        error = VS_RESERVE(context, &sequence->gain, count);
    if (!error)
        error = VS_RESERVE(context, &sequence->energy, count);
    if (!error)
        error = VS_RESERVE(context, &sequence->out, contacts);
    if (!error)
        error = VS_RESERVE(context, &sequence->left_out, contacts);
    if (error)
        return error;
    vs_row_groups_join(step->groups, sequence->parent.data, count);
    for (int k = 0; k < count; k++)
        sequence->struck.data[k] = sequence->moved.data[k] = false;
    for (int k = 0; k < contacts; k++) {
        const vs_row_group *group = &step->groups->group.data[k];
        if (vs_guarded_rebounds(step, group) && presses(step, group))
            sequence->struck.data[vs_sets_root(sequence->parent.data, group->block[0])] = true;
    }
    return VS_OK;
}

// Of the island's root; blocks are the same in all solutions of a step.
static int root_of_contact(vs_impact_sequence *sequence, const vs_step_view *step, const vs_contact *contact) {
    const int block = vs_blocks_of_body(step->blocks, contact->a);
    return vs_sets_root(sequence->parent.data,
                        block != VS_NO_BLOCK ? block : vs_blocks_of_body(step->blocks, contact->b));
}

vs_error vs_impact_sequence_check(vs_impact_sequence *sequence, const vs_step_view *step, vs_step_contacts *contacts,
                                  bool *again) {
    *again = false;
    const int count = contacts->rigid->count;
    if (step->result->status != VS_STATUS_CONVERGED || !is_any(step, contacts->rigid))
        return VS_OK;
    const vs_error error = find_islands(sequence, step, step->world->context, count);
    if (error)
        return error;
    sequence->left_out.count = 0;
    for (int k = 0; k < count; k++) {
        const vs_contact *contact = &contacts->rigid->contact[k];
        const int root = root_of_contact(sequence, step, contact);
        const bool out = sequence->struck.data[root] && stops(step, contact, k);
        sequence->out.data[k] = out;
        sequence->moved.data[root] = sequence->moved.data[root] || out;
        if (out)
            sequence->left_out.data[sequence->left_out.count++] = *contact;
    }
    *again = sequence->left_out.count > 0;
    for (int k = 0; k < vs_guarded_blocks(step); k++)
        sequence->moved.data[k] = sequence->moved.data[vs_sets_root(sequence->parent.data, k)];
    return *again ? vs_step_contacts_remove(contacts, sequence->out.data) : VS_OK;
}

// ---- energy ----------------------------------------------------------------------------------------

static void find_gains(vs_impact_sequence *sequence, const vs_step_view *step, const vs_moved_bodies *bodies) {
    const vs_blocks *blocks = step->blocks;
    int *parent = sequence->parent.data;
    for (int k = 0; k < vs_guarded_blocks(step); k++)
        sequence->gain.data[k] = sequence->energy.data[k] = 0;
    for (int64_t k = 0; k < step->groups->group.count; k++) {
        const vs_row_group *group = &step->groups->group.data[k];
        for (int i = 0; i < group->rows; i++)
            sequence->gain.data[vs_sets_root(parent, group->block[0])] += vs_guarded_row_work(step, group, i);
    }
    for (int k = 0; k < blocks->owned; k++) {
        const int64_t first = 6 * (int64_t)k;
        const double *before = blocks->before.data + first, *free = blocks->free.data + first;
        const double *v = step->result->v + first, *moves = bodies->v.data + first;
        const double mass = step->world->body[blocks->body.data[k]].mass;
        for (int i = 0; i < 3 && sequence->moved.data[k]; i++) {
            sequence->gain.data[vs_sets_root(parent, k)] += mass * (free[i] - before[i]) * (v[i] - moves[i]);
            sequence->energy.data[vs_sets_root(parent, k)] += .5 * mass * before[i] * before[i];
        }
    }
}

vs_error vs_impact_sequence_return(vs_impact_sequence *sequence, const vs_step_view *step, vs_step_contacts *contacts,
                                   vs_moved_bodies *bodies, bool *again) {
    find_gains(sequence, step, bodies);
    contacts->late.count = 0;
    vs_error error = VS_RESERVE(step->world->context, &contacts->late, sequence->left_out.count);
    if (error)
        return error;
    for (int k = 0; k < vs_guarded_blocks(step); k++) {
        const int root = vs_sets_root(sequence->parent.data, k);
        const double tolerance = MARGIN * vs_root_tolerance(step, root);
        const bool gains = sequence->gain.data[root] > tolerance * sequence->energy.data[root];
        bodies->moved.data[k] = bodies->moved.data[k] && !gains;
        sequence->moved.data[k] = sequence->moved.data[k] && !gains;
    }
    for (int64_t k = 0; k < sequence->left_out.count; k++)
        if (!sequence->moved.data[root_of_contact(sequence, step, &sequence->left_out.data[k])])
            contacts->late.data[contacts->late.count++] = sequence->left_out.data[k];
    *again = contacts->late.count > 0;
    return *again ? vs_step_contacts_merge(contacts) : VS_OK;
}
