// State of bodies and actions on them: mass, forces of one step, persistent loads and drives.
//
// In the interface spin and torque are in world axes; internally spin is in body axes. Bodies without mass accept
// forces and loads but do not move under them.
#include "body/check.h"
#include "body/world_data.h"

// Index of a body, with an error text if there is none.
static vs_error find_body(const vs_world *world, vs_body_id id, const char *what, int *index) {
    if (!world)
        return VS_ERROR_ARGUMENT;
    *index = vs_world_body_index(world, id);
    if (*index < 0)
        return vs_fail(world->context, VS_ERROR_ARGUMENT,
                       "%s: the body (%u, %u) does not exist; it was removed, or the id is of another world", what,
                       (unsigned)id.index, (unsigned)id.generation);
    return VS_OK;
}

vs_error vs_world_get_body_state(const vs_world *world, vs_body_id id, vs_body_state *state) {
    int index;
    vs_error error = find_body(world, id, "state", &index);
    if (error)
        return error;
    if (!state)
        return vs_fail(world->context, VS_ERROR_ARGUMENT, "state: the result is null");
    const vs_body *body = &world->body[index];
    *state = (vs_body_state){body->pose, body->velocity, vs_rotate(body->pose.rotation, body->spin)};
    return VS_OK;
}

vs_error vs_world_set_body_state(vs_world *world, vs_body_id id, const vs_body_state *state) {
    int index;
    vs_error error = find_body(world, id, "state", &index);
    if (error)
        return error;
    if (index == 0 || !state)
        return vs_fail(world->context, VS_ERROR_ARGUMENT,
                       index == 0 ? "state: the world cannot move" : "state: state is null");
    vs_body_state checked = *state;
    error = vs_check_pose(world->context, "state", &checked.pose);
    if (error)
        return error;
    if (!vs_is_finite3(checked.velocity) || !vs_is_finite3(checked.spin))
        return vs_fail(world->context, VS_ERROR_ARGUMENT, "state: velocity or spin is not finite");
    if (!vs_is_moderate3(checked.velocity) || !vs_is_moderate3(checked.spin))
        return vs_fail(world->context, VS_ERROR_ARGUMENT, "state: velocity or spin is larger than %g", VS_NUMBER_MOST);
    vs_body *body = &world->body[index];
    if (body->motion == VS_MOTION_STATIC && (vs_length(checked.velocity) > 0 || vs_length(checked.spin) > 0))
        return vs_fail(world->context, VS_ERROR_ARGUMENT, "state: a static body has no velocity");
    body->pose = checked.pose;
    body->velocity = checked.velocity;
    body->spin = vs_rotate_back(checked.pose.rotation, checked.spin);
    body->free_spin = body->spin;
    body->held = VS_ZERO3;
    body->lead = (vs_lead){0};
    return VS_OK;
}

vs_error vs_world_get_body_mass(const vs_world *world, vs_body_id id, double *mass, vs_mat3 *inertia) {
    int index;
    vs_error error = find_body(world, id, "mass", &index);
    if (error)
        return error;
    if (mass)
        *mass = world->body[index].mass;
    if (inertia)
        *inertia = world->body[index].inertia;
    return VS_OK;
}

// ---- forces of the next step -----------------------------------------------------------------------

vs_error vs_world_apply_force(vs_world *world, vs_body_id id, vs_vec3 force, const vs_vec3 *point) {
    int index;
    vs_error error = find_body(world, id, "force", &index);
    if (error)
        return error;
    if (!vs_is_finite3(force) || (point && !vs_is_finite3(*point)))
        return vs_fail(world->context, VS_ERROR_ARGUMENT, "force: the force or its point is not finite");
    vs_body *body = &world->body[index];
    body->force = vs_add(body->force, force);
    if (point)
        body->torque = vs_add(body->torque, vs_cross(vs_subtract(*point, body->pose.position), force));
    return VS_OK;
}

vs_error vs_world_apply_torque(vs_world *world, vs_body_id id, vs_vec3 torque) {
    int index;
    vs_error error = find_body(world, id, "torque", &index);
    if (error)
        return error;
    if (!vs_is_finite3(torque))
        return vs_fail(world->context, VS_ERROR_ARGUMENT, "torque: the torque is not finite");
    world->body[index].torque = vs_add(world->body[index].torque, torque);
    return VS_OK;
}

// ---- loads and drives ------------------------------------------------------------------------------

vs_load_def vs_load_def_default(void) {
    return (vs_load_def){0};
}

vs_error vs_world_add_load_at(vs_world *world, vs_body_id id, const vs_load_def *def) {
    int index;
    vs_error error = find_body(world, id, "load", &index);
    if (error)
        return error;
    vs_context *context = world->context;
    if (!def || !vs_is_finite3(def->point))
        return vs_fail(context, VS_ERROR_ARGUMENT, "load: the definition is null, or its point is not finite");
    vs_load *load = vs_allocate(context, sizeof *load);
    if (!load)
        return vs_fail_memory(context);
    *load = (vs_load){.point = def->point, .follows = def->follows};
    error = vs_signals_copy_from(context, def->force, load->force);
    if (!error) {
        error = vs_signals_copy_from(context, def->torque, load->torque);
        if (error)
            vs_signals_release(context, load->force);
    }
    if (error) {
        vs_release(context, load);
        return error;
    }
    load->next = world->body[index].loads;
    world->body[index].loads = load;
    return VS_OK;
}

vs_error vs_world_add_load(vs_world *world, vs_body_id id, const vs_signal force[3], const vs_signal torque[3]) {
    vs_load_def def = vs_load_def_default();
    for (int k = 0; k < 3; k++) {
        if (force)
            def.force[k] = force[k];
        if (torque)
            def.torque[k] = torque[k];
    }
    return vs_world_add_load_at(world, id, &def);
}

vs_error vs_world_set_drive(vs_world *world, vs_body_id id, const vs_signal velocity[3], const vs_signal spin[3]) {
    int index;
    vs_error error = find_body(world, id, "drive", &index);
    if (error)
        return error;
    vs_context *context = world->context;
    vs_body *body = &world->body[index];
    if (body->motion != VS_MOTION_KINEMATIC)
        return vs_fail(context, VS_ERROR_ARGUMENT, "drive: only kinematic bodies can be driven");
    vs_signal_copy drive[6];
    error = vs_signals_copy_from(context, velocity, drive);
    if (error)
        return error;
    error = vs_signals_copy_from(context, spin, drive + 3);
    if (error) {
        vs_signals_release(context, drive);
        return error;
    }
    for (int k = 0; k < 6; k++) {
        vs_signal_copy_release(context, &body->drive[k]);
        body->drive[k] = drive[k];
    }
    // Before the first step the velocity at the present time is visible.
    body->driven = true;
    body->velocity = vs_signals_at(drive, world->time);
    body->spin = vs_rotate_back(body->pose.rotation, vs_signals_at(drive + 3, world->time));
    return VS_OK;
}
