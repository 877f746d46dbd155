// What sensors measure: motions of frames, forces of joints, sums over bodies.
//
// The force of a joint on B is the reaction of its rows in the last step (constraints, limits, springs, motors with gains) and,
// for a commanded effort, which is no row, that effort along the coordinate. It acts at the origin of frame B.
#include <string.h>

#include "base/vec.h"
#include "body/joint_coordinate.h"
#include "body/sensor/sensor.h"

static void write3(vs_vec3 v, double out[3]) {
    out[0] = v.x, out[1] = v.y, out[2] = v.z;
}

static void write4(vs_quat q, double out[4]) {
    out[0] = q.w, out[1] = q.x, out[2] = q.y, out[3] = q.z;
}

vs_frame_motion vs_frame_motion_of(const vs_world *world, vs_body_id body, const vs_pose *pose) {
    const vs_body *it = &world->body[body.index];
    vs_frame_motion m = {.pose = vs_pose_multiply(it->pose, *pose)};
    m.spin = vs_rotate(it->pose.rotation, it->spin);
    m.velocity = vs_add(it->velocity, vs_cross(m.spin, vs_subtract(m.pose.position, it->pose.position)));
    return m;
}

// ---- joints ----------------------------------------------------------------------------------------

static void measure_joint(const vs_world *world, const vs_sensor_def *def, double *value) {
    const vs_joint *joint = &world->joint[def->joint.index];
    double x = 0, rate = 0;
    vs_joint_coordinate(world, joint, &x, &rate);
    if (def->kind == VS_SENSOR_JOINT_POSITION)
        *value = def->gear * x + def->offset;
    else if (def->kind == VS_SENSOR_JOINT_VELOCITY)
        *value = def->gear * rate;
    else if (vs_world_get_joint_effort(world, def->joint, value) == VS_OK)
        *value *= def->gear;
}

static void measure_ball(const vs_world *world, const vs_sensor_def *def, double *value) {
    const vs_joint *joint = &world->joint[def->joint.index];
    const vs_joint_frame frame = vs_joint_frame_get(world, joint);
    const vs_body *a = &world->body[joint->a], *b = &world->body[joint->b];
    const vs_vec3 spin = vs_subtract(vs_rotate(b->pose.rotation, b->spin), vs_rotate(a->pose.rotation, a->spin));
    if (def->kind == VS_SENSOR_BALL_ROTATION)
        write4(frame.q, value);
    else
        write3(vs_rotate_back(frame.b.rotation, spin), value);
}

// Force and torque about the origin of frame B that a joint exerts on B, world axes.
static void find_reaction(const vs_world *world, const vs_joint *joint, const vs_joint_frame *frame, vs_vec3 *force,
                          vs_vec3 *torque) {
    double x, effort;
    vs_joint_row row;
    *force = joint->force, *torque = joint->torque;
    const vs_joint_id id = {(uint32_t)(joint - world->joint), joint->generation};
    if (joint->def.motor == VS_MOTOR_EFFORT && vs_joint_coordinate_row(world, joint, frame, &x, &row) &&
        vs_world_get_joint_effort(world, id, &effort) == VS_OK) {
        const double *d = row.direction;
        *force = vs_add_scaled(*force, effort, (vs_vec3){d[0], d[1], d[2]});
        *torque = vs_add_scaled(*torque, effort, (vs_vec3){d[3], d[4], d[5]});
    }
    *force = vs_rotate(frame->a.rotation, *force);
    *torque = vs_rotate(frame->a.rotation, *torque);
}

static void measure_reaction(const vs_world *world, const vs_sensor_def *def, double *value) {
    const vs_joint *joint = &world->joint[def->joint.index];
    const vs_joint_frame frame = vs_joint_frame_get(world, joint);
    const vs_frame_motion at = vs_frame_motion_of(world, def->body, &def->pose);
    const double sign = joint->b == (int)def->body.index ? 1 : -1;
    vs_vec3 force, torque;
    find_reaction(world, joint, &frame, &force, &torque);
    torque = vs_add(torque, vs_cross(vs_subtract(frame.b.position, at.pose.position), force));
    write3(vs_scale(sign, vs_rotate_back(at.pose.rotation, def->kind == VS_SENSOR_FORCE ? force : torque)), value);
}

// ---- frames ----------------------------------------------------------------------------------------

static vs_vec3 axis_of(vs_quat q, int axis) {
    return vs_rotate(q, (vs_vec3){axis == 0, axis == 1, axis == 2});
}

