// Controls: named inputs that command the motors of joints.
//
// A transmission with the gear r between an actuator (position s, force f) and a joint (coordinate x, effort e) has
//
//     s = r (x - offset),    e = r f
//
// so that a value u commands the effort r u, the position u/r + offset or the speed u/r. Gains and the limit of the effort
// are those of the joint's motor.
#include <math.h>

#include "base/array.h"
#include "body/check.h"
#include "body/world_data.h"

vs_control_def vs_control_def_default(void) {
    return (vs_control_def){.motor = VS_MOTOR_EFFORT, .gear = 1};
}

static vs_error check_control(const vs_world *world, const vs_control_def *def) {
    vs_context *context = world->context;
    if (vs_world_joint_index(world, def->joint) < 0)
        return vs_fail(context, VS_ERROR_ARGUMENT,
                       "control: the joint does not exist; it was removed, or the id is of another world");
    if (def->motor != VS_MOTOR_SPEED && def->motor != VS_MOTOR_POSITION && def->motor != VS_MOTOR_EFFORT)
        return vs_fail(context, VS_ERROR_ARGUMENT, "control: motor must be speed, position or effort");
    if (!isfinite(def->gear) || def->gear == 0 || !isfinite(def->offset))
        return vs_fail(context, VS_ERROR_ARGUMENT, "control: gear must be finite and not 0 (is %g), offset finite",
                       def->gear);
    if (def->limited && !(def->low <= def->high && isfinite(def->low) && isfinite(def->high)))
        return vs_fail(context, VS_ERROR_ARGUMENT, "control: low must not exceed high (values from %g to %g)", def->low,
                       def->high);
    if (vs_names_find(&world->control_names, def->name) >= 0)
        return vs_fail(context, VS_ERROR_ARGUMENT, "control: the name \"%s\" is already in use", def->name);
    return VS_OK;
}

static double clamp(const vs_control_def *def, double value) {
    return def->limited ? fmax(def->low, fmin(value, def->high)) : value;
}

static vs_error command(vs_world *world, const vs_control_def *def, double value) {
    switch (def->motor) {
    case VS_MOTOR_POSITION:
        return vs_world_set_joint_target(world, def->joint, value / def->gear + def->offset);
    case VS_MOTOR_SPEED:
        return vs_world_set_joint_speed(world, def->joint, value / def->gear);
    default:
        return vs_world_set_joint_effort(world, def->joint, def->gear * value);
    }
}

// The name last, so that a failure changes nothing.
vs_error vs_world_add_control(vs_world *world, const vs_control_def *def, int *index) {
    if (!world || !def)
        return vs_fail(world ? world->context : NULL, VS_ERROR_ARGUMENT, "control: an argument is null");
    vs_context *context = world->context;
    vs_control made = {.def = *def, .value = clamp(def, 0)};
    vs_error error = check_control(world, def);
    if (!error)
        error = vs_array_reserve(context, &world->control, &world->control_capacity, world->controls + 1,
                                 sizeof *world->control);
    if (!error)
        error = vs_copy_text(context, def->name, &made.name);
    if (!error)
        error = command(world, def, made.value);
    if (!error && made.name)
        error = vs_names_add(context, &world->control_names, made.name, world->controls);
    if (error) {
        vs_release(context, made.name);
        return error;
    }
    made.def.name = made.name;
    if (index)
        *index = world->controls;
    world->control[world->controls++] = made;
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
    const vs_error error = command(world, &control->def, chosen);
    if (!error)
        control->value = chosen;
    return error;
}
