// Bodies that move otherwise than with the velocities that they keep: see moved_bodies.h.
#include "step/guard/moved_bodies.h"

#include <math.h>

#include "base/disjoint_sets.h"

void vs_moved_bodies_release(vs_context *context, vs_moved_bodies *bodies) {
    VS_ARRAY_RELEASE(context, &bodies->moved);
    VS_ARRAY_RELEASE(context, &bodies->body);
    VS_ARRAY_RELEASE(context, &bodies->v);
    VS_ARRAY_RELEASE(context, &bodies->parent);
    VS_ARRAY_RELEASE(context, &bodies->size);
}

void vs_moved_bodies_reset(vs_moved_bodies *bodies) {
    bodies->active = bodies->unsolved = false;
}

static vs_error begin(vs_moved_bodies *bodies, const vs_step_view *step, vs_context *context) {
    const int count = vs_guarded_blocks(step);
    vs_error error = VS_RESERVE(context, &bodies->moved, count);
    if (!error)
        error = VS_RESERVE(context, &bodies->body, count);
    if (!error)
        error = VS_RESERVE(context, &bodies->v, 6 * (int64_t)count);
    for (int k = 0; k < count && !error; k++)
        bodies->moved.data[k] = false;
    return error;
}

static void keep(vs_moved_bodies *bodies, const vs_step_view *step, int block) {
    const int index = step->blocks->body.data[block];
    const double *u = step->result->v + 6 * (int64_t)block;
    bodies->body.data[block] =
        (vs_moved_body){.end = vs_blocks_move_body(step->blocks, step->world, index, step->result->v, step->kick->h,
                                                   step->kick->centred)
                                   .pose,
                        .velocity = {u[0], u[1], u[2]},
                        .spin = {u[3], u[4], u[5]}};
    for (int i = 0; i < 6; i++)
        bodies->v.data[6 * (int64_t)block + i] = u[i];
}

vs_error vs_moved_bodies_keep(vs_moved_bodies *bodies, const vs_step_view *step, const bool *chosen) {
    const vs_error error = bodies->active ? VS_OK : begin(bodies, step, step->world->context);
    if (error)
        return error;
    bodies->active = true;
    bodies->unsolved = bodies->unsolved || step->result->status != VS_STATUS_CONVERGED;
    for (int k = 0; k < (int)step->blocks->body.count; k++)
        if (chosen[k] && !bodies->moved.data[k]) {
            keep(bodies, step, k);
            bodies->moved.data[k] = true;
        }
    return VS_OK;
}

// ---- wild motions ----------------------------------------------------------------------------------

// Of a body without colliders: 0.
static void find_sizes(vs_moved_bodies *bodies, const vs_step_view *step) {
    const vs_world *world = step->world;
    for (int k = 0; k < vs_guarded_blocks(step); k++)
        bodies->size.data[k] = 0;
    for (int k = 0; k < world->colliders; k++) {
        const vs_collider *c = &world->collider[k];
        const int block = c->alive ? vs_blocks_of_body(step->blocks, c->body) : VS_NO_BLOCK;
        if (block != VS_NO_BLOCK)
            bodies->size.data[block] = fmax(bodies->size.data[block], vs_shape_arm(c->shape, c->pose));
    }
}

static double speed_of(const double *u) {
    return vs_length((vs_vec3){u[0], u[1], u[2]});
}

static bool is_wild(const vs_moved_bodies *bodies, const vs_step_view *step, int block) {
    const int index = step->blocks->body.data[block];
    const int64_t first = 6 * (int64_t)block;
    const double fastest = fmax(speed_of(step->result->v + first), speed_of(step->blocks->before.data + first));
    const vs_vec3 way = vs_subtract(bodies->body.data[block].end.position, step->world->body[index].pose.position);
    const double beyond = vs_length(way) - step->kick->h * fastest;
    return bodies->size.data[block] > 0 && !(beyond <= bodies->size.data[block]);
}

vs_error vs_moved_bodies_limit(vs_moved_bodies *bodies, const vs_step_view *step) {
    if (!bodies->active || step->division)
        return VS_OK;
    const int count = (int)step->blocks->body.count;
    vs_error error = VS_RESERVE(step->world->context, &bodies->parent, vs_guarded_blocks(step));
    if (!error)
        error = VS_RESERVE(step->world->context, &bodies->size, vs_guarded_blocks(step));
    if (error)
        return error;
    find_sizes(bodies, step);
    int *parent = bodies->parent.data;
    vs_row_groups_join(step->groups, parent, vs_guarded_blocks(step));
    for (int k = 0; k < count; k++) {
        if (!bodies->moved.data[k] || !is_wild(bodies, step, k))
            continue;
        for (int i = 0; i < count; i++)
            bodies->moved.data[i] = bodies->moved.data[i] && vs_sets_root(parent, i) != vs_sets_root(parent, k);
    }
    return VS_OK;
}

const vs_moved_body *vs_moved_bodies_motion(const vs_moved_bodies *bodies, const vs_blocks *blocks, int body) {
    const int block = bodies->active ? vs_blocks_of_body(blocks, body) : VS_NO_BLOCK;
    return block != VS_NO_BLOCK && bodies->moved.data[block] ? &bodies->body.data[block] : NULL;
}
