// Positions and velocities of the tree, and the bodies' poses and velocities that follow from them.
//
// A node C hangs on its parent P by a joint with the frames A and B, of which one belongs to C. The twists of the joint, (l_k,
// t_k), are the motion of C relative to P per unit of a velocity, at the origin p of frame B:
//
//     u_C(p) = u_P(p) + sum l_k qvel_k        w_C = w_P + sum t_k qvel_k
//
// with the signs reversed if C carries frame A. They are perpendicular to each other and of unit length, so that
// qvel_k = l_k.(u_C - u_P) + t_k.(w_C - w_P). A free body has six: the world's axes for its centre of mass, its own for its spin.
#include <math.h>
#include <string.h>

#include "base/vec.h"
#include "body/check.h"
#include "body/joint_coordinate.h"
#include "body/tree_data.h"

// ---- twists ------------------------------------------------------------------------------------------

static vs_vec3 axis(int k) {
    return (vs_vec3){k == 0, k == 1, k == 2};
}

static void place_free(vs_tree *tree, const vs_node *node) {
    const vs_pose pose = tree->world->body[node->body].pose;
    vs_twist *twist = tree->twist + node->qvel;
    tree->point[node - tree->node] = pose.position;
    for (int k = 0; k < 3; k++) {
        twist[k] = (vs_twist){axis(k), VS_ZERO3};
        twist[3 + k] = (vs_twist){VS_ZERO3, vs_rotate(pose.rotation, axis(k))};
    }
}

static void place_joint(vs_tree *tree, const vs_node *node) {
    const vs_joint *joint = &tree->world->joint[node->joint];
    const vs_joint_frame frame = vs_joint_frame_get(tree->world, joint);
    const double sign = node->reversed ? -1 : 1;
    vs_free_motion motion[VS_JOINT_COORDINATES_MOST];
    const int count = vs_joint_free_motions(joint, &frame, motion);
    tree->point[node - tree->node] = frame.b.position;
    for (int k = 0; k < count; k++) {
        vs_twist *twist = &tree->twist[node->qvel + k];
        if (joint->def.kind == VS_JOINT_SPHERICAL) // axes of B
            motion[k].torque = vs_rotate(frame.q, axis(k));
        twist->linear = vs_scale(sign, vs_rotate(frame.a.rotation, motion[k].force));
        twist->angular = vs_scale(sign, vs_rotate(frame.a.rotation, motion[k].torque));
    }
}

void vs_tree_place(vs_tree *tree) {
    for (int k = 0; k < tree->nodes; k++) {
        if (tree->node[k].joint < 0)
            place_free(tree, &tree->node[k]);
        else
            place_joint(tree, &tree->node[k]);
    }
}

vs_vec3 vs_twist_at(const vs_twist *twist, vs_vec3 point, vs_vec3 at) {
    return vs_add(twist->linear, vs_cross(twist->angular, vs_subtract(at, point)));
}

// ---- velocities --------------------------------------------------------------------------------------

void vs_tree_read_rates(const vs_tree *tree, double *qvel) {
    const vs_world *world = tree->world;
    for (int k = 0; k < tree->nodes; k++) {
        const vs_node *node = &tree->node[k];
        const vs_body *child = &world->body[node->body], *parent = &world->body[node->above];
        const vs_vec3 u =
            vs_subtract(vs_body_point_velocity(child, tree->point[k]), vs_body_point_velocity(parent, tree->point[k]));
        const vs_vec3 w =
            vs_subtract(vs_rotate(child->pose.rotation, child->spin), vs_rotate(parent->pose.rotation, parent->spin));
        for (int i = node->qvel; i < node->qvel + node->velocities; i++)
            qvel[i] = vs_dot(tree->twist[i].linear, u) + vs_dot(tree->twist[i].angular, w);
    }
}

vs_node_motion vs_tree_parent_motion(const vs_tree *tree, const vs_node *node) {
    const vs_body *ground = &tree->world->body[node->above];
    if (node->parent >= 0)
        return tree->motion[node->parent];
    return (vs_node_motion){.velocity = ground->velocity, .spin = vs_rotate(ground->pose.rotation, ground->spin)};
}

