// Rows of joints in groups, and reactions of joints: see joint_rows.h.
#include "step/rows/joint_rows.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "step/rows/joint_law.h"
#include "step/rows/point_jacobian.h"
#include "step/rows/rope_cuts.h"

enum { ROWS_MOST = VS_JOINT_BILATERAL_MOST + VS_JOINT_EXTRA_MOST };

// ---- rows ------------------------------------------------------------------------------------------

// J of row i of a group behind its first `cuts` blocks; returns the part of its velocity by prescribed motion, and the mean of that.
static double fill_jacobian(const vs_step_view *view, const vs_joint_row *from, const vs_row_values *values, int rows,
                            int cuts, int i, double *mean) {
    double prescribed = 0;
    *mean = 0;
    for (int k = 0, part = cuts; k < from->bodies; k++) {
        const vs_body *body = &view->world->body[from->body[k]];
        double v[6], v_mean[6];
        vs_body_get_velocities(body, v);
        vs_body_get_mean_velocities(body, v_mean);
        if (vs_blocks_of_body(view->blocks, from->body[k]) == VS_NO_BLOCK)
            prescribed += vs_jacobian_times(from->J[k], v), *mean += vs_jacobian_times(from->J[k], v_mean);
        else
            memcpy(values->J + 6 * ((int64_t)part++ * rows + i), from->J[k], 6 * sizeof(double));
    }
    return prescribed;
}

// One group of rows, group.rows from this one on; out: null if it moves nothing. The blocks that the group has already, cuts of ropes,
// come before those of the bodies, and their J is left to the caller.
static vs_error fill_group(const vs_step_view *view, const vs_joint_row *from, vs_row_group group, vs_row_group **out) {
    const vs_joint *joint = &view->world->joint[group.source];
    const int cuts = group.blocks;
    group.key = UINT64_C(1) << 63 | (uint64_t)group.source << 24 | (uint64_t)(joint->generation & 0xffff) << 8;
    for (int k = 0; k < from->bodies; k++)
        if (vs_blocks_of_body(view->blocks, from->body[k]) != VS_NO_BLOCK)
            group.block[group.blocks++] = vs_blocks_of_body(view->blocks, from->body[k]);
    if (group.blocks == 0)
        return VS_OK;
    vs_row_group *added = NULL;
    vs_context *context = view->world->context;
    const vs_error error = group.kind == VS_GROUP_JOINT ? vs_row_groups_add_last(view->groups, context, group, &added)
                                                        : vs_row_groups_add(view->groups, context, group, &added);
    if (error)
        return error;
    *out = added;
    vs_row_values values = vs_row_groups_values(view->groups, added);
    const int filled = group.kind == VS_GROUP_ROPE ? 2 : group.rows;
    for (int i = 0; i < filled; i++, from++) {
        values.prescribed[i] = fill_jacobian(view, from, &values, group.rows, cuts, i, &values.prescribed_mean[i]);
        const bool limit = from->kind == VS_ROW_UNILATERAL && !from->drives && !from->spring;
        const bool calm = limit && view->calm && view->calm[group.block[0]];
        values.b[i] = (calm ? fmin(from->b, 0) : from->b) - values.prescribed[i];
        values.recovery[i] = limit && !calm ? fmax(from->b, 0) : 0;
        values.damping[i] = from->spring ? from->damping : -1;
        values.drives[i] = from->drives;
        values.sense[i] = from->sense;
        values.E[i] = from->compliance;
        values.lo[i] = from->lo;
        values.hi[i] = from->hi;
        memcpy(values.direction + 6 * (int64_t)i, from->direction, sizeof from->direction);
    }
    return VS_OK;
}

// Rows first … first + group.rows - 1 of a joint as one group.
static vs_error add_group(const vs_step_view *view, const vs_joint_row *row, vs_row_group group) {
    vs_row_group *added = NULL;
    return fill_group(view, row + group.first, group, &added);
}

// The groups of a rope with several rough stations.
static vs_error add_parts(const vs_step_view *view, const vs_joint_row *whole, vs_row_group group) {
    vs_rope_part part[VS_ROPE_PARTS_MOST];
    const int parts = vs_rope_parts(view->world, &view->world->joint[group.source], part);
    vs_error error = VS_OK;
    for (int k = 0; k < parts && !error; k++, group.first += group.rows) {
        vs_joint_row row[2];
        vs_row_group *added = NULL;
        vs_rope_cuts_set_part(view->blocks, whole, &part[k], parts, k, row, &group);
        error = fill_group(view, row, group, &added);
        if (!error)
            vs_rope_cuts_fill(view->groups, added, parts, k);
    }
    return error;
}

