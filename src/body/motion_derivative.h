// The derivative of a body's motion over a step (motion.c), as dense matrices that serve tangents and adjoints alike.
//
// Directions of a body: translation (m, world axes), rotation (rad, world axes: dR = [r] R), velocity (m/s) and angular velocity
// (rad/s), both in world axes, as a user sees them, and the predicted part of its spin (rad/s, body axes). The kick and the
// drift meet in the momentum c = -M v_free of the contact problem, the velocities v that solve it, and the reaction of the spin.
#ifndef VS_BODY_MOTION_DERIVATIVE_H
#define VS_BODY_MOTION_DERIVATIVE_H

#include "body/world_data.h"

enum {
    VS_MOTION_STATE = 15, // translation, rotation, velocity, angular velocity, prediction: 3 each
    VS_KICK_IN = 22,      // a state; force and torque (N, N m, world axes); mass (kg), with the inertia in proportion
    VS_KICK_OUT = 9,      // c (6), as in the contact problem; free spin (3), body axes
    VS_DRIFT_IN = 15      // translation, rotation, v (6) as in the contact problem, free spin
};

typedef struct vs_motion_derivative {
    double kick[VS_KICK_OUT * VS_KICK_IN];       // by rows
    double drift[VS_MOTION_STATE * VS_DRIFT_IN]; // by rows
} vs_motion_derivative;

// The kick of h with the loads of a time (s), of the dynamic body `index` at the beginning of its step. predicts: its prediction is part of
// its spin, not dropped.
void vs_motion_derivative_kick(vs_motion_derivative *d, const vs_world *world, int index, double h, double time,
                               bool predicts);
// The drift of h of a body with its new spin and its free_spin. reacts: the difference of both is the reaction that is predicted.
void vs_motion_derivative_drift(vs_motion_derivative *d, const vs_body *body, double h, bool reacts);
// J x with the left Jacobian of the exponential: d exp(r) = [J dr] exp(r).
vs_vec3 vs_exp_left(vs_vec3 r, vs_vec3 x);

#endif
