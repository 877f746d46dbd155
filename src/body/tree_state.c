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

// ---- interface ---------------------------------------------------------------------------------------

vs_error vs_tree_get_state(vs_tree *tree, double *qpos, double *qvel) {
    const vs_error error = vs_tree_check(tree);
    if (error)
        return error;
    for (int k = 0; k < tree->nodes && qpos; k++)
        vs_tree_read_positions(tree, &tree->node[k], qpos + tree->node[k].qpos);
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
        world->body[node->body].pose = vs_tree_body_pose(tree, node, qpos + node->qpos);
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
