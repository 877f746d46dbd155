// Controls: named inputs that command the motors of joints.
//
// A transmission with the gear r between an actuator (position s, force f) and a joint (coordinate x, effort e) has
//
//     s = r (x - offset),    e = r f
//
// so that a value u commands the effort r u, the position u/r + offset or the speed u/r. Gains and the limit of the effort
// are those of the joint's motor. Controls of a joint that add up: the motor has the sum of their gains, K and D, and the
// target at which it exerts the sum of the efforts,
//
//     sum (K_i (s_i - x) - D_i x') + sum D_i v_i + sum e_i = K (target - x) - D x'
//
// A control of a body is a force and a torque in its axes, times the value.
//
// With an activation a, all of this holds for a instead of the value u, which is constant over a step of h:
//
//     integrator  a <- a + h u         filter  a <- u + (a - u) exp(-h/time_constant)
#include <math.h>

#include "base/array.h"
#include "base/elementary.h"
#include "base/vec.h"
#include "body/check.h"
#include "body/world_data.h"

vs_control_def vs_control_def_default(void) {
    return (vs_control_def){.motor = VS_MOTOR_EFFORT, .gear = 1};
}

static vs_error check_pushed(const vs_world *world, const vs_control_def *def) {
    const vs_vec3 sum = vs_add(def->point, vs_add(def->force, def->torque));
    if (def->body.index == 0 || vs_world_body_index(world, def->body) < 0)
        return vs_fail(world->context, VS_ERROR_ARGUMENT,
                       "control: needs a joint or a body that exists; it was removed, or the id is of another world");
    if (def->motor != VS_MOTOR_EFFORT || !isfinite(sum.x) || !isfinite(sum.y) || !isfinite(sum.z))
        return vs_fail(world->context, VS_ERROR_ARGUMENT,
                       "control: a body is pushed by an effort; its force, torque and point must be finite");
    return VS_OK;
}

static vs_error check_gains(const vs_world *world, const vs_control_def *def) {
    const bool spring = def->motor == VS_MOTOR_POSITION, damper = def->motor == VS_MOTOR_SPEED;
    if (!(def->stiffness >= 0) || !(def->damping >= 0) || !isfinite(def->stiffness) || !isfinite(def->damping))
        return vs_fail(world->context, VS_ERROR_ARGUMENT, "control: gains must not be negative (%g, %g)",
                       def->stiffness, def->damping);
    if (def->adds ? (spring && def->stiffness == 0) || (damper && def->damping == 0)
                  : def->stiffness > 0 || def->damping > 0)
        return vs_fail(
            world->context, VS_ERROR_ARGUMENT,
            "control: one that adds to others needs a stiffness (position) or a damping (speed); others have "
            "the gains of the joint");
    return VS_OK;
}

static vs_error check_control(const vs_world *world, const vs_control_def *def) {
    vs_context *context = world->context;
    if (def->joint.generation == 0 && def->joint.index == 0)
        return check_pushed(world, def);
    if (vs_world_joint_index(world, def->joint) < 0)
        return vs_fail(context, VS_ERROR_ARGUMENT,
                       "control: the joint does not exist; it was removed, or the id is of another world");
    if (def->motor != VS_MOTOR_SPEED && def->motor != VS_MOTOR_POSITION && def->motor != VS_MOTOR_EFFORT)
        return vs_fail(context, VS_ERROR_ARGUMENT, "control: motor must be speed, position or effort");
    if (!isfinite(def->gear) || def->gear == 0 || !isfinite(def->offset))
        return vs_fail(context, VS_ERROR_ARGUMENT, "control: gear must be finite and not 0 (is %g), offset finite",
                       def->gear);
    return check_gains(world, def);
}

static vs_error check_activation(const vs_world *world, const vs_control_def *def) {
    if ((int)def->activation < VS_ACTIVATION_NONE || (int)def->activation > VS_ACTIVATION_FILTER)
        return vs_fail(world->context, VS_ERROR_ARGUMENT, "control: unknown activation %d", (int)def->activation);
    if (def->activation == VS_ACTIVATION_FILTER && !(def->time_constant > 0 && isfinite(def->time_constant)))
        return vs_fail(world->context, VS_ERROR_ARGUMENT, "control: a filter needs a time constant > 0 (is %g s)",
                       def->time_constant);
    if (def->bounded && !(def->least <= def->most && isfinite(def->least) && isfinite(def->most)))
        return vs_fail(world->context, VS_ERROR_ARGUMENT,
                       "control: the activation's least value must not exceed the most (%g to %g)", def->least,
                       def->most);
    return VS_OK;
}

