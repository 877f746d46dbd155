// Impacts that would create energy have less restitution: see impact_guard.h.
#include "step/guard/impact_guard.h"

#include <math.h>

#include "base/disjoint_sets.h"
#include "step/rows/island_tolerance.h"

enum { ROUNDS = 6 };
// J/J: the relative error of W, in multiples of the solver's tolerance for velocities.
static const double MARGIN = 10;

void vs_impact_guard_release(vs_context *context, vs_impact_guard *guard) {
    VS_ARRAY_RELEASE(context, &guard->parent);
    VS_ARRAY_RELEASE(context, &guard->factor);
    VS_ARRAY_RELEASE(context, &guard->low);
    VS_ARRAY_RELEASE(context, &guard->high);
    VS_ARRAY_RELEASE(context, &guard->work);
    VS_ARRAY_RELEASE(context, &guard->approach);
}

void vs_impact_guard_reset(vs_impact_guard *guard) {
    guard->active = false;
    guard->rounds = 0;
}

// ---- islands ---------------------------------------------------------------------------------------

int vs_guarded_blocks(const vs_step_view *step) {
    const int blocks = vs_blocks_count(step->blocks);
    return blocks > 0 ? blocks : 1;
}

// Over processes there is one island.
static int island_of(vs_impact_guard *guard, const vs_step_view *step, const vs_row_group *group) {
    return step->division ? 0 : vs_sets_root(guard->parent.data, group->block[0]);
}

static vs_error begin(vs_impact_guard *guard, const vs_step_view *step, vs_context *context) {
    const int count = vs_guarded_blocks(step);
    vs_error error = VS_RESERVE(context, &guard->parent, count);
    if (!error)
        error = VS_RESERVE(context, &guard->factor, count);
    if (!error)
        error = VS_RESERVE(context, &guard->low, count);
    if (!error)
        error = VS_RESERVE(context, &guard->high, count);
    if (!error)
        error = VS_RESERVE(context, &guard->work, count);
    if (!error)
        error = VS_RESERVE(context, &guard->approach, count);
    if (error)
        return error;
    vs_row_groups_join(step->groups, guard->parent.data, count);
    for (int k = 0; k < count; k++) {
        guard->factor.data[k] = 1;
        guard->low.data[k] = 0;
        guard->high.data[k] = INFINITY;
    }
    guard->factor.count = count;
    return VS_OK;
}

// ---- work ------------------------------------------------------------------------------------------

bool vs_guarded_rebounds(const vs_step_view *step, const vs_row_group *group) {
    return vs_row_group_is_contact(group) && step->rows->offset.data[3 * (int64_t)group->source] > 0 &&
           vs_row_groups_values(step->groups, group).recovery[0] == 0;
}

static bool is_any_rebound(const vs_step_view *step) {
    bool any = false;
    for (int64_t k = 0; k < step->groups->group.count && !any; k++)
        any = vs_guarded_rebounds(step, &step->groups->group.data[k]);
    return vs_space_any(vs_division_space(step->division), any);
}

// Velocity of a row before its impulse.
static double velocity_before(const vs_step_view *step, const vs_row_group *group, int row) {
    const double before = vs_row_groups_velocity(step->groups, step->blocks, group, row, step->blocks->free.data);
    const double time = vs_row_group_is_contact(group) ? step->rows->impact_time.data[group->source] : -1;
    if (!(time >= 0))
        return before;
    // at the impact, forces have acted for a part of the step
    const double old = vs_row_groups_velocity(step->groups, step->blocks, group, row, step->blocks->before.data);
    return old + 2 * time / step->kick->h * (before - old);
}

static bool does_work(const vs_row_group *group, const vs_row_values *values, int row) {
    return !(values->drives[row] > 0 ||
             ((group->kind == VS_GROUP_JOINT || vs_row_group_is_limit(group)) && values->damping[row] >= 0));
}

