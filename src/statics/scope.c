// What statics is for: rigid blocks with contacts, mortar and joints on supports at rest, under loads that do not change. Everything else is
// refused by name, because a verdict would be one about another structure.
#include "statics/scope.h"

#include <math.h>
#include <stdio.h>

#include "voussoir/bond.h"

void vs_statics_name_body(const vs_world *world, int body, char name[VS_STATICS_NAME]) {
    if (body == 0)
        (void)snprintf(name, VS_STATICS_NAME, "world");
    else if (world->body[body].name)
        (void)snprintf(name, VS_STATICS_NAME, "%s", world->body[body].name);
    else
        (void)snprintf(name, VS_STATICS_NAME, "#%d", body - 1);
}

static bool are_constant(const vs_signal_copy *signal, int count) {
    for (int k = 0; k < count; k++)
        if (!vs_signal_is_constant(&signal[k]))
            return false;
    return true;
}

static vs_error check_options(const vs_world *world, const vs_interface_options *o) {
    if (!(o->angle > 0 && o->angle < .5))
        return vs_fail(world->context, VS_ERROR_ARGUMENT, "interfaces: angle must be between 0 and 0.5 rad, is %g",
                       o->angle);
    if (!(o->distance > 0 && o->distance < .5))
        return vs_fail(world->context, VS_ERROR_ARGUMENT, "interfaces: distance must be between 0 and 0.5, is %g",
                       o->distance);
    if (isinf(o->time))
        return vs_fail(world->context, VS_ERROR_ARGUMENT, "statics: the time of loads must be finite");
    return VS_OK;
}

// Gravity and loads that change with time need a time.
static vs_error check_signals(const vs_world *world, const vs_interface_options *o) {
    char name[VS_STATICS_NAME];
    if (!isnan(o->time))
        return VS_OK;
    if (world->gravity_changes && !are_constant(world->gravity_signal, 3))
        return vs_fail(world->context, VS_ERROR_UNSUPPORTED,
                       "statics: gravity changes with time; say at which time it is taken (--time T, in s)");
    for (int b = 1; b < world->bodies; b++)
        for (const vs_load *load = world->body[b].alive ? world->body[b].loads : NULL; load; load = load->next)
            if (!are_constant(load->force, 3) || !are_constant(load->torque, 3)) {
                vs_statics_name_body(world, b, name);
                return vs_fail(world->context, VS_ERROR_UNSUPPORTED,
                               "statics: a load on body '%s' changes with time; say at which time it is taken (--time "
                               "T, in s)",
                               name);
            }
    return VS_OK;
}

// What a joint has that is no constraint; null: nothing.
static const char *find_drive(const vs_joint_def *def) {
    return def->motor != VS_MOTOR_NONE                          ? "a motor"
           : def->kind == VS_JOINT_SPRING || def->stiffness > 0 ? "a spring"
           : def->friction > 0                                  ? "friction"
           : def->kind == VS_JOINT_GEAR                         ? "a gear"
           : def->kind == VS_JOINT_CAM                          ? "a cam"
           : def->kind == VS_JOINT_CABLE                        ? "a cable"
           : def->limited && def->kind != VS_JOINT_DISTANCE     ? "limits"
                                                                : NULL;
}

static vs_error check_joints(const vs_world *world) {
    for (int k = 0; k < world->joints; k++) {
        const char *has = world->joint[k].alive ? find_drive(&world->joint[k].def) : NULL;
        if (has)
            return vs_fail(
                world->context, VS_ERROR_UNSUPPORTED,
                "statics: joint %d%s%s has %s; statics knows rods, ties and plain joints, use 'voussoir run'", k,
                world->joint[k].name ? ", " : "", world->joint[k].name ? world->joint[k].name : "", has);
    }
    return VS_OK;
}

vs_error vs_statics_check_world(const vs_world *world, const vs_interface_options *options) {
    vs_error error = check_options(world, options);
    if (error)
        return error;
    error = check_joints(world);
    if (error)
        return error;
    for (int k = 0; k < world->mortars; k++)
        if (world->mortar[k].def.dilatancy > 0)
            return vs_fail(
                world->context, VS_ERROR_UNSUPPORTED,
                "statics: mortar has dilatancy, which statics does not know; remove it or use 'voussoir run'");
    if (world->flexible_slots.used > 0)
        return vs_fail(world->context, VS_ERROR_UNSUPPORTED,
                       "statics: the scene has flexible bodies; statics is for rigid blocks, use 'voussoir run'");
    if (world->gates > 0)
        return vs_fail(world->context, VS_ERROR_UNSUPPORTED,
                       "statics: the scene has factories or sinks, which act in time only; use 'voussoir run'");
    return check_signals(world, options);
}

vs_error vs_statics_check_load(const vs_world *world, int body, double time, vs_vec3 force, vs_vec3 torque) {
    char name[VS_STATICS_NAME];
    if (isfinite(vs_length(force)) && isfinite(vs_length(torque)))
        return VS_OK;
    vs_statics_name_body(world, body, name);
    return vs_fail(
        world->context, VS_ERROR_DATA,
        "statics: the load on body '%s' is not finite at t = %g s: force %g, %g, %g N, torque %g, %g, %g N m", name,
        time, force.x, force.y, force.z, torque.x, torque.y, torque.z);
}

// A support with a prescribed motion. Its place is known at the present time only.
static vs_error check_motion(const vs_world *world, int body, double time) {
    const vs_body *it = &world->body[body];
    char name[VS_STATICS_NAME];
    const bool driven =
        it->servo || (it->driven && !(are_constant(it->drive, 6) && vs_length(vs_signals_at(it->drive, 0)) == 0 &&
                                      vs_length(vs_signals_at(it->drive + 3, 0)) == 0));
    if (it->motion != VS_MOTION_KINEMATIC || (!driven && vs_length(it->velocity) == 0 && vs_length(it->spin) == 0) ||
        time == world->time)
        return VS_OK;
    vs_statics_name_body(world, body, name);
    return vs_fail(
        world->context, VS_ERROR_UNSUPPORTED,
        "statics: body '%s' moves and carries blocks; statics is for supports at rest. --time %g takes it at "
        "rest where it is now; use 'voussoir run' for its motion",
        name, world->time);
}

vs_error vs_statics_check_interfaces(const vs_world *world, const vs_interfaces *found, double time) {
    char name[VS_STATICS_NAME];
    vs_error error = VS_OK;
    if (found->mesh >= 0) {
        vs_statics_name_body(world, found->mesh, name);
        return vs_fail(world->context, VS_ERROR_UNSUPPORTED,
                       "statics: body '%s' is a mesh or height field; use boxes, hulls or a plane as supports", name);
    }
    if (found->belt >= 0) {
        vs_statics_name_body(world, found->belt, name);
        return vs_fail(
            world->context, VS_ERROR_UNSUPPORTED,
            "statics: body '%s' has a moving surface, which drags what lies on it; remove surface_velocity or "
            "use 'voussoir run'",
            name);
    }
    if (found->beyond_coulomb)
        return vs_fail(world->context, VS_ERROR_UNSUPPORTED,
                       "statics: a material has adhesion, rolling or spinning friction or a grain; remove it from the "
                       "scene");
    for (int k = 0; k < found->report.interfaces && !error; k++) {
        error = check_motion(world, (int)found->list.data[k].a.index, time);
        if (!error)
            error = check_motion(world, (int)found->list.data[k].b.index, time);
    }
    return error;
}