static vs_error add_rows(const vs_step_view *view, int slot) {
    vs_joint_row row[ROWS_MOST];
    int count = vs_joint_rows(view->world, &view->world->joint[slot], view->kick, row), first = 0;
    while (first < count && row[first].kind == VS_ROW_BILATERAL)
        first++;
    vs_row_group group = {.kind = VS_GROUP_JOINT, .rows = first, .source = slot};
    vs_error error = first > 0 ? add_group(view, row, group) : VS_OK;
    for (group.first = first; group.first < count && !error; group.first++) {
        const vs_joint_row *at = &row[group.first];
        if (at->kind == VS_ROW_SLIP)
            continue; // with the row before it
        const bool rough = at->mu > 0 || at->parts > 1;
        group.kind = at->kind == VS_ROW_BOX ? VS_GROUP_BOX : rough ? VS_GROUP_ROPE : VS_GROUP_LIMIT;
        group.rows = group.kind == VS_GROUP_ROPE ? 3 : 1;
        group.mu = at->mu;
        error = at->parts > 1 ? add_parts(view, at, group) : add_group(view, row, group);
    }
    return error;
}

vs_error vs_joint_rows_add(const vs_step_view *view) {
    const vs_world *world = view->world;
    vs_error error = VS_OK;
    for (int slot = 0; slot < world->joints && !error; slot++)
        if (world->joint[slot].alive && vs_world_joint_is_here(world, &world->joint[slot]))
            error = add_rows(view, slot);
    return error;
}

// ---- rounding --------------------------------------------------------------------------------------

// Roundings of a violation, in epsilons of the positions and angles that it is the difference of.
static const double ROUNDINGS = 64;

// m/s or 1/s: velocities of rows that rounding alone can make.
static double rounding_of(const vs_step_view *view, const vs_row_group *group) {
    double size = 1;
    for (int k = 0; k < group->blocks; k++) {
        if (group->block[k] >= (int)view->blocks->body.count)
            continue; // a cut of a rope
        const vs_vec3 at = view->world->body[view->blocks->body.data[group->block[k]]].pose.position;
        size = fmax(size, sqrt(vs_dot(at, at)));
    }
    return ROUNDINGS * DBL_EPSILON * size / view->kick->h;
}

// Rows without which the others have no impulse: a slack rope has no friction.
static int acting_rows(const vs_row_group *group) {
    return group->kind == VS_GROUP_ROPE ? 1 : group->rows;
}

// Does a row need no impulse but for rounding?
static bool is_idle(const vs_step_view *view, const vs_row_group *group) {
    const vs_row_values values = vs_row_groups_values(view->groups, group);
    const double rounding = rounding_of(view, group);
    for (int i = 0; i < acting_rows(group); i++) {
        const double u =
            vs_row_groups_velocity(view->groups, view->blocks, group, i, view->blocks->free.data) - values.b[i];
        const bool demands = group->kind == VS_GROUP_BOX && (values.lo[i] > 0 || values.hi[i] < 0);
        if (demands || u < -rounding || (u > rounding && !vs_row_group_is_limit(group)))
            return false;
    }
    return true;
}

void vs_joint_rows_ignore_rounding(const vs_step_view *view) {
    const int64_t count = view->groups->group.count;
    if (view->division || view->blocks->flexible || view->kick->level)
        return;
    for (int64_t k = 0; k < count; k++) {
        const vs_row_group *group = &view->groups->group.data[k];
        if (vs_row_group_is_contact(group) || group->source < 0 || !is_idle(view, group))
            return;
    }
    for (int64_t k = 0; k < count; k++) {
        const vs_row_group *group = &view->groups->group.data[k];
        const vs_row_values values = vs_row_groups_values(view->groups, group);
        for (int i = 0; i < acting_rows(group); i++) {
            const double u = vs_row_groups_velocity(view->groups, view->blocks, group, i, view->blocks->free.data);
            values.b[i] = vs_row_group_is_limit(group) ? fmin(values.b[i], u) : u;
        }
    }
}

// ---- reactions -------------------------------------------------------------------------------------

static void add_reaction(vs_joint *joint, const double *direction, double force) {
    joint->force = vs_add_scaled(joint->force, force, (vs_vec3){direction[0], direction[1], direction[2]});
    joint->torque = vs_add_scaled(joint->torque, force, (vs_vec3){direction[3], direction[4], direction[5]});
}

void vs_joint_rows_set_reactions(const vs_row_groups *groups, const vs_result *result, double length, vs_world *world) {
    for (int k = 0; k < world->joints; k++)
        world->joint[k].force = world->joint[k].torque = VS_ZERO3, world->joint[k].effort = 0;
    for (int64_t k = 0; k < groups->group.count; k++) {
        const vs_row_group *group = &groups->group.data[k];
        if (vs_row_group_is_contact(group) || group->source < 0)
            continue;
        const vs_row_values values = vs_row_groups_values(groups, group);
        const double *x = vs_row_group_impulses(group, result);
        vs_joint *joint = &world->joint[group->source];
        for (int i = 0; i < group->rows; i++) {
            add_reaction(joint, values.direction + 6 * (int64_t)i, x[i] / length);
            if (values.drives[i] > 0)
                joint->effort += values.sense[i] * x[i] / length;
        }
    }
}
