// Commands to joints while a simulation runs: the target of their motors, and its gains.
#include "body/joint_command.h"

#include <math.h>

// Null: there is no such joint; the text is set.
static vs_joint *find(vs_world *world, vs_joint_id id) {
    const int index = world ? vs_world_joint_index(world, id) : -1;
    if (index < 0)
        (void)vs_fail(world ? world->context : NULL, VS_ERROR_ARGUMENT, "joint: the id is stale or unknown");
    return index < 0 ? NULL : &world->joint[index];
}

bool vs_joint_kind_has_coordinate(vs_joint_kind kind) {
    return kind == VS_JOINT_REVOLUTE || kind == VS_JOINT_PRISMATIC || kind == VS_JOINT_CYLINDRICAL ||
           kind == VS_JOINT_DISTANCE || kind == VS_JOINT_SPRING;
}

bool vs_joint_has_gains(const vs_joint_def *def) {
    return def->motor_damping > 0 || (def->motor == VS_MOTOR_POSITION && def->motor_stiffness > 0);
}

bool vs_joint_is_driven(const vs_joint *joint) {
    const vs_joint_def *def = &joint->def;
    return (def->motor == VS_MOTOR_SPEED || def->motor == VS_MOTOR_POSITION) && def->motor_limit == 0 &&
           !vs_joint_has_gains(def);
}

// Caches know which coordinates are prescribed.
static void change(vs_world *world, vs_joint *joint, const vs_joint_def *def) {
    const bool driven = vs_joint_is_driven(joint);
    joint->def = *def;
    world->topology += driven != vs_joint_is_driven(joint);
}

static vs_error command(vs_world *world, vs_joint_id id, vs_motor_kind motor, double value) {
    vs_joint *joint = find(world, id);
    if (!joint)
        return VS_ERROR_ARGUMENT;
    if (!vs_joint_kind_has_coordinate(joint->def.kind))
        return vs_fail(world->context, VS_ERROR_ARGUMENT, "joint: a motor needs a kind with a coordinate");
    if (!isfinite(value))
        return vs_fail(world->context, VS_ERROR_ARGUMENT, "joint: the command is not finite");
    vs_joint_def def = joint->def;
    vs_signal_copy_release(world->context, &joint->target);
    joint->target.signal = def.target = (vs_signal){.kind = VS_SIGNAL_CONSTANT, .value = value};
    def.motor = motor;
    change(world, joint, &def);
    return VS_OK;
}

vs_error vs_world_set_joint_target(vs_world *world, vs_joint_id id, double target) {
    return command(world, id, VS_MOTOR_POSITION, target);
}

vs_error vs_world_set_joint_speed(vs_world *world, vs_joint_id id, double speed) {
    return command(world, id, VS_MOTOR_SPEED, speed);
}

vs_error vs_world_set_joint_effort(vs_world *world, vs_joint_id id, double effort) {
    return command(world, id, VS_MOTOR_EFFORT, effort);
}

vs_error vs_world_set_joint_gains(vs_world *world, vs_joint_id id, double stiffness, double damping) {
    vs_joint *joint = find(world, id);
    if (!joint)
        return VS_ERROR_ARGUMENT;
    if (!(stiffness >= 0) || !(damping >= 0) || !isfinite(stiffness) || !isfinite(damping))
        return vs_fail(world->context, VS_ERROR_ARGUMENT, "joint: gains must not be negative (%g, %g)", stiffness,
                       damping);
    vs_joint_def def = joint->def;
    def.motor_stiffness = stiffness;
    def.motor_damping = damping;
    change(world, joint, &def);
    return VS_OK;
}

vs_error vs_world_get_joint_def(const vs_world *world, vs_joint_id id, vs_joint_def *def) {
    const int index = world && def ? vs_world_joint_index(world, id) : -1;
    if (index < 0)
        return vs_fail(world ? world->context : NULL, VS_ERROR_ARGUMENT, "joint: the id is stale or unknown");
    *def = world->joint[index].def;
    return VS_OK;
}
