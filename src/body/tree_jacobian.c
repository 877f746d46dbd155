// Jacobians of the tree: of points, of the centre of mass, of the closures; and the mass matrix.
//
// A body moves with the velocities of its node and of all nodes above it. Column k of its Jacobian is the twist k at the point:
// (l_k + t_k x (x - p_k), t_k). The mass matrix is the sum over the bodies of m J_v'J_v + J_w'I J_w.
#include <string.h>

#include "base/vec.h"
#include "body/joint_command.h"
#include "body/joint_rows.h"
#include "body/tree_data.h"

// ---- mass matrix -------------------------------------------------------------------------------------

static void write3(vs_vec3 v, double out[3]) {
    out[0] = v.x, out[1] = v.y, out[2] = v.z;
}

// Columns of the body of a node: velocity of its centre of mass and spin in body axes (6), and m and I times these (6). Returns
// how many velocities move it, tree->path.
static int list_columns(vs_tree *tree, int index) {
    const vs_body *body = &tree->world->body[tree->node[index].body];
    int count = 0;
    for (int k = index; k >= 0; k = tree->node[k].parent) {
        const vs_node *node = &tree->node[k];
        for (int i = node->qvel; i < node->qvel + node->velocities; i++) {
            const vs_vec3 v = vs_twist_at(&tree->twist[i], tree->point[k], body->pose.position);
            const vs_vec3 w = vs_rotate_back(body->pose.rotation, tree->twist[i].angular);
            double *column = tree->column + 12 * (ptrdiff_t)count;
            write3(v, column);
            write3(w, column + 3);
            write3(vs_scale(body->mass, v), column + 6);
            write3(vs_mat3_apply(&body->inertia, w), column + 9);
            tree->path[count++] = i;
        }
    }
    return count;
}

static void add_body(vs_tree *tree, int index, double *mass) {
    const int count = list_columns(tree, index);
    for (int i = 0; i < count; i++) {
        const double *a = tree->column + 12 * (ptrdiff_t)i;
        for (int j = 0; j <= i; j++) {
            const double *b = tree->column + 12 * (ptrdiff_t)j + 6;
            double sum = 0;
            for (int k = 0; k < 6; k++)
                sum += a[k] * b[k];
            mass[(ptrdiff_t)tree->path[i] * tree->nv + tree->path[j]] += sum;
            if (i != j)
                mass[(ptrdiff_t)tree->path[j] * tree->nv + tree->path[i]] += sum;
        }
    }
}

double vs_tree_armature(const vs_tree *tree, const vs_node *node) {
    const vs_joint_def *def = node->joint < 0 ? NULL : &tree->world->joint[node->joint].def;
    return def && vs_joint_kind_has_coordinate(def->kind) ? def->armature : 0;
}

vs_error vs_tree_get_mass_matrix(vs_tree *tree, double *mass) {
    const vs_error error = vs_tree_check(tree);
    if (error)
        return error;
    if (!mass)
        return vs_fail(tree->context, VS_ERROR_ARGUMENT, "mass matrix: the result is null");
    memset(mass, 0, sizeof *mass * (size_t)tree->nv * (size_t)tree->nv);
    vs_tree_place(tree);
    for (int k = 0; k < tree->nodes; k++) {
        const int i = tree->node[k].qvel;
        const double armature = vs_tree_armature(tree, &tree->node[k]);
        add_body(tree, k, mass);
        if (armature > 0)
            mass[(ptrdiff_t)i * tree->nv + i] += armature;
    }
    return VS_OK;
}

// ---- Jacobians ---------------------------------------------------------------------------------------

static void add_column(double *matrix, int columns, int k, double factor, vs_vec3 v) {
    matrix[k] += factor * v.x;
    matrix[columns + k] += factor * v.y;
    matrix[2 * (ptrdiff_t)columns + k] += factor * v.z;
}

static void clear(double *matrix, int rows, int columns) {
    if (matrix)
        memset(matrix, 0, sizeof *matrix * (size_t)rows * (size_t)columns);
}

// Adds `factor` times the Jacobians (3 x nv, or null) of a point that moves with the body of a node; -1: the ground.
static void add_jacobian(const vs_tree *tree, int index, vs_vec3 at, double factor, double *linear, double *angular) {
    for (int k = index; k >= 0; k = tree->node[k].parent) {
        const vs_node *node = &tree->node[k];
        for (int i = node->qvel; i < node->qvel + node->velocities; i++) {
            if (linear)
                add_column(linear, tree->nv, i, factor, vs_twist_at(&tree->twist[i], tree->point[k], at));
            if (angular)
                add_column(angular, tree->nv, i, factor, tree->twist[i].angular);
        }
    }
}