void vs_tree_propagate(vs_tree *tree, const double *qvel) {
    const vs_world *world = tree->world;
    for (int k = 0; k < tree->nodes; k++) {
        const vs_node *node = &tree->node[k];
        const vs_node_motion parent = vs_tree_parent_motion(tree, node);
        const vs_vec3 x = world->body[node->body].pose.position;
        const vs_vec3 arm = vs_subtract(x, world->body[node->above].pose.position);
        vs_node_motion *motion = &tree->motion[k];
        motion->spin = parent.spin;
        motion->velocity = vs_add(parent.velocity, vs_cross(parent.spin, arm));
        for (int i = node->qvel; i < node->qvel + node->velocities; i++) {
            motion->spin = vs_add_scaled(motion->spin, qvel[i], tree->twist[i].angular);
            motion->velocity =
                vs_add_scaled(motion->velocity, qvel[i], vs_twist_at(&tree->twist[i], tree->point[k], x));
        }
    }
}

// ---- positions ---------------------------------------------------------------------------------------

static void write_quat(vs_quat q, double out[4]) {
    out[0] = q.w, out[1] = q.x, out[2] = q.y, out[3] = q.z;
}

static vs_quat read_quat(const double q[4]) {
    return vs_quat_normalize((vs_quat){q[0], q[1], q[2], q[3]});
}

static void read_positions(const vs_tree *tree, const vs_node *node, double *q) {
    const vs_world *world = tree->world;
    vs_free_motion motion[VS_JOINT_COORDINATES_MOST];
    if (node->joint < 0) {
        const vs_pose pose = world->body[node->body].pose;
        q[0] = pose.position.x, q[1] = pose.position.y, q[2] = pose.position.z;
        write_quat(pose.rotation, q + 3);
        return;
    }
    const vs_joint *joint = &world->joint[node->joint];
    const vs_joint_frame frame = vs_joint_frame_get(world, joint);
    if (joint->def.kind == VS_JOINT_SPHERICAL) {
        write_quat(frame.q, q);
        return;
    }
    vs_joint_free_motions(joint, &frame, motion);
    for (int k = 0; k < node->positions; k++)
        q[k] = motion[k].coordinate;
}

static vs_quat turn_about(vs_vec3 direction, double angle) {
    return vs_quat_exp(vs_scale(angle, direction));
}

// Frame B in frame A.
static vs_pose joint_pose(vs_joint_kind kind, const double *q) {
    const vs_vec3 x = {1, 0, 0}, z = {0, 0, 1};
    vs_pose pose = VS_IDENTITY_POSE;
    switch (kind) {
    case VS_JOINT_SPHERICAL:
        pose.rotation = read_quat(q);
        break;
    case VS_JOINT_REVOLUTE:
        pose.rotation = turn_about(z, q[0]);
        break;
    case VS_JOINT_PRISMATIC:
        pose.position.z = q[0];
        break;
    case VS_JOINT_CYLINDRICAL:
        pose = (vs_pose){{0, 0, q[0]}, turn_about(z, q[1])};
        break;
    case VS_JOINT_UNIVERSAL:
        pose.rotation = vs_quat_multiply(turn_about(z, q[0]), turn_about(x, q[1]));
        break;
    case VS_JOINT_PLANAR:
        pose = (vs_pose){{q[0], q[1], 0}, turn_about(z, q[2])};
        break;
    default:
        break;
    }
    return pose;
}

