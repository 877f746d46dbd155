// Removal: of a world with all that is in it, of a body with all that depends on it, of a flexible body.
//
// Colliders, joints, gears, cables, ignored pairs and loads go with their body, and a beam goes with any of its bodies.
#include "body/cable/cable.h"
#include "body/flexible_data.h"
#include "body/gate/gate.h"
#include "body/projection_memory.h"
#include "body/sensor/sensor.h"
#include "body/servo/servo.h"
#include "body/tree_projection.h"

// Memory that belongs to one body alone.
static void release_body(vs_context *context, vs_body *body) {
    while (body->loads) {
        vs_load *load = body->loads;
        body->loads = load->next;
        vs_signals_release(context, load->force);
        vs_signals_release(context, load->torque);
        vs_release(context, load);
    }
    vs_signals_release(context, body->drive);
    vs_signals_release(context, body->drive + 3);
    vs_servo_release(context, body);
    vs_release(context, body->name);
    body->name = NULL;
}

void vs_world_destroy(vs_world *world) {
    if (!world)
        return;
    vs_context *context = world->context;
    vs_signals_release(context, world->gravity_signal);
    vs_projection_memory_release(world);
    vs_tree_projection_release(world);
    for (int k = 0; k < world->bodies; k++)
        release_body(context, &world->body[k]);
    for (int k = 0; k < world->colliders; k++)
        if (world->collider[k].alive)
            vs_shape_release(world->collider[k].shape);
    for (int k = 0; k < world->joints; k++)
        vs_joint_release(context, &world->joint[k]);
    for (int k = 0; k < world->controls; k++)
        vs_release(context, world->control[k].name);
    vs_sensors_release(world);
    vs_gates_release(world);
    for (int k = 0; k < world->flexibles; k++)
        if (world->flexible[k].alive)
            vs_flexible_release(context, &world->flexible[k]);
    for (int k = 0; k < world->materials; k++)
        vs_release(context, world->material_name[k]);
    for (int k = 0; k < world->mortars; k++)
        vs_release(context, world->mortar[k].body);
    vs_slots_release(context, &world->body_slots);
    vs_slots_release(context, &world->collider_slots);
    vs_slots_release(context, &world->joint_slots);
    vs_slots_release(context, &world->flexible_slots);
    vs_names_release(context, &world->body_names);
    vs_names_release(context, &world->joint_names);
    vs_names_release(context, &world->control_names);
    vs_names_release(context, &world->flexible_names);
    vs_names_release(context, &world->material_names);
    void *const arrays[] = {world->body,          world->collider, world->joint, world->material,
                            world->material_name, world->pair,     world->kept,  world->ignored.slot,
                            world->flexible,      world->control,  world->mortar};
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++)
        vs_release(context, arrays[k]);
    vs_release(context, world);
}

vs_error vs_world_remove_body(vs_world *world, vs_body_id id) {
    if (!world)
        return VS_ERROR_ARGUMENT;
    int index = vs_world_body_index(world, id);
    if (index <= 0)
        return vs_fail(world->context, VS_ERROR_ARGUMENT,
                       index < 0 ? "body: the id is stale" : "body: the world cannot be removed");
    vs_body *body = &world->body[index];
    while (body->first_joint >= 0)
        vs_world_drop_joint(world, body->first_joint / 2);
    while (body->cables > 0)
        vs_world_drop_joint(world, vs_cable_on_body(world, index, -1));
    while (body->first_collider >= 0)
        vs_world_drop_collider(world, body->first_collider);
    if (world->flexible_slots.used > 0)
        vs_flexible_forget_body(world, index);
    vs_names_remove(&world->body_names, body->name);
    release_body(world->context, body);
    *body = (vs_body){.generation = body->generation,
                      .motion = VS_MOTION_STATIC,
                      .pose = VS_IDENTITY_POSE,
                      .first_collider = -1,
                      .first_joint = -1};
    vs_slots_set(&world->body_slots, index, false);
    world->topology++;
    return VS_OK;
}

vs_error vs_world_remove_flexible(vs_world *world, vs_flexible_id id) {
    if (!world)
        return VS_ERROR_ARGUMENT;
    int index = vs_world_flexible_index(world, id);
    if (index < 0)
        return vs_fail(world->context, VS_ERROR_ARGUMENT, "flexible body: the id is stale or unknown");
    const vs_flexible *f = &world->flexible[index];
    if (!f->beam) {
        vs_flexible_drop(world, index);
        return VS_OK;
    }
    // The beam is removed with the first of its bodies; the others are removed by ids that outlive it.
    vs_arena scratch;
    vs_arena_init(&scratch, world->context);
    int nodes = f->nodes;
    vs_body_id *body = VS_COPY(&scratch, vs_body_id, f->body, nodes);
    vs_error error = body ? VS_OK : VS_ERROR_MEMORY;
    for (int k = 0; k < nodes && !error; k++)
        error = vs_world_remove_body(world, body[k]);
    vs_arena_release(&scratch);
    return error;
}
