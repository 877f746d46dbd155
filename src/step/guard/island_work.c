// Work of impulses by island: see island_work.h.
#include "step/guard/island_work.h"

#include "base/disjoint_sets.h"
#include "step/rows/island_tolerance.h"

// Of the solver's tolerance: part of the kinetic energy of an island that is its error.
static const double MARGIN = .1;

void vs_island_work_release(vs_context *context, vs_island_work *islands) {
    VS_ARRAY_RELEASE(context, &islands->parent);
    VS_ARRAY_RELEASE(context, &islands->work);
    VS_ARRAY_RELEASE(context, &islands->energy);
}

int vs_island_work_root(vs_island_work *islands, const vs_step_view *step, int block) {
    return step->division ? 0 : vs_sets_root(islands->parent.data, block);
}

static vs_error join(vs_island_work *islands, const vs_step_view *step, vs_context *context) {
    const int count = vs_guarded_blocks(step);
    vs_error error = VS_RESERVE(context, &islands->parent, count);
    if (!error)
        error = VS_RESERVE(context, &islands->work, count);
    if (!error)
        error = VS_RESERVE(context, &islands->energy, count);
    for (int k = 0; k < count && !error; k++)
        islands->work.data[k] = islands->energy.data[k] = 0;
    if (!error)
        vs_row_groups_join(step->groups, islands->parent.data, count);
    return error;
}

static void add_group(vs_island_work *islands, const vs_step_view *step, const vs_row_group *group) {
    const vs_row_values values = vs_row_groups_values(step->groups, group);
    const int root = vs_island_work_root(islands, step, group->block[0]);
    for (int i = 0; i < group->rows; i++)
        if (group->kind == VS_GROUP_JOINT || !(values.E[i] > 0))
            islands->work.data[root] += vs_guarded_row_work(step, group, i);
}

static double kinetic_energy(const vs_body *body, const double *u) {
    const vs_vec3 velocity = {u[0], u[1], u[2]}, spin = {u[3], u[4], u[5]};
    return .5 * (body->mass * vs_dot(velocity, velocity) + vs_dot(spin, vs_mat3_apply(&body->inertia, spin)));
}

vs_error vs_island_work_find(vs_island_work *islands, const vs_step_view *step) {
    if (islands->solution == step->solution)
        return VS_OK;
    const vs_error error = vs_division_agree(step->division, join(islands, step, step->world->context));
    if (error)
        return error;
    for (int64_t k = 0; k < step->groups->group.count; k++)
        add_group(islands, step, &step->groups->group.data[k]);
    for (int k = 0; k < step->blocks->owned; k++)
        islands->energy.data[vs_island_work_root(islands, step, k)] +=
            kinetic_energy(&step->world->body[step->blocks->body.data[k]], step->blocks->before.data + 6 * (int64_t)k);
    vs_space_sums(vs_division_space(step->division), 1, islands->work.data);
    vs_space_sums(vs_division_space(step->division), 1, islands->energy.data);
    islands->solution = step->solution;
    return VS_OK;
}

bool vs_island_work_is_gain(const vs_island_work *islands, const vs_step_view *step, int root, double gain) {
    return gain > MARGIN * vs_root_tolerance(step, root) * islands->energy.data[root];
}
