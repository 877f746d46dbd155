// The Jacobian of a body's point: see point_jacobian.h.
#include "step/rows/point_jacobian.h"

#include <string.h>

void vs_contact_frame(vs_vec3 n, vs_vec3 frame[3]) {
    vs_vec3 axis = fabs(n.x) < .6 ? (vs_vec3){1, 0, 0} : (vs_vec3){0, 1, 0};
    frame[0] = n;
    frame[1] = vs_normalize(vs_cross(n, axis));
    frame[2] = vs_cross(n, frame[1]);
}

void vs_point_jacobian(const vs_body *body, vs_vec3 point, vs_vec3 d, double sign, double J[6]) {
    vs_vec3 arm = vs_subtract(point, body->pose.position);
    vs_vec3 turn = vs_rotate_back(body->pose.rotation, vs_cross(arm, d));
    const double all[6] = {d.x, d.y, d.z, turn.x, turn.y, turn.z};
    for (int k = 0; k < 6; k++)
        J[k] = sign * all[k];
}

void vs_body_get_velocities(const vs_body *body, double v[6]) {
    const double all[6] = {body->velocity.x, body->velocity.y, body->velocity.z,
                           body->spin.x,     body->spin.y,     body->spin.z};
    memcpy(v, all, sizeof all);
}

void vs_body_get_mean_velocities(const vs_body *body, double v[6]) {
    vs_vec3 a = vs_scale(.5, vs_add(body->old_velocity, body->velocity));
    vs_vec3 w = vs_scale(.5, vs_add(body->old_spin, body->spin));
    const double all[6] = {a.x, a.y, a.z, w.x, w.y, w.z};
    memcpy(v, all, sizeof all);
}
