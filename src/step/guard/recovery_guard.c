// Recoveries that would create energy only move bodies: see recovery_guard.h.
#include "step/guard/recovery_guard.h"

void vs_recovery_guard_release(vs_context *context, vs_recovery_guard *guard) {
    vs_island_work_release(context, &guard->islands);
    VS_ARRAY_RELEASE(context, &guard->calm);
    VS_ARRAY_RELEASE(context, &guard->pressed);
}

void vs_recovery_guard_reset(vs_recovery_guard *guard) {
    guard->active = false;
}

// ---- rows with a recovery --------------------------------------------------------------------------

static double pressed_by_recovery(const vs_step_view *step, const vs_row_group *group) {
    const vs_row_values values = vs_row_groups_values(step->groups, group);
    if (group->kind == VS_GROUP_JOINT || !(values.recovery[0] > 0) || values.E[0] > 0)
        return 0;
    return vs_row_group_impulses(group, step->result)[0];
}

static bool is_any_recovery(const vs_step_view *step) {
    bool any = false;
    for (int64_t k = 0; k < step->groups->group.count && !any; k++)
        any = pressed_by_recovery(step, &step->groups->group.data[k]) > 0;
    return vs_space_any(vs_division_space(step->division), any);
}

static vs_error find_pressed(vs_recovery_guard *guard, const vs_step_view *step, vs_context *context) {
    const int count = vs_guarded_blocks(step);
    const vs_error error = vs_division_agree(step->division, VS_RESERVE(context, &guard->pressed, count));
    if (error)
        return error;
    for (int k = 0; k < count; k++)
        guard->pressed.data[k] = 0;
    for (int64_t k = 0; k < step->groups->group.count; k++) {
        const vs_row_group *group = &step->groups->group.data[k];
        guard->pressed.data[vs_island_work_root(&guard->islands, step, group->block[0])] +=
            pressed_by_recovery(step, group);
    }
    vs_space_sums(vs_division_space(step->division), 1, guard->pressed.data);
    return VS_OK;
}

// ---- the step --------------------------------------------------------------------------------------

vs_error vs_recovery_guard_check(vs_recovery_guard *guard, const vs_step_view *step, bool *again) {
    *again = false;
    if (guard->active || !is_any_recovery(step))
        return VS_OK;
    vs_error error = vs_island_work_find(&guard->islands, step);
    if (!error)
        error = find_pressed(guard, step, step->world->context);
    if (!error)
        error =
            vs_division_agree(step->division, VS_RESERVE(step->world->context, &guard->calm, vs_guarded_blocks(step)));
    for (int k = 0; k < vs_guarded_blocks(step) && !error; k++) {
        const int root = vs_island_work_root(&guard->islands, step, k);
        guard->calm.data[k] = guard->pressed.data[root] > 0 &&
                              vs_island_work_is_gain(&guard->islands, step, root, guard->islands.work.data[root]);
        *again = *again || guard->calm.data[k];
    }
    guard->active = *again;
    return error;
}

static bool recovers(const vs_step_view *step, const vs_row_group *group) {
    const vs_row_values values = vs_row_groups_values(step->groups, group);
    return group->kind != VS_GROUP_JOINT && values.recovery[0] > 0 && !(values.E[0] > 0);
}

vs_error vs_recovery_guard_drop(vs_recovery_guard *guard, const vs_step_view *step, bool *again) {
    const int count = vs_guarded_blocks(step);
    *again = false;
    if (guard->active || step->world->joints == 0)
        return VS_OK;
    for (int64_t k = 0; k < step->groups->group.count && !*again; k++)
        *again = recovers(step, &step->groups->group.data[k]);
    *again = vs_space_any(vs_division_space(step->division), *again);
    if (!*again)
        return VS_OK;
    const vs_error error = vs_division_agree(step->division, VS_RESERVE(step->world->context, &guard->calm, count));
    for (int k = 0; k < count && !error; k++)
        guard->calm.data[k] = true;
    guard->active = !error;
    return error;
}
