// Estimate of the error of a controlled step from its two ends, without another problem: the displacement of each body less
// the trapezoidal rule,
//
//     d = x1 - x0 - h (v0 + v1)/2        rotations: rotation vector and spin in world axes, times the body's size L
//
// which is h^3/12 of the third derivative and more; the errors of positions and velocities of the scheme are of the same
// order. Compared with a L, and 2 d/h with a sqrt(g L) (without gravity a L per second).
//
// The size of a body is the largest distance of its shapes and joints from the centre of mass; without any, its largest radius
// of gyration.
#ifndef VS_STEP_TIME_ERROR_H
#define VS_STEP_TIME_ERROR_H

#include "step/data/simulation_data.h"

typedef struct vs_time_error {
    double position, speed;             // m, m/s: largest of all bodies
    double position_share, speed_share; // the same relative to the accuracy
    double jump_share;                  // largest change of velocity relative to the accuracy
} vs_time_error;

// Sizes of bodies, if the world has changed.
vs_error vs_time_error_prepare(vs_simulation *s);
// Of a step of h from the saved state to the present one.
vs_time_error vs_time_error_estimate(const vs_simulation *s, double h);

#endif