static vs_error check_names(const vs_world *world, const vs_control_def *def) {
    if (def->limited && !(def->low <= def->high && isfinite(def->low) && isfinite(def->high)))
        return vs_fail(world->context, VS_ERROR_ARGUMENT, "control: low must not exceed high (values from %g to %g)",
                       def->low, def->high);
    if (vs_names_find(&world->control_names, def->name) >= 0)
        return vs_fail(world->context, VS_ERROR_ARGUMENT, "control: the name \"%s\" is already in use", def->name);
    return VS_OK;
}

static double clamp(const vs_control_def *def, double value) {
    return def->limited ? fmax(def->low, fmin(value, def->high)) : value;
}

static double bound(const vs_control_def *def, double activation) {
    return def->bounded ? fmax(def->least, fmin(activation, def->most)) : activation;
}

// Adds a control, with its gains, to the sum of those of a joint.
static void add_to_sum(const vs_control_def *def, double value, double *stiffness, double *damping, double *effort) {
    *stiffness += def->motor == VS_MOTOR_POSITION ? def->stiffness : 0;
    *damping += def->damping;
    *effort += def->motor == VS_MOTOR_POSITION ? def->stiffness * (value / def->gear + def->offset)
               : def->motor == VS_MOTOR_SPEED  ? def->damping * (value / def->gear)
                                               : def->gear * value;
}

static bool add_up(const vs_control_def *a, const vs_control_def *b) {
    return a->adds && b->adds && a->joint.index == b->joint.index && a->joint.generation == b->joint.generation;
}

// Commands the sum of the controls of a joint that add up, with a value for one of them.
static vs_error command_sum(vs_world *world, const vs_control_def *def, double value) {
    double stiffness = 0, damping = 0, effort = 0;
    add_to_sum(def, value, &stiffness, &damping, &effort);
    for (int k = 0; k < world->controls; k++) {
        const vs_control *other = &world->control[k];
        if (&other->def != def && add_up(&other->def, def))
            add_to_sum(&other->def, other->acts, &stiffness, &damping, &effort);
    }
    vs_error error = vs_world_set_joint_gains(world, def->joint, stiffness, damping);
    if (error)
        return error;
    return stiffness > 0 ? vs_world_set_joint_target(world, def->joint, effort / stiffness)
           : damping > 0 ? vs_world_set_joint_speed(world, def->joint, effort / damping)
                         : vs_world_set_joint_effort(world, def->joint, effort);
}

static vs_error command(vs_world *world, const vs_control_def *def, double value) {
    if (def->joint.generation == 0 && def->joint.index == 0)
        return vs_world_body_index(world, def->body) > 0
                   ? VS_OK
                   : vs_fail(world->context, VS_ERROR_ARGUMENT, "control: its body was removed");
    if (def->adds)
        return command_sum(world, def, value);
    switch (def->motor) {
    case VS_MOTOR_POSITION:
        return vs_world_set_joint_target(world, def->joint, value / def->gear + def->offset);
    case VS_MOTOR_SPEED:
        return vs_world_set_joint_speed(world, def->joint, value / def->gear);
    default:
        return vs_world_set_joint_effort(world, def->joint, def->gear * value);
    }
}

void vs_control_push(const vs_world *world, int body, vs_vec3 *force, vs_vec3 *torque) {
    const vs_quat turn = world->body[body].pose.rotation;
    for (int k = world->body[body].first_control; k > 0; k = world->control[k - 1].next) {
        const vs_control *control = &world->control[k - 1];
        const vs_vec3 arm = vs_cross(control->def.point, control->def.force);
        *force = vs_add_scaled(*force, control->acts, vs_rotate(turn, control->def.force));
        *torque = vs_add_scaled(*torque, control->acts, vs_rotate(turn, vs_add(control->def.torque, arm)));
    }
}

// Appended, so that sums have one order.
static void link_to_body(vs_world *world, int index) {
    const vs_control_def *def = &world->control[index].def;
    if (def->joint.generation != 0 || def->joint.index != 0)
        return;
    int *end = &world->body[def->body.index].first_control;
    while (*end > 0)
        end = &world->control[*end - 1].next;
    *end = index + 1;
}

