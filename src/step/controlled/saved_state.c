// The state of a simulation before a trial: see saved_state.h.
#include "step/controlled/saved_state.h"

#include <string.h>

void vs_saved_state_release(vs_context *context, vs_saved_state *state) {
    VS_ARRAY_RELEASE(context, &state->body);
    VS_ARRAY_RELEASE(context, &state->joint);
    VS_ARRAY_RELEASE(context, &state->impulse);
}

vs_error vs_saved_state_take(vs_simulation *s) {
    vs_saved_state *state = &s->saved;
    const vs_world *world = s->world;
    vs_error error = VS_RESERVE(s->context, &state->body, world->bodies);
    if (!error)
        error = VS_RESERVE(s->context, &state->joint, world->joints);
    if (!error)
        error = VS_RESERVE(s->context, &state->impulse, s->memory.impulse.count);
    if (error)
        return error;
    for (int k = 0; k < world->bodies; k++) {
        const vs_body *body = &world->body[k];
        state->body.data[k] = (vs_saved_body){body->pose,      body->velocity,     body->spin,    body->held,
                                              body->free_spin, body->old_velocity, body->old_spin};
    }
    for (int k = 0; k < world->joints; k++) {
        const vs_joint *joint = &world->joint[k];
        state->joint.data[k] = (vs_saved_joint){joint->force, joint->torque, joint->angle, joint->effort};
    }
    state->impulse.count = s->memory.impulse.count;
    if (state->impulse.count > 0)
        memcpy(state->impulse.data, s->memory.impulse.data, sizeof(vs_impulse) * (size_t)state->impulse.count);
    state->time = world->time;
    state->gravity = world->gravity;
    return VS_OK;
}

void vs_saved_state_restore_impulses(vs_simulation *s) {
    // The memory never shrinks: there is room for what came from it.
    s->memory.impulse.count = s->saved.impulse.count;
    if (s->saved.impulse.count > 0)
        memcpy(s->memory.impulse.data, s->saved.impulse.data, sizeof(vs_impulse) * (size_t)s->saved.impulse.count);
}

void vs_saved_state_restore(vs_simulation *s) {
    vs_world *world = s->world;
    for (int k = 0; k < world->bodies; k++) {
        const vs_saved_body *from = &s->saved.body.data[k];
        vs_body *body = &world->body[k];
        body->pose = from->pose;
        body->velocity = from->velocity, body->spin = from->spin;
        body->held = from->held, body->free_spin = from->free_spin;
        body->old_velocity = from->old_velocity, body->old_spin = from->old_spin;
    }
    for (int k = 0; k < world->joints; k++) {
        const vs_saved_joint *from = &s->saved.joint.data[k];
        world->joint[k].force = from->force, world->joint[k].torque = from->torque;
        world->joint[k].angle = from->angle, world->joint[k].effort = from->effort;
    }
    world->time = s->saved.time;
    world->gravity = s->saved.gravity;
    vs_saved_state_restore_impulses(s);
}