static vs_pose body_pose(const vs_tree *tree, const vs_node *node, const double *q) {
    const vs_world *world = tree->world;
    if (node->joint < 0)
        return (vs_pose){{q[0], q[1], q[2]}, read_quat(q + 3)};
    const vs_joint_def *def = &world->joint[node->joint].def;
    const vs_pose parent = world->body[node->above].pose, between = joint_pose(def->kind, q);
    vs_pose pose;
    if (node->reversed)
        pose = vs_pose_multiply(vs_pose_multiply(parent, def->frame_b),
                                vs_pose_relative(VS_IDENTITY_POSE, vs_pose_multiply(def->frame_a, between)));
    else
        pose = vs_pose_multiply(vs_pose_multiply(parent, vs_pose_multiply(def->frame_a, between)),
                                vs_pose_relative(VS_IDENTITY_POSE, def->frame_b));
    pose.rotation = vs_quat_normalize(pose.rotation);
    return pose;
}

// ---- interface ---------------------------------------------------------------------------------------

vs_error vs_tree_get_state(vs_tree *tree, double *qpos, double *qvel) {
    const vs_error error = vs_tree_check(tree);
    if (error)
        return error;
    for (int k = 0; k < tree->nodes && qpos; k++)
        read_positions(tree, &tree->node[k], qpos + tree->node[k].qpos);
    if (qvel) {
        vs_tree_place(tree);
        vs_tree_read_rates(tree, qvel);
    }
    return VS_OK;
}

static vs_error check_numbers(const vs_tree *tree, const char *what, const double *x, int count) {
    for (int k = 0; k < count && x; k++)
        if (!(fabs(x[k]) <= VS_NUMBER_MOST))
            return vs_fail(tree->context, VS_ERROR_ARGUMENT, "%s[%d] is %g; it must be finite and at most %g in size",
                           what, k, x[k], VS_NUMBER_MOST);
    return VS_OK;
}

static vs_error check_quats(const vs_tree *tree, const double *qpos) {
    for (int k = 0; k < tree->nodes; k++) {
        const vs_node *node = &tree->node[k];
        const int at = node->qpos + node->positions - 4; // of those with a quaternion
        const double *q = qpos + at;
        if (node->positions == node->velocities)
            continue;
        const double size = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
        if (!(size > 1e-12 && size < 1e12)) // of 1e-6 … 1e6: all else is not meant as a rotation
            return vs_fail(tree->context, VS_ERROR_ARGUMENT,
                           "qpos[%d] … [%d]: the quaternion of body \"%s\" has the length %g; give one near 1", at,
                           at + 3, vs_world_get_body_name(tree->world, vs_world_get_body_at(tree->world, node->row)),
                           sqrt(size));
    }
    return VS_OK;
}

static void place_bodies(vs_tree *tree, const double *qpos) {
    vs_world *world = tree->world;
    for (int k = 0; k < tree->nodes; k++) {
        const vs_node *node = &tree->node[k];
        world->body[node->body].pose = body_pose(tree, node, qpos + node->qpos);
        if (node->joint >= 0 && vs_joint_kind_turns(world->joint[node->joint].def.kind))
            world->joint[node->joint].angle = qpos[node->qpos + node->positions - 1];
    }
}

vs_error vs_tree_set_state(vs_tree *tree, const double *qpos, const double *qvel) {
    vs_error error = vs_tree_check(tree);
    if (!error)
        error = check_numbers(tree, "qpos", qpos, tree->nq);
    if (!error)
        error = check_numbers(tree, "qvel", qvel, tree->nv);
    if (!error && qpos)
        error = check_quats(tree, qpos);
    if (error)
        return error;
    vs_world *world = tree->world;
    vs_tree_place(tree);
    if (qvel)
        memcpy(tree->rate, qvel, sizeof *qvel * (size_t)tree->nv);
    else
        vs_tree_read_rates(tree, tree->rate);
    if (qpos)
        place_bodies(tree, qpos);
    vs_tree_place(tree);
    vs_tree_propagate(tree, tree->rate);
    for (int k = 0; k < tree->nodes && !error; k++) {
        const int body = tree->node[k].body;
        const vs_node_motion *motion = &tree->motion[k];
        const vs_body_state state = {world->body[body].pose, motion->velocity, motion->spin};
        error = vs_world_set_body_state(world, (vs_body_id){(uint32_t)body, world->body[body].generation}, &state);
    }
    return error;
}