// Relative to a frame that moves, in its axes.
static void measure_relative(const vs_world *world, const vs_sensor_def *def, double *value) {
    const vs_frame_motion m = vs_frame_motion_of(world, def->body, &def->pose);
    const vs_frame_motion r = vs_frame_motion_of(world, def->reference, &def->at_reference);
    const vs_vec3 arm = vs_subtract(m.pose.position, r.pose.position);
    vs_vec3 v = VS_ZERO3;
    if (def->kind == VS_SENSOR_ROTATION) {
        write4(vs_quat_multiply(vs_quat_conjugate(r.pose.rotation), m.pose.rotation), value);
        return;
    }
    if (def->kind == VS_SENSOR_POSITION)
        v = arm;
    else if (def->kind == VS_SENSOR_AXIS)
        v = axis_of(m.pose.rotation, def->axis);
    else if (def->kind == VS_SENSOR_SPIN)
        v = vs_subtract(m.spin, r.spin);
    else
        v = vs_subtract(m.velocity, vs_add(r.velocity, vs_cross(r.spin, arm)));
    write3(vs_rotate_back(r.pose.rotation, v), value);
}

static void measure_frame(const vs_world *world, const vs_sensor *sensor, double *value) {
    const vs_sensor_def *def = &sensor->def;
    const vs_frame_motion m = vs_frame_motion_of(world, def->body, &def->pose);
    const vs_vec3 felt = vs_subtract(sensor->acceleration, world->gravity);
    switch (def->kind) {
    case VS_SENSOR_GYRO:
        write3(vs_rotate_back(m.pose.rotation, m.spin), value);
        break;
    case VS_SENSOR_VELOCIMETER:
        write3(vs_rotate_back(m.pose.rotation, m.velocity), value);
        break;
    case VS_SENSOR_ACCELEROMETER:
        write3(vs_rotate_back(m.pose.rotation, felt), value);
        break;
    case VS_SENSOR_VECTOR:
        write3(vs_rotate_back(m.pose.rotation, def->vector), value);
        break;
    case VS_SENSOR_ACCELERATION:
        write3(felt, value);
        break;
    case VS_SENSOR_SPIN_RATE:
        write3(sensor->spin_rate, value);
        break;
    default:
        measure_relative(world, def, value);
    }
}

// ---- sums over bodies ------------------------------------------------------------------------------

static void measure_sum(const vs_world *world, const vs_sensor_def *def, double *value) {
    const int first = def->body.index > 0 ? (int)def->body.index : 1;
    const int last = def->last.index > 0 ? (int)def->last.index : def->body.index > 0 ? first : world->bodies - 1;
    double mass = 0;
    vs_vec3 centre = VS_ZERO3, velocity = VS_ZERO3, turning = VS_ZERO3;
    for (int k = first; k <= last; k++) {
        const vs_body *body = &world->body[k];
        if (!vs_body_takes_part(body) || !(body->mass > 0))
            continue;
        const vs_vec3 momentum = vs_scale(body->mass, body->velocity);
        mass += body->mass;
        centre = vs_add_scaled(centre, body->mass, body->pose.position);
        velocity = vs_add(velocity, momentum);
        turning = vs_add(turning, vs_cross(body->pose.position, momentum));
        turning = vs_add(turning, vs_rotate(body->pose.rotation, vs_mat3_apply(&body->inertia, body->spin)));
    }
    if (!(mass > 0))
        return;
    centre = vs_scale(1 / mass, centre);
    if (def->kind == VS_SENSOR_CENTRE)
        write3(centre, value);
    else if (def->kind == VS_SENSOR_CENTRE_VELOCITY)
        write3(vs_scale(1 / mass, velocity), value);
    else
        write3(vs_subtract(turning, vs_cross(centre, velocity)), value);
}

// ---- all -------------------------------------------------------------------------------------------

static bool is_there(const vs_world *world, const vs_sensor_def *def) {
    return vs_world_body_index(world, def->body) >= 0 && vs_world_body_index(world, def->reference) >= 0 &&
           vs_world_body_index(world, def->last) >= 0 &&
           (def->joint.generation == 0 || vs_world_joint_index(world, def->joint) >= 0);
}

void vs_sensor_measure(const vs_world *world, const vs_sensor *sensor, double *value) {
    const vs_sensor_def *def = &sensor->def;
    memset(value, 0, sizeof *value * (size_t)sensor->count);
    if (!is_there(world, def))
        return;
    switch (def->kind) {
    case VS_SENSOR_JOINT_POSITION:
    case VS_SENSOR_JOINT_VELOCITY:
    case VS_SENSOR_JOINT_EFFORT:
        measure_joint(world, def, value);
        break;
    case VS_SENSOR_BALL_ROTATION:
    case VS_SENSOR_BALL_SPIN:
        measure_ball(world, def, value);
        break;
    case VS_SENSOR_CONTROL:
        *value = def->gear * world->control[def->control].value;
        break;
    case VS_SENSOR_FORCE:
    case VS_SENSOR_TORQUE:
        measure_reaction(world, def, value);
        break;
    case VS_SENSOR_TOUCH:
        *value = sensor->touch;
        break;
    case VS_SENSOR_CENTRE:
    case VS_SENSOR_CENTRE_VELOCITY:
    case VS_SENSOR_ANGULAR_MOMENTUM:
        measure_sum(world, def, value);
        break;
    case VS_SENSOR_TIME:
        *value = world->time;
        break;
    default:
        measure_frame(world, sensor, value);
    }
}