double vs_guarded_row_work(const vs_step_view *step, const vs_row_group *group, int row) {
    const vs_row_values values = vs_row_groups_values(step->groups, group);
    double x = vs_row_group_impulses(group, step->result)[row];
    if (!does_work(group, &values, row))
        return 0;
    if (row == 0 && vs_row_group_is_contact(group))
        x -= step->rows->adhesion.data[group->source];
    const double after = vs_row_groups_velocity(step->groups, step->blocks, group, row, step->result->v);
    return .5 * x * (velocity_before(step, group, row) + after + 2 * values.prescribed[row]);
}

static void add_work(vs_impact_guard *guard, const vs_step_view *step, const vs_row_group *group) {
    const vs_row_values values = vs_row_groups_values(step->groups, group);
    const double *x = vs_row_group_impulses(group, step->result);
    const int island = island_of(guard, step, group);
    for (int i = 0; i < group->rows; i++) {
        if (!does_work(group, &values, i))
            continue;
        const double before = velocity_before(step, group, i);
        double after = vs_row_groups_velocity(step->groups, step->blocks, group, i, step->result->v);
        double u = before + after + 2 * values.prescribed[i] - values.recovery[i];
        guard->work.data[island] += .5 * x[i] * u;
        if (i == 0 && vs_guarded_rebounds(step, group))
            guard->approach.data[island] += .5 * fabs(x[0] * (before + values.prescribed[0]));
    }
}

static void find_work(vs_impact_guard *guard, const vs_step_view *step) {
    for (int k = 0; k < vs_guarded_blocks(step); k++)
        guard->work.data[k] = guard->approach.data[k] = 0;
    for (int64_t k = 0; k < step->groups->group.count; k++)
        add_work(guard, step, &step->groups->group.data[k]);
    vs_space_sums(vs_division_space(step->division), 1, guard->work.data);
    vs_space_sums(vs_division_space(step->division), 1, guard->approach.data);
}

// ---- bisection -------------------------------------------------------------------------------------

// After the last round, or a step that was not solved, the factors are those known to create no energy. Friction may have
// another solution with such a factor, found now, which does: then none.
static bool bisect(vs_impact_guard *guard, const vs_step_view *step, bool solved) {
    bool changed = false;
    for (int k = 0; k < vs_guarded_blocks(step); k++) {
        double *low = &guard->low.data[k], *high = &guard->high.data[k], factor = guard->factor.data[k];
        // Impulses that solve nothing may be so large that the error of W says nothing.
        const double tolerance = MARGIN * vs_root_tolerance(step, k);
        bool creates = guard->work.data[k] > (solved ? tolerance * guard->approach.data[k] : 0);
        if (*high > 1 && !(guard->rounds == 0 && creates && guard->approach.data[k] > 0))
            continue;
        if (!creates && !solved)
            continue;
        *(creates ? high : low) = factor;
        if (creates && factor <= *low)
            *low = 0;
        guard->factor.data[k] = solved && guard->rounds < ROUNDS ? .5 * (*low + *high) : *low;
        changed = changed || guard->factor.data[k] < factor || guard->factor.data[k] > factor;
    }
    return changed;
}

vs_error vs_impact_guard_check(vs_impact_guard *guard, const vs_step_view *step, vs_context *context, bool *again) {
    *again = false;
    if (guard->rounds > ROUNDS + 1 || (guard->rounds == 0 && !is_any_rebound(step)))
        return VS_OK;
    vs_error error = guard->rounds == 0 ? begin(guard, step, context) : VS_OK;
    error = vs_division_agree(step->division, error);
    if (error)
        return error;
    find_work(guard, step);
    const bool solved = step->result->status == VS_STATUS_CONVERGED;
    *again = bisect(guard, step, solved);
    for (int k = 0; k < vs_guarded_blocks(step) && *again; k++)
        guard->factor.data[k] = guard->factor.data[step->division ? 0 : vs_sets_root(guard->parent.data, k)];
    guard->active = guard->active || *again;
    guard->rounds = solved || guard->rounds >= ROUNDS ? guard->rounds + 1 : ROUNDS;
    return VS_OK;
}

double vs_impact_guard_least(const vs_impact_guard *guard) {
    double least = 1;
    for (int64_t k = 0; k < guard->factor.count && guard->active; k++)
        least = fmin(least, guard->factor.data[k]);
    return least;
}
