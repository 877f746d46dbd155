// Servos within the library: what they are, and the velocity that they give. Their forces are measured in step/account/servo_force.c.
#ifndef VS_BODY_SERVO_H
#define VS_BODY_SERVO_H

#include "body/world_data.h"
#include "voussoir/servo.h"

typedef struct vs_servo {
    vs_vec3 direction;
    vs_signal_copy target;
    vs_body_id across[4];
    bool is_stress; // the target is one, on the area across
    double gain, speed;
    double force; // N, of the last step: the state, which checkpoints keep
} vs_servo;

// N, mean over time … time + h, h = 0: at that time. False if bodies that the area is between do not exist any more.
bool vs_servo_target(const vs_world *world, const vs_servo *servo, double h, double *target);
// Sets the velocity along its direction for a step of h. With a target without an area: it rests.
void vs_servo_drive(vs_world *world, int body, double h);
bool vs_world_has_servos(const vs_world *world);
void vs_servo_release(vs_context *context, vs_body *body);

#endif
