// Servos: a kinematic body whose velocity is regulated so that it presses with a given force, as the walls of a test of soils do.
//
// At the beginning of each step the component of the body's velocity along the servo's direction becomes
//
//     gain (target - force), within ± speed
//
// with the force of its contacts in the last step. The other components, and the spin, stay those of its drive: a wall may press
// and shear. Where bodies are rigid and cannot give way no velocity of the wall belongs to a force: give the contacts with the
// wall a stiffness K (N/m, all of them together), as a membrane has, and take 1/(10 K h) as the gain, with the step h. Beyond
// 2/(K h) the force oscillates.
#ifndef VOUSSOIR_SERVO_H
#define VOUSSOIR_SERVO_H

#include "voussoir/world.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct vs_servo_def {
    vs_vec3 direction; // in which the body presses, world axes; not 0, scaled to 1
    vs_signal target;  // N; Pa with `across`
    // Two pairs of bodies, or zeros, the default: the target is a stress, on the area |direction . (x x y)| of the ways x and y from
    // the first body of each pair to the second one, at present. The origin of a plane is on its surface.
    vs_body_id across[4];
    double gain;  // (m/s)/N, positive; no default
    double speed; // m/s, positive: bound of the velocity; no default
} vs_servo_def;

typedef struct vs_servo_state {
    double force;  // N, with which the body pressed in the last step; 0 before the first one
    double target; // N, at present
    double speed;  // m/s, along its direction
} vs_servo_state;

VS_API vs_servo_def vs_servo_def_default(void);
// Regulates a kinematic body, instead of its servo, if it has one. Steps of controlled accuracy, statics and derivatives refuse
// servos.
VS_API vs_error vs_world_set_servo(vs_world *world, vs_body_id id, const vs_servo_def *def);
// Fails if the body has no servo.
VS_API vs_error vs_world_get_servo(const vs_world *world, vs_body_id id, vs_servo_state *state);

#ifdef __cplusplus
}
#endif

#endif
