// Forces of the tree: bias, passive forces, projection, inverse dynamics by the recursive Newton-Euler method (Luh, Walker and
// Paul 1980), in world axes.
//
// Down the tree, with the point p, the joint's motion relative to frame A, v_rel = sum l_k qvel_k, and the spin w_f of the frame
// that carries its axes (A, or B: spherical joints and the second axis of universal ones):
//
//     a_C(p) = a_P(p) + sum l_k qacc_k + 2 w_A x v_rel
//     w_C'   = w_P' + sum (t_k qacc_k + w_f x t_k qvel_k)
//
// (signs in l_k, t_k, tree_state.c). Each body then needs the force m (a - g) and the torque I w' + w x I w. Up the tree, these
// add up to the force of each joint, and tau_k is its power for the twist k.
#include "base/vec.h"
#include "body/joint_coordinate.h"
#include "body/tree_data.h"

// ---- down: accelerations -----------------------------------------------------------------------------

// Does frame B carry the axis k of the joint?
static bool moves_with_b(const vs_tree *tree, const vs_node *node, int k) {
    if (node->joint < 0)
        return true;
    const vs_joint_kind kind = tree->world->joint[node->joint].def.kind;
    return kind == VS_JOINT_SPHERICAL || (kind == VS_JOINT_UNIVERSAL && k == 1);
}

// Acceleration of a point that moves with a body.
static vs_vec3 accelerate_point(const vs_node_motion *m, vs_vec3 arm) {
    const vs_vec3 inward = vs_cross(m->spin, vs_cross(m->spin, arm));
    return vs_add(vs_add(m->acceleration, vs_cross(m->spin_rate, arm)), inward);
}

static void accelerate(vs_tree *tree, int index, const double *qvel, const double *qacc) {
    const vs_world *world = tree->world;
    const vs_node *node = &tree->node[index];
    const vs_vec3 p = tree->point[index], x = world->body[node->body].pose.position;
    const vs_node_motion parent = vs_tree_parent_motion(tree, node);
    vs_node_motion *m = &tree->motion[index];
    const vs_vec3 spin_a = node->reversed ? m->spin : parent.spin, spin_b = node->reversed ? parent.spin : m->spin;
    vs_vec3 a = accelerate_point(&parent, vs_subtract(p, world->body[node->above].pose.position)), sliding = VS_ZERO3;
    m->spin_rate = parent.spin_rate;
    for (int k = 0; k < node->velocities; k++) {
        const int i = node->qvel + k;
        const vs_twist *twist = &tree->twist[i];
        const vs_vec3 carrier = moves_with_b(tree, node, k) ? spin_b : spin_a;
        const double rate = qvel[i], change = qacc ? qacc[i] : 0;
        sliding = vs_add_scaled(sliding, rate, twist->linear);
        a = vs_add_scaled(a, change, twist->linear);
        m->spin_rate = vs_add_scaled(m->spin_rate, change, twist->angular);
        m->spin_rate = vs_add_scaled(m->spin_rate, rate, vs_cross(carrier, twist->angular));
    }
    m->acceleration = vs_add_scaled(a, 2, vs_cross(spin_a, sliding)); // of p, from there to the centre of mass
    m->acceleration = accelerate_point(m, vs_subtract(x, p));
}

static void add_inertia(vs_tree *tree, int index) {
    const vs_world *world = tree->world;
    const vs_body *body = &world->body[tree->node[index].body];
    const vs_quat q = body->pose.rotation;
    vs_node_motion *m = &tree->motion[index];
    const vs_vec3 w = vs_rotate_back(q, m->spin), turning = vs_rotate_back(q, m->spin_rate);
    const vs_vec3 torque =
        vs_add(vs_mat3_apply(&body->inertia, turning), vs_cross(w, vs_mat3_apply(&body->inertia, w)));
    m->force = vs_add_scaled(m->force, body->mass, vs_subtract(m->acceleration, world->gravity));
    m->torque = vs_add(m->torque, vs_rotate(q, torque));
}

// ---- forces of bodies --------------------------------------------------------------------------------

static void clear_forces(vs_tree *tree) {
    for (int k = 0; k < tree->nodes; k++)
        tree->motion[k].force = tree->motion[k].torque = VS_ZERO3;
}

static void add_force(vs_tree *tree, int node, double factor, vs_vec3 force, vs_vec3 torque) {
    vs_node_motion *m = &tree->motion[node];
    m->force = vs_add_scaled(m->force, factor, force);
    m->torque = vs_add_scaled(m->torque, factor, torque);
}

static void add_wrenches(vs_tree *tree, double factor, const double *wrench) {
    for (int k = 0; k < tree->nodes; k++) {
        const double *f = wrench + 6 * (ptrdiff_t)tree->node[k].row;
        add_force(tree, k, factor, (vs_vec3){f[0], f[1], f[2]}, (vs_vec3){f[3], f[4], f[5]});
    }
}

