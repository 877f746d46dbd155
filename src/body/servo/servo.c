// Servos: see voussoir/servo.h and servo.h.
#include "body/servo/servo.h"

#include <math.h>

#include "body/check.h"

vs_servo_def vs_servo_def_default(void) {
    return (vs_servo_def){0};
}

// ---- definition ------------------------------------------------------------------------------------

static vs_error check_across(const vs_world *world, const vs_servo_def *def, bool *is_stress) {
    int given = 0;
    for (int k = 0; k < 4; k++) {
        given += def->across[k].index > 0;
        if (def->across[k].index > 0 && vs_world_body_index(world, def->across[k]) < 0)
            return vs_fail(world->context, VS_ERROR_ARGUMENT, "servo: across[%d] does not exist", k);
    }
    *is_stress = given > 0;
    if (given > 0 && given < 4)
        return vs_fail(world->context, VS_ERROR_ARGUMENT, "servo: across has %d of 4 bodies", given);
    return VS_OK;
}

static vs_error check(const vs_world *world, int body, const vs_servo_def *def) {
    if (!def)
        return vs_fail(world->context, VS_ERROR_ARGUMENT, "servo: the definition is null");
    if (world->body[body].motion != VS_MOTION_KINEMATIC)
        return vs_fail(world->context, VS_ERROR_ARGUMENT, "servo: only kinematic bodies can be regulated");
    const double length = vs_length(def->direction);
    if (!(length > 0) || isinf(length))
        return vs_fail(world->context, VS_ERROR_ARGUMENT, "servo: the direction is 0 or not finite");
    if (!(def->gain > 0) || isinf(def->gain))
        return vs_fail(world->context, VS_ERROR_ARGUMENT, "servo: gain must be positive, is %g (m/s)/N", def->gain);
    if (!(def->speed > 0) || def->speed > VS_NUMBER_MOST)
        return vs_fail(world->context, VS_ERROR_ARGUMENT, "servo: speed must be positive, is %g m/s", def->speed);
    return VS_OK;
}

vs_error vs_world_set_servo(vs_world *world, vs_body_id id, const vs_servo_def *def) {
    if (!world)
        return VS_ERROR_ARGUMENT;
    vs_context *context = world->context;
    const int index = vs_world_body_index(world, id);
    if (index < 0)
        return vs_fail(context, VS_ERROR_ARGUMENT, "servo: the body does not exist");
    bool is_stress = false;
    vs_error error = check(world, index, def);
    if (!error)
        error = check_across(world, def, &is_stress);
    if (error)
        return error;
    vs_signal_copy target;
    error = vs_signal_copy_from(context, &def->target, &target);
    if (error)
        return error;
    vs_servo *servo = vs_allocate(context, sizeof *servo);
    if (!servo) {
        vs_signal_copy_release(context, &target);
        return vs_fail_memory(context);
    }
    *servo = (vs_servo){.direction = vs_normalize(def->direction),
                        .target = target,
                        .is_stress = is_stress,
                        .gain = def->gain,
                        .speed = def->speed};
    for (int k = 0; k < 4; k++)
        servo->across[k] = def->across[k];
    vs_servo_release(context, &world->body[index]);
    world->body[index].servo = servo;
    return VS_OK;
}

void vs_servo_release(vs_context *context, vs_body *body) {
    if (!body->servo)
        return;
    vs_signal_copy_release(context, &body->servo->target);
    vs_release(context, body->servo);
    body->servo = NULL;
}

bool vs_world_has_servos(const vs_world *world) {
    for (int k = 1; k < world->bodies; k++)
        if (world->body[k].servo)
            return true;
    return false;
}

// ---- what it does ----------------------------------------------------------------------------------

static bool find_area(const vs_world *world, const vs_servo *servo, double *area) {
    vs_vec3 place[4];
    for (int k = 0; k < 4; k++) {
        const int index = vs_world_body_index(world, servo->across[k]);
        if (index < 0)
            return false;
        place[k] = world->body[index].pose.position;
    }
    const vs_vec3 x = vs_subtract(place[1], place[0]), y = vs_subtract(place[3], place[2]);
    *area = fabs(vs_dot(servo->direction, vs_cross(x, y)));
    return true;
}

bool vs_servo_target(const vs_world *world, const vs_servo *servo, double h, double *target) {
    double area = 1;
    *target = 0;
    if (servo->is_stress && !find_area(world, servo, &area))
        return false;
    *target =
        area * (h > 0 ? vs_signal_mean(&servo->target, world->time, h) : vs_signal_at(&servo->target, world->time));
    return true;
}

void vs_servo_drive(vs_world *world, int body, double h) {
    vs_body *it = &world->body[body];
    const vs_servo *servo = it->servo;
    double target, speed = 0;
    if (vs_servo_target(world, servo, h, &target))
        speed = fmin(fmax(servo->gain * (target - servo->force), -servo->speed), servo->speed);
    it->velocity = vs_add_scaled(it->velocity, speed - vs_dot(it->velocity, servo->direction), servo->direction);
}

vs_error vs_world_get_servo(const vs_world *world, vs_body_id id, vs_servo_state *state) {
    if (!world)
        return VS_ERROR_ARGUMENT;
    const int index = vs_world_body_index(world, id);
    if (index < 0 || !world->body[index].servo || !state)
        return vs_fail(world->context, VS_ERROR_ARGUMENT,
                       state ? "servo: the body does not exist or has no servo" : "servo: the result is null");
    const vs_body *body = &world->body[index];
    *state = (vs_servo_state){.force = body->servo->force, .speed = vs_dot(body->velocity, body->servo->direction)};
    (void)vs_servo_target(world, body->servo, 0, &state->target);
    return VS_OK;
}
