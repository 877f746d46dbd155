// With the frames A and B of a joint in the world, their origins a and b, and the force f and torque t on the second body at b,
//
//     angle    2 atan2(q_z, q_w) of q = R_A'R_B        travel    z of R_A'(b - a)
//     power    f . (v_B - v_A) + t . (w_B - w_A), v the velocities of both bodies' material at b; of revolute, prismatic and
//              cylindrical joints that along z alone
//
// Power is that of the mean force of a step at its last velocities: exact at constant speed, else by the change of speed in half a
// step off.
#include "output/trajectory/drive_history.h"

#include <stdbool.h>
#include <stddef.h>

#include "base/elementary.h"
#include "voussoir/world.h"

static vs_vec3 spin_of(const vs_frame_state *frame, int body) {
    return body >= 0 ? vs_get3(frame->velocity + 6 * (size_t)body + 3) : VS_ZERO3;
}

static vs_vec3 velocity_at(const vs_frame_state *frame, int body, vs_vec3 point) {
    if (body < 0)
        return VS_ZERO3;
    const vs_vec3 arm = vs_subtract(point, vs_frame_body(frame, body).position);
    return vs_add(vs_get3(frame->velocity + 6 * (size_t)body), vs_cross(spin_of(frame, body), arm));
}

double vs_drive_angle(const vs_frame_state *frame, int joint) {
    const vs_pose a = vs_frame_joint(frame, joint, 0), b = vs_frame_joint(frame, joint, 1);
    vs_quat q = vs_quat_multiply(vs_quat_conjugate(a.rotation), b.rotation);
    if (q.w < 0)
        q.w = -q.w, q.z = -q.z;
    return 2 * vs_atan2(q.z, q.w);
}

double vs_drive_travel(const vs_frame_state *frame, int joint) {
    return vs_pose_apply_back(vs_frame_joint(frame, joint, 0), vs_frame_joint(frame, joint, 1).position).z;
}

// Which forces and torques of a joint do work, in frame A: those along its coordinates. Velocities of a step belong to the
// directions at its beginning, so that the others would show some, too, if a body turns.
static void mask_ideal(int kind, vs_vec3 *force, vs_vec3 *torque) {
    const bool slides = kind == VS_JOINT_PRISMATIC || kind == VS_JOINT_CYLINDRICAL;
    if (!slides && kind != VS_JOINT_REVOLUTE)
        return;
    *force = (vs_vec3){0, 0, slides ? force->z : 0};
    *torque = (vs_vec3){0, 0, kind == VS_JOINT_PRISMATIC ? 0 : torque->z};
}

double vs_drive_power(const vs_frame_state *frame, int joint) {
    const int *body = frame->joint_body + 2 * (size_t)joint;
    const vs_pose a = vs_frame_joint(frame, joint, 0), b = vs_frame_joint(frame, joint, 1);
    const double *reaction = frame->reaction + 6 * (size_t)joint;
    vs_vec3 force = vs_get3(reaction), torque = vs_get3(reaction + 3);
    mask_ideal(frame->joint_kind[joint], &force, &torque);
    const vs_vec3 v = vs_subtract(velocity_at(frame, body[1], b.position), velocity_at(frame, body[0], b.position));
    const vs_vec3 w = vs_subtract(spin_of(frame, body[1]), spin_of(frame, body[0]));
    return vs_dot(vs_rotate(a.rotation, force), v) + vs_dot(vs_rotate(a.rotation, torque), w);
}

double vs_drive_slip(const vs_frame_state *frame, const int body[2], vs_vec3 point, vs_vec3 normal) {
    const vs_vec3 v = vs_subtract(velocity_at(frame, body[1], point), velocity_at(frame, body[0], point));
    return vs_length(vs_add_scaled(v, -vs_dot(v, normal), normal));
}