// An effort e along the coordinate of a joint: J'e on its bodies.
static void add_effort(vs_tree *tree, const vs_joint_row *row, double effort) {
    for (int k = 0; k < row->bodies; k++) {
        const int node = tree->node_of[row->body[k]];
        const double *J = row->J[k];
        if (node < 0)
            continue;
        const vs_quat q = tree->world->body[row->body[k]].pose.rotation;
        add_force(tree, node, effort, (vs_vec3){J[0], J[1], J[2]}, vs_rotate(q, (vs_vec3){J[3], J[4], J[5]}));
    }
}

static void add_passive(vs_tree *tree, double factor) {
    const vs_world *world = tree->world;
    for (int k = 0; k < tree->nodes; k++) {
        vs_vec3 force, torque;
        vs_body_loads(world, tree->node[k].body, world->time, &force, &torque);
        add_force(tree, k, factor, force, torque);
    }
    for (int k = 0; k < world->joints; k++) {
        const vs_joint *joint = &world->joint[k];
        const vs_joint_def *def = &joint->def;
        double x;
        vs_joint_row row;
        if (!joint->alive || (def->stiffness == 0 && def->damping == 0))
            continue;
        const vs_joint_frame frame = vs_joint_frame_get(world, joint);
        if (!vs_joint_coordinate_row(world, joint, &frame, &x, &row))
            continue;
        const double rate = vs_joint_row_rate(world, &row);
        add_effort(tree, &row, -factor * (def->stiffness * (x - def->rest) + def->damping * rate));
    }
}

// ---- up: forces of joints ----------------------------------------------------------------------------

// Adds up the forces of the bodies from the leaves on.
static void project(vs_tree *tree, double *tau) {
    const vs_world *world = tree->world;
    for (int k = tree->nodes - 1; k >= 0; k--) {
        const vs_node *node = &tree->node[k];
        const vs_vec3 x = world->body[node->body].pose.position, force = tree->motion[k].force;
        const vs_vec3 torque = tree->motion[k].torque;
        const vs_vec3 about = vs_add(torque, vs_cross(vs_subtract(x, tree->point[k]), force));
        for (int i = node->qvel; i < node->qvel + node->velocities; i++)
            tau[i] = vs_dot(tree->twist[i].linear, force) + vs_dot(tree->twist[i].angular, about);
        if (node->parent < 0)
            continue;
        const vs_vec3 arm = vs_subtract(x, world->body[node->above].pose.position);
        add_force(tree, node->parent, 1, force, vs_add(torque, vs_cross(arm, force)));
    }
}

// M qacc + bias, on top of the forces that the bodies already have.
static void solve_motion(vs_tree *tree, const double *qacc, double *tau) {
    vs_tree_read_rates(tree, tree->rate);
    vs_tree_propagate(tree, tree->rate);
    for (int k = 0; k < tree->nodes; k++) {
        accelerate(tree, k, tree->rate, qacc);
        add_inertia(tree, k);
    }
    project(tree, tau);
    for (int k = 0; k < tree->nodes && qacc; k++) {
        const double armature = vs_tree_armature(tree, &tree->node[k]);
        if (armature > 0)
            tau[tree->node[k].qvel] += armature * qacc[tree->node[k].qvel];
    }
}

// ---- interface ---------------------------------------------------------------------------------------

// Everything begins with it: no forces yet.
static vs_error begin(vs_tree *tree, const double *result) {
    const vs_error error = vs_tree_check(tree);
    if (error)
        return error;
    if (!result)
        return vs_fail(tree->context, VS_ERROR_ARGUMENT, "tree: the result or an argument is null");
    vs_tree_place(tree);
    clear_forces(tree);
    return VS_OK;
}

vs_error vs_tree_get_bias(vs_tree *tree, double *bias) {
    const vs_error error = begin(tree, bias);
    if (!error)
        solve_motion(tree, NULL, bias);
    return error;
}

vs_error vs_tree_get_passive(vs_tree *tree, double *passive) {
    const vs_error error = begin(tree, passive);
    if (!error) {
        add_passive(tree, 1);
        project(tree, passive);
    }
    return error;
}

vs_error vs_tree_project_forces(vs_tree *tree, const double *wrench, double *force) {
    const vs_error error = begin(tree, wrench ? force : NULL);
    if (!error && wrench) {
        add_wrenches(tree, 1, wrench);
        project(tree, force);
    }
    return error;
}

vs_error vs_tree_get_inverse_dynamics(vs_tree *tree, const double *qacc, const double *wrench, double *tau) {
    const vs_error error = begin(tree, tau);
    if (error)
        return error;
    add_passive(tree, -1);
    if (wrench)
        add_wrenches(tree, -1, wrench);
    solve_motion(tree, qacc, tau);
    return VS_OK;
}
