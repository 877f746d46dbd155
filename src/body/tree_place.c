// Where the nodes of a tree are: the motions that their joints allow, the numbers of a joint, and the pose of a body for them.
#include "base/vec.h"
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

// ---- positions ---------------------------------------------------------------------------------------

static void write_quat(vs_quat q, double out[4]) {
    out[0] = q.w, out[1] = q.x, out[2] = q.y, out[3] = q.z;
}

static vs_quat read_quat(const double q[4]) {
    return vs_quat_normalize((vs_quat){q[0], q[1], q[2], q[3]});
}

void vs_tree_read_positions(const vs_tree *tree, const vs_node *node, double *q) {
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

vs_pose vs_tree_body_pose(const vs_tree *tree, const vs_node *node, const double *q) {
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