static vs_error find_body(const vs_tree *tree, vs_body_id id, int *body) {
    *body = vs_world_body_index(tree->world, id);
    return *body >= 0 ? VS_OK
                      : vs_fail(tree->context, VS_ERROR_ARGUMENT,
                                "tree: the body (%u, %u) does not exist; it was removed, or the id is of another world",
                                (unsigned)id.index, (unsigned)id.generation);
}

vs_error vs_tree_get_jacobian(vs_tree *tree, vs_body_id body, vs_vec3 point, double *linear, double *angular) {
    int index = 0;
    vs_error error = vs_tree_check(tree);
    if (!error)
        error = find_body(tree, body, &index);
    if (error)
        return error;
    clear(linear, 3, tree->nv);
    clear(angular, 3, tree->nv);
    vs_tree_place(tree);
    add_jacobian(tree, tree->node_of[index], point, 1, linear, angular);
    return VS_OK;
}

// ---- centre of mass ----------------------------------------------------------------------------------

static bool hangs_on(const vs_tree *tree, int node, int root) {
    while (node >= 0 && node != root)
        node = tree->node[node].parent;
    return node == root;
}

vs_error vs_tree_get_centre(vs_tree *tree, vs_body_id body, double *mass, vs_vec3 *centre, double *jacobian) {
    int index = 0;
    double total = 0;
    vs_vec3 sum = VS_ZERO3;
    vs_error error = vs_tree_check(tree);
    if (!error)
        error = find_body(tree, body, &index);
    if (error)
        return error;
    const int root = tree->node_of[index];
    clear(jacobian, 3, tree->nv);
    vs_tree_place(tree);
    for (int k = 0; k < tree->nodes; k++) {
        const vs_body *it = &tree->world->body[tree->node[k].body];
        if (index > 0 && (root < 0 || !hangs_on(tree, k, root)))
            continue;
        total += it->mass;
        sum = vs_add_scaled(sum, it->mass, it->pose.position);
        if (jacobian)
            add_jacobian(tree, k, it->pose.position, it->mass, jacobian, NULL);
    }
    for (int k = 0; k < 3 * tree->nv && jacobian && total > 0; k++)
        jacobian[k] /= total;
    if (mass)
        *mass = total;
    if (centre)
        *centre = total > 0 ? vs_scale(1 / total, sum) : VS_ZERO3;
    return VS_OK;
}

// ---- closures ----------------------------------------------------------------------------------------

// Adds J, of one body of a row of a joint (3 linear in world axes, 3 angular in body axes), times its Jacobian.
static void add_row(const vs_tree *tree, int body, const double J[6], double *row) {
    const vs_pose pose = tree->world->body[body].pose;
    const vs_vec3 force = {J[0], J[1], J[2]}, torque = vs_rotate(pose.rotation, (vs_vec3){J[3], J[4], J[5]});
    for (int k = tree->node_of[body]; k >= 0; k = tree->node[k].parent) {
        const vs_node *node = &tree->node[k];
        for (int i = node->qvel; i < node->qvel + node->velocities; i++)
            row[i] += vs_dot(force, vs_twist_at(&tree->twist[i], tree->point[k], pose.position)) +
                      vs_dot(torque, tree->twist[i].angular);
    }
}

static void fill_row(const vs_tree *tree, const vs_joint_row *from, double *row) {
    clear(row, 1, tree->nv);
    for (int k = 0; k < from->bodies; k++)
        add_row(tree, from->body[k], from->J[k], row);
}

vs_error vs_tree_get_closures(vs_tree *tree, vs_joint_id *joint, double *violation, double *jacobian, int capacity,
                              int *count) {
    const vs_error error = vs_tree_check(tree);
    if (error)
        return error;
    if (!count)
        return vs_fail(tree->context, VS_ERROR_ARGUMENT, "closures: the count is null");
    *count = 0;
    vs_tree_place(tree);
    for (int k = 0; k < tree->closures; k++) {
        const vs_joint *it = &tree->world->joint[tree->closure[k]];
        double psi[VS_JOINT_BILATERAL_MOST];
        vs_joint_row row[VS_JOINT_BILATERAL_MOST];
        const int rows = vs_joint_violation(tree->world, it, psi, row);
        for (int i = 0; i < rows; i++, (*count)++) {
            if (*count >= capacity)
                continue;
            if (joint)
                joint[*count] = (vs_joint_id){(uint32_t)tree->closure[k], it->generation};
            if (violation)
                violation[*count] = psi[i];
            if (jacobian)
                fill_row(tree, &row[i], jacobian + (ptrdiff_t)*count * tree->nv);
        }
    }
    return VS_OK;
}
