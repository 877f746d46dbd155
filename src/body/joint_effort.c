// An effort e along the coordinate x of a joint acts on its bodies with J' e, where J v = x': equal and opposite, so that
// it has the power e x'.
#include "body/joint_effort.h"

#include <math.h>

#include "base/vec.h"
#include "body/cable/cable.h"
#include "body/joint_coordinate.h"

double vs_joint_effort_at(const vs_joint *joint, double time) {
    const double effort = vs_signal_at(&joint->target, time), limit = joint->def.motor_limit;
    const double most = joint->def.pulls ? 0 : limit;
    return limit > 0 || joint->def.pulls ? fmax(limit > 0 ? -limit : -INFINITY, fmin(effort, most)) : effort;
}

static void add_effort(double e, const double J[6], vs_quat turn, vs_vec3 *force, vs_vec3 *torque) {
    *force = vs_add_scaled(*force, e, (vs_vec3){J[0], J[1], J[2]});
    *torque = vs_add_scaled(*torque, e, vs_rotate(turn, (vs_vec3){J[3], J[4], J[5]}));
}

static void add_cables(const vs_world *world, int body, double time, vs_vec3 *force, vs_vec3 *torque) {
    for (int k = vs_cable_on_body(world, body, -1); k >= 0; k = vs_cable_on_body(world, body, k)) {
        const vs_joint *joint = &world->joint[k];
        double x;
        vs_joint_row row;
        if (joint->def.motor != VS_MOTOR_EFFORT || !vs_joint_coordinate_row(world, joint, NULL, &x, &row))
            continue;
        for (int i = 0; i < row.bodies; i++)
            if (row.body[i] == body)
                add_effort(vs_joint_effort_at(joint, time), row.J[i], world->body[body].pose.rotation, force, torque);
    }
}

void vs_motor_efforts_add(const vs_world *world, int body, double time, vs_vec3 *force, vs_vec3 *torque) {
    const vs_quat turn = world->body[body].pose.rotation;
    vs_control_push(world, body, force, torque);
    for (int end = world->body[body].first_joint; end >= 0; end = world->joint[end / 2].next[end % 2]) {
        const vs_joint *joint = &world->joint[end / 2];
        vs_joint_row row;
        if (joint->def.motor != VS_MOTOR_EFFORT || joint->cable)
            continue;
        const vs_joint_frame frame = vs_joint_frame_get(world, joint);
        if (!vs_joint_direction_row(world, joint, &frame, &row))
            continue;
        add_effort(vs_joint_effort_at(joint, time), row.J[end % 2], turn, force, torque);
    }
    add_cables(world, body, time, force, torque);
}

vs_error vs_world_get_joint_effort(const vs_world *world, vs_joint_id id, double *effort) {
    const int index = world && effort ? vs_world_joint_index(world, id) : -1;
    if (index < 0)
        return vs_fail(world ? world->context : NULL, VS_ERROR_ARGUMENT, "joint: the id is stale or unknown");
    const vs_joint *joint = &world->joint[index];
    *effort = joint->def.motor == VS_MOTOR_EFFORT ? vs_joint_effort_at(joint, world->time) : joint->effort;
    return VS_OK;
}
