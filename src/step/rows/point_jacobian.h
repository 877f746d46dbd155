// Velocities of bodies as a row of a problem sees them.
//
//     u = J v,    J = (d', (R'(r x d))')      speed along d of a body's point at r from its centre
#ifndef VS_STEP_POINT_JACOBIAN_H
#define VS_STEP_POINT_JACOBIAN_H

#include "body/world_data.h"

// Axes of a contact, from its normal: tangents are a fixed function of it, right-handed, n x u = w.
void vs_contact_frame(vs_vec3 n, vs_vec3 frame[3]);
// sign J of a point, world axes, along d.
void vs_point_jacobian(const vs_body *body, vs_vec3 point, vs_vec3 d, double sign, double J[6]);
// J v
static inline double vs_jacobian_times(const double J[6], const double v[6]) {
    double sum = 0;
    for (int k = 0; k < 6; k++)
        sum += J[k] * v[k];
    return sum;
}
// Velocities of a body as in its block; of one with prescribed motion also their mean over the last step and this one.
void vs_body_get_velocities(const vs_body *body, double v[6]);
void vs_body_get_mean_velocities(const vs_body *body, double v[6]);

#endif
