// Bodies that move otherwise than with the velocities that they keep: see moved_bodies.h.
#include "step/guard/moved_bodies.h"

void vs_moved_bodies_release(vs_context *context, vs_moved_bodies *bodies) {
    VS_ARRAY_RELEASE(context, &bodies->moved);
    VS_ARRAY_RELEASE(context, &bodies->body);
    VS_ARRAY_RELEASE(context, &bodies->v);
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

const vs_moved_body *vs_moved_bodies_motion(const vs_moved_bodies *bodies, const vs_blocks *blocks, int body) {
    const int block = bodies->active ? vs_blocks_of_body(blocks, body) : VS_NO_BLOCK;
    return block != VS_NO_BLOCK && bodies->moved.data[block] ? &bodies->body.data[block] : NULL;
}
