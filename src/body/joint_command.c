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
           kind == VS_JOINT_DISTANCE || kind == VS_JOINT_SPRING || kind == VS_JOINT_CABLE;
}

bool vs_joint_has_gains(const vs_joint_def *def) {
    return def->motor_damping > 0 || (def->motor == VS_MOTOR_POSITION && def->motor_stiffness > 0);
}

bool vs_joint_is_driven(const vs_joint *joint) {
    const vs_joint_def *def = &joint->def;
    return !def->pulls && (def->motor == VS_MOTOR_SPEED || def->motor == VS_MOTOR_POSITION) && def->motor_limit == 0 &&
           !vs_joint_has_gains(def);
}

// Caches know which coordinates are prescribed. `driven`: before a change.
static void note_change(vs_world *world, const vs_joint *joint, bool driven) {
    world->topology += driven != vs_joint_is_driven(joint);
}

static void set_target(vs_joint *joint, vs_motor_kind motor, const vs_signal_copy *target) {
    joint->target = *target;
    joint->def.target = target->signal;
    joint->def.motor = motor;
}

// The motor of the definition is kept.
static void command_motor(vs_joint *joint, vs_motor_kind motor, double value) {
    const vs_signal_copy target = {.signal = {.kind = VS_SIGNAL_CONSTANT, .value = value}};
    vs_defined_motor *defined = &joint->defined;
    if (!defined->commanded)
        defined->commanded = true, defined->motor = joint->def.motor, defined->target = joint->target;
    set_target(joint, motor, &target);
}

static void set_gains(vs_joint *joint, double stiffness, double damping) {
    vs_joint_def *def = &joint->def;
    vs_defined_motor *defined = &joint->defined;
    if (!defined->tuned)
        defined->tuned = true, defined->stiffness = def->motor_stiffness, defined->damping = def->motor_damping;
    def->motor_stiffness = stiffness;
    def->motor_damping = damping;
}

// As the joint was added.
static void withdraw(vs_joint *joint) {
    const vs_defined_motor defined = joint->defined;
    if (defined.commanded)
        set_target(joint, defined.motor, &defined.target);
    if (defined.tuned)
        joint->def.motor_stiffness = defined.stiffness, joint->def.motor_damping = defined.damping;
    joint->defined = (vs_defined_motor){0};
}

vs_joint_command vs_joint_get_command(const vs_joint *joint) {
    vs_joint_command now = {.commanded = joint->defined.commanded, .tuned = joint->defined.tuned};
    if (now.commanded)
        now.motor = joint->def.motor, now.target = joint->target.signal.value;
    if (now.tuned)
        now.stiffness = joint->def.motor_stiffness, now.damping = joint->def.motor_damping;
    return now;
}

void vs_joint_set_command(vs_world *world, int index, const vs_joint_command *wanted) {
    vs_joint *joint = &world->joint[index];
    const bool driven = vs_joint_is_driven(joint);
    withdraw(joint);
    if (wanted->commanded)
        command_motor(joint, wanted->motor, wanted->target);
    if (wanted->tuned)
        set_gains(joint, wanted->stiffness, wanted->damping);
    note_change(world, joint, driven);
}

static vs_error command(vs_world *world, vs_joint_id id, vs_motor_kind motor, double value) {
    vs_joint *joint = find(world, id);
    if (!joint)
        return VS_ERROR_ARGUMENT;
    if (!vs_joint_kind_has_coordinate(joint->def.kind))
        return vs_fail(world->context, VS_ERROR_ARGUMENT, "joint: a motor needs a kind with a coordinate");
    if (!isfinite(value))
        return vs_fail(world->context, VS_ERROR_ARGUMENT, "joint: the command is not finite");
    const bool driven = vs_joint_is_driven(joint);
    command_motor(joint, motor, value);
    note_change(world, joint, driven);
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
    const bool driven = vs_joint_is_driven(joint);
    set_gains(joint, stiffness, damping);
    note_change(world, joint, driven);
    return VS_OK;
}

vs_error vs_world_get_joint_def(const vs_world *world, vs_joint_id id, vs_joint_def *def) {
    const int index = world && def ? vs_world_joint_index(world, id) : -1;
    if (index < 0)
        return vs_fail(world ? world->context : NULL, VS_ERROR_ARGUMENT, "joint: the id is stale or unknown");
    *def = world->joint[index].def;
    return VS_OK;
}