// The name last, so that a failure changes nothing.
vs_error vs_world_add_control(vs_world *world, const vs_control_def *def, int *index) {
    if (!world || !def)
        return vs_fail(world ? world->context : NULL, VS_ERROR_ARGUMENT, "control: an argument is null");
    vs_context *context = world->context;
    vs_control made = {.def = *def, .value = clamp(def, 0)};
    made.acts = def->activation ? bound(def, 0) : made.value;
    vs_error error = check_control(world, def);
    if (!error)
        error = check_activation(world, def);
    if (!error)
        error = check_names(world, def);
    if (!error)
        error = vs_array_reserve(context, &world->control, &world->control_capacity, world->controls + 1,
                                 sizeof *world->control);
    if (!error)
        error = vs_copy_text(context, def->name, &made.name);
    if (!error)
        error = command(world, def, made.acts);
    if (!error && made.name)
        error = vs_names_add(context, &world->control_names, made.name, world->controls);
    if (error) {
        vs_release(context, made.name);
        return error;
    }
    made.def.name = made.name;
    if (index)
        *index = world->controls;
    world->control[world->controls] = made;
    link_to_body(world, world->controls++);
    return VS_OK;
}

int vs_world_get_control_count(const vs_world *world) {
    return world ? world->controls : 0;
}

int vs_world_find_control(const vs_world *world, const char *name) {
    return world ? vs_names_find(&world->control_names, name) : -1;
}

// Null: there is none, or no place for a result; the text is set.
static vs_control *find(const vs_world *world, int index, const void *result) {
    if (world && result && index >= 0 && index < world->controls)
        return &world->control[index];
    (void)vs_fail(world ? world->context : NULL, VS_ERROR_ARGUMENT, "control: there is no control %d", index);
    return NULL;
}

vs_error vs_world_get_control_def(const vs_world *world, int index, vs_control_def *def) {
    const vs_control *control = find(world, index, def);
    if (control)
        *def = control->def;
    return control ? VS_OK : VS_ERROR_ARGUMENT;
}

vs_error vs_world_get_control(const vs_world *world, int index, double *value) {
    const vs_control *control = find(world, index, value);
    if (control)
        *value = control->value;
    return control ? VS_OK : VS_ERROR_ARGUMENT;
}

vs_error vs_world_set_control(vs_world *world, int index, double value) {
    vs_control *control = find(world, index, &value);
    if (!control)
        return VS_ERROR_ARGUMENT;
    if (!isfinite(value))
        return vs_fail(world->context, VS_ERROR_ARGUMENT, "control: the value is not finite");
    const double chosen = clamp(&control->def, value);
    const bool delayed = control->def.activation != VS_ACTIVATION_NONE;
    const vs_error error = command(world, &control->def, delayed ? control->acts : chosen);
    if (error)
        return error;
    control->value = chosen;
    control->acts = delayed ? control->acts : chosen;
    return VS_OK;
}

// ---- activations -----------------------------------------------------------------------------------

vs_error vs_world_get_activation(const vs_world *world, int index, double *activation) {
    const vs_control *control = find(world, index, activation);
    if (control)
        *activation = control->acts;
    return control ? VS_OK : VS_ERROR_ARGUMENT;
}

vs_error vs_world_set_activation(vs_world *world, int index, double activation) {
    vs_control *control = find(world, index, &activation);
    if (!control)
        return VS_ERROR_ARGUMENT;
    if (!isfinite(activation))
        return vs_fail(world->context, VS_ERROR_ARGUMENT, "control: the activation is not finite");
    if (control->def.activation == VS_ACTIVATION_NONE)
        return VS_OK;
    const double chosen = bound(&control->def, activation);
    const vs_error error = command(world, &control->def, chosen);
    if (!error)
        control->acts = chosen;
    return error;
}

void vs_controls_advance(vs_world *world, double h) {
    for (int k = 0; k < world->controls; k++) {
        vs_control *control = &world->control[k];
        const vs_control_def *def = &control->def;
        if (def->activation == VS_ACTIVATION_NONE)
            continue;
        const double u = control->value, a = control->acts;
        control->acts =
            bound(def, def->activation == VS_ACTIVATION_INTEGRATOR ? a + h * u
                                                                   : u + (a - u) * vs_exp(-h / def->time_constant));
        // Fails only if what it moves was removed, of which the next command tells.
        (void)command(world, def, control->acts);
    }
}
