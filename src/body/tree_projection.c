// The projection by coordinates of a tree: see tree_projection.h. Motions and forces of a body are those at the origin of its tree,
// world axes: u, w and F, T. (A tree's origin is the first position of its root, so that sums over its bodies keep their digits.)
#include "body/tree_projection.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/arena.h"
#include "base/vec.h"
#include "body/joint_command.h"
#include "body/joint_coordinate.h"
#include "body/joint_rows.h"
#include "body/tree_data.h"
#include "linalg/dense.h"

enum {
    VELOCITIES_MOST = 256, // matrices are dense
    CLOSED_MOST = 96,      // rows of closures
    STEPS = 8              // of the closures
};
static const double ROUNDING = 8 * DBL_EPSILON; // relative, of a position
static const double FAR = 1e-2;                 // m, rad: beyond it the linearization counts
static const double DAMPING = 1e-9;             // of rows of closures, relative: redundant ones
static const double CHORD = .1; // of the tolerance: what a step with matrices of the one before may leave

typedef struct tree_motion {
    vs_vec3 u, w; // or F, T
} tree_motion;

// A body of the tree.
typedef struct tree_part {
    bool idle;        // free, and no joint is on it
    int first, last;  // velocities; last: of it or the nearest above that has one, -1: none
    vs_vec3 origin;   // of its tree
    vs_pose old;      // before the projection
    double mass;      // of all that hangs on it, with its moment and inertia at the origin
    vs_vec3 moment;   //
    vs_mat3 inertia;  //
    tree_motion pull; // minus M x0 of all that hangs on it
} tree_part;

struct vs_tree_projection {
    vs_arena arena;
    vs_tree *tree;
    uint64_t topology; // for which the rest was made
    bool suits;
    int size;                // velocities
    tree_part *part;         // (nodes)
    double *q;               // positions of the tree
    int *above;              // (size) the velocity before, along the tree; -1: none
    bool *held;              // (size) a motor keeps it
    tree_motion *free;       // (size) motion per unit
    double *H;               // (size x size) S'M S, then its factor L'D L
    double *d;               // (size)
    int rows;                // of closures
    double *psi, *scale, *x; // (rows)
    double *J, *Y;           // (rows x size) J S; its H^-1 times it
    double *C, *factor;      // (rows x rows)
};
typedef struct vs_tree_projection projection;

void vs_tree_projection_release(vs_world *world) {
    projection *s = world->tree_projection;
    if (!s)
        return;
    vs_tree_destroy(s->tree);
    vs_arena_release(&s->arena);
    vs_release(world->context, s);
    world->tree_projection = NULL;
}

// ---- what depends on the topology --------------------------------------------------------------------

// Bodies with joints, and the velocities that these leave.
static void number_velocities(projection *s) {
    const vs_tree *tree = s->tree;
    for (int k = 0; k < tree->nodes; k++)
        s->part[k] = (tree_part){.idle = tree->node[k].joint < 0};
    for (int k = 0; k < tree->nodes; k++)
        if (tree->node[k].parent >= 0)
            s->part[tree->node[k].parent].idle = false;
    for (int k = 0; k < tree->closures; k++) {
        int bodies[VS_ROW_BODIES_MOST];
        const int count = vs_joint_bodies(tree->world, &tree->world->joint[tree->closure[k]], bodies);
        for (int i = 0; i < count; i++)
            if (tree->node_of[bodies[i]] >= 0)
                s->part[tree->node_of[bodies[i]]].idle = false;
    }
    s->size = 0;
    for (int k = 0; k < tree->nodes; k++) {
        const vs_node *node = &tree->node[k];
        tree_part *part = &s->part[k];
        part->first = s->size;
        part->last = node->parent < 0 ? -1 : s->part[node->parent].last;
        for (int i = 0; i < node->velocities && !part->idle; i++) {
            if (s->size < VELOCITIES_MOST)
                s->above[s->size] = part->last;
            part->last = s->size++;
        }
    }
}

// Rows of the closures; -1: there is a joint that the tree does not know.
static int count_rows(const projection *s) {
    const vs_tree *tree = s->tree;
    const vs_world *world = tree->world;
    double psi[VS_JOINT_BILATERAL_MOST];
    int rows = 0;
    for (int k = 0; k < world->joints; k++) {
        const vs_joint *joint = &world->joint[k];
        if (joint->alive && joint->def.compliance == 0 && joint->def.kind == VS_JOINT_CABLE &&
            vs_joint_violation(world, joint, psi, NULL) > 0)
            return -1;
    }
    for (int k = 0; k < tree->closures; k++)
        rows += vs_joint_violation(world, &world->joint[tree->closure[k]], psi, NULL);
    return rows;
}

static vs_error make(projection *s) {
    const vs_tree *tree = s->tree;
    vs_arena_release(&s->arena);
    s->topology = tree->topology;
    s->suits = false;
    s->part = VS_NEW(&s->arena, tree_part, tree->nodes);
    s->q = VS_NEW(&s->arena, double, tree->nq);
    s->above = VS_NEW(&s->arena, int, VELOCITIES_MOST);
    if (!s->part || !s->q || !s->above)
        return VS_ERROR_MEMORY;
    number_velocities(s);
    s->rows = count_rows(s);
    if (s->size == 0 || s->size > VELOCITIES_MOST || s->rows < 0 || s->rows > CLOSED_MOST)
        return VS_OK;
    const int64_t n = s->size, m = s->rows;
    s->held = VS_NEW(&s->arena, bool, n);
    s->free = VS_NEW(&s->arena, tree_motion, n);
    s->H = VS_NEW(&s->arena, double, n *n);
    s->d = VS_NEW(&s->arena, double, n);
    s->psi = VS_NEW(&s->arena, double, m);
    s->scale = VS_NEW(&s->arena, double, m);
    s->x = VS_NEW(&s->arena, double, m);
    s->J = VS_NEW(&s->arena, double, m *n);
    s->Y = VS_NEW(&s->arena, double, m *n);
    s->C = VS_NEW(&s->arena, double, m *m);
    s->factor = VS_NEW(&s->arena, double, m *m);
    if (!s->held || !s->free || !s->H || !s->d || !s->psi || !s->scale || !s->x || !s->J || !s->Y || !s->C ||
        !s->factor)
        return VS_ERROR_MEMORY;
    s->suits = true;
    return VS_OK;
}

static vs_error prepare(vs_world *world) {
    projection *s = world->tree_projection;
    vs_error error = VS_OK;
    if (!s) {
        s = vs_allocate(world->context, sizeof *s);
        if (!s)
            return vs_fail_memory(world->context);
        *s = (projection){.topology = world->topology - 1};
        vs_arena_init(&s->arena, world->context);
        world->tree_projection = s;
        error = vs_tree_create_rigid(world, &s->tree);
    }
    if (!error && !s->tree)
        error = vs_tree_create_rigid(world, &s->tree);
    if (error)
        return error;
    s->tree->world = world; // of which there may be copies
    error = vs_tree_update(s->tree);
    return error || s->topology == world->topology ? error : make(s);
}

// ---- poses of the tree -------------------------------------------------------------------------------

static void place(const projection *s) {
    const vs_tree *tree = s->tree;
    vs_world *world = tree->world;
    for (int k = 0; k < tree->nodes; k++)
        if (!s->part[k].idle)
            world->body[tree->node[k].body].pose = vs_tree_body_pose(tree, &tree->node[k], s->q + tree->node[k].qpos);
}

static void restore(const projection *s) {
    for (int k = 0; k < s->tree->nodes; k++)
        if (!s->part[k].idle)
            s->tree->world->body[s->tree->node[k].body].pose = s->part[k].old;
}

// Does a motor keep the coordinate, which is the first of the joint's numbers?
static bool is_held(const vs_joint *joint) {
    const vs_joint_kind kind = joint->def.kind;
    const bool has = kind == VS_JOINT_REVOLUTE || kind == VS_JOINT_PRISMATIC || kind == VS_JOINT_CYLINDRICAL;
    return has && vs_joint_is_driven(joint);
}

// One of a closure is for the rows of joint_projection.h.
static bool holds_closures(const projection *s) {
    bool any = false;
    for (int k = 0; k < s->tree->closures; k++)
        any = any || vs_joint_is_driven(&s->tree->world->joint[s->tree->closure[k]]);
    return any;
}

// Coordinates of the joints as they are.
static void begin(projection *s) {
    const vs_tree *tree = s->tree;
    for (int k = 0; k < tree->nodes; k++) {
        const vs_node *node = &tree->node[k];
        tree_part *part = &s->part[k];
        if (part->idle)
            continue;
        part->old = tree->world->body[node->body].pose;
        part->origin = node->parent < 0 ? part->old.position : s->part[node->parent].origin;
        vs_tree_read_positions(tree, node, s->q + node->qpos);
        const vs_joint *joint = node->joint < 0 ? NULL : &tree->world->joint[node->joint];
        for (int i = 0; i < node->velocities; i++)
            s->held[part->first + i] = i == 0 && joint && is_held(joint);
    }
}

static void write_turned(double q[4], vs_vec3 turn) {
    const vs_quat old = {q[0], q[1], q[2], q[3]}, now = vs_quat_multiply(old, vs_quat_exp(turn));
    q[0] = now.w, q[1] = now.x, q[2] = now.y, q[3] = now.z;
}

// The coordinates change by d. False: by more than the linearization allows.
static bool advance(projection *s) {
    const vs_tree *tree = s->tree;
    for (int i = 0; i < s->size; i++)
        if (!(fabs(s->d[i]) <= FAR))
            return false;
    for (int k = 0; k < tree->nodes; k++) {
        const vs_node *node = &tree->node[k];
        const double *d = s->d + s->part[k].first;
        double *q = s->q + node->qpos;
        const bool turns = node->positions > node->velocities;
        if (s->part[k].idle)
            continue;
        for (int i = 0; i < node->velocities - (turns ? 3 : 0); i++)
            q[i] += d[i];
        if (turns)
            write_turned(q + node->positions - 4,
                         (vs_vec3){d[node->velocities - 3], d[node->velocities - 2], d[node->velocities - 1]});
    }
    place(s);
    return true;
}

// ---- S'M S -------------------------------------------------------------------------------------------

// A body's own inertia at the origin.
static void begin_part(tree_part *part, const vs_body *body) {
    const vs_mat3 R = vs_quat_matrix(body->pose.rotation), back = vs_mat3_transpose(&R);
    const vs_mat3 half = vs_mat3_multiply(&R, &body->inertia);
    const vs_vec3 r = vs_subtract(body->pose.position, part->origin);
    const double m = body->mass, square = vs_dot(r, r);
    const double rr[9] = {r.x * r.x, r.x * r.y, r.x * r.z, r.y * r.x, r.y * r.y,
                          r.y * r.z, r.z * r.x, r.z * r.y, r.z * r.z};
    part->mass = m;
    part->moment = vs_scale(m, r);
    part->inertia = vs_mat3_multiply(&half, &back);
    for (int i = 0; i < 9; i++)
        part->inertia.a[i] += m * ((i % 4 == 0 ? square : 0) - rr[i]);
}

// At the present poses: motions per unit of each velocity, at the origins, and all that hangs on a body.
static void gather(projection *s) {
    vs_tree *tree = s->tree;
    vs_tree_place(tree);
    for (int k = 0; k < tree->nodes; k++) {
        const vs_node *node = &tree->node[k];
        tree_part *part = &s->part[k];
        if (part->idle)
            continue;
        begin_part(part, &tree->world->body[node->body]);
        for (int i = 0; i < node->velocities; i++) {
            const vs_twist *twist = &tree->twist[node->qvel + i];
            s->free[part->first + i] = (tree_motion){vs_twist_at(twist, tree->point[k], part->origin), twist->angular};
        }
    }
    for (int k = tree->nodes - 1; k >= 0; k--) {
        const tree_part *part = &s->part[k];
        if (part->idle || tree->node[k].parent < 0)
            continue;
        tree_part *to = &s->part[tree->node[k].parent];
        to->mass += part->mass;
        to->moment = vs_add(to->moment, part->moment);
        for (int i = 0; i < 9; i++)
            to->inertia.a[i] += part->inertia.a[i];
    }
}

// The pull of a body back to where it was. Returns its displacement (m, rad times 1 m).
static double pull_part(tree_part *part, const vs_body *body) {
    const vs_vec3 r = vs_subtract(part->old.position, part->origin);
    const vs_vec3 way = vs_subtract(body->pose.position, part->old.position);
    const vs_quat q = vs_quat_multiply(vs_quat_conjugate(part->old.rotation), body->pose.rotation);
    const vs_vec3 turn = vs_scale(q.w < 0 ? -2 : 2, (vs_vec3){q.x, q.y, q.z});
    const vs_vec3 push = vs_scale(-body->mass, way);
    const vs_vec3 twist = vs_rotate(part->old.rotation, vs_mat3_apply(&body->inertia, turn));
    part->pull = (tree_motion){push, vs_subtract(vs_cross(r, push), twist)};
    return fmax(vs_length(way), vs_length(turn));
}

// Pulls of all that hangs on each body. Returns the largest displacement.
static double pull(projection *s) {
    const vs_tree *tree = s->tree;
    double largest = 0;
    for (int k = 0; k < tree->nodes; k++) {
        if (s->part[k].idle)
            continue;
        const double way = pull_part(&s->part[k], &tree->world->body[tree->node[k].body]);
        largest = isnan(way) ? INFINITY : fmax(largest, way);
    }
    for (int k = tree->nodes - 1; k >= 0; k--) {
        const tree_motion *from = &s->part[k].pull;
        if (s->part[k].idle || tree->node[k].parent < 0)
            continue;
        tree_motion *to = &s->part[tree->node[k].parent].pull;
        to->u = vs_add(to->u, from->u), to->w = vs_add(to->w, from->w);
    }
    return largest;
}

static double power(const tree_motion *motion, const tree_motion *force) {
    return vs_dot(motion->u, force->u) + vs_dot(motion->w, force->w);
}

// The rows and columns of H along the tree. A velocity that is held is by itself.
static void assemble(projection *s) {
    const vs_tree *tree = s->tree;
    for (int k = 0; k < tree->nodes; k++) {
        const tree_part *part = &s->part[k];
        for (int i = part->first; i < part->first + tree->node[k].velocities && !part->idle; i++) {
            const tree_motion *free = &s->free[i];
            const tree_motion momentum = {
                vs_add(vs_scale(part->mass, free->u), vs_cross(free->w, part->moment)),
                vs_add(vs_cross(part->moment, free->u), vs_mat3_apply(&part->inertia, free->w))};
            double *row = s->H + (int64_t)i * s->size;
            for (int j = i; j >= 0; j = s->above[j])
                row[j] = s->held[i] || s->held[j] ? i == j : power(&s->free[j], &momentum);
        }
    }
}

// H = L'D L. False: it is not definite.
static bool factor(const projection *s) {
    for (int k = s->size - 1; k >= 0; k--) {
        double *row = s->H + (int64_t)k * s->size;
        if (!(row[k] > 0))
            return false;
        for (int i = s->above[k]; i >= 0; i = s->above[i]) {
            const double a = row[i] / row[k];
            for (int j = i; j >= 0; j = s->above[j])
                s->H[(int64_t)i * s->size + j] -= a * row[j];
            row[i] = a;
        }
    }
    return true;
}

static void solve(const projection *s, double *x) {
    for (int k = s->size - 1; k >= 0; k--)
        for (int i = s->above[k]; i >= 0 && x[k] != 0; i = s->above[i])
            x[i] -= s->H[(int64_t)k * s->size + i] * x[k];
    for (int k = 0; k < s->size; k++) {
        x[k] /= s->H[(int64_t)k * (s->size + 1)];
        for (int i = s->above[k]; i >= 0; i = s->above[i])
            x[k] -= s->H[(int64_t)k * s->size + i] * x[i];
    }
}

// d: the coordinates go where the pulls are in balance.
static void balance(projection *s) {
    const vs_tree *tree = s->tree;
    for (int k = 0; k < tree->nodes; k++)
        for (int i = s->part[k].first; i < s->part[k].first + tree->node[k].velocities && !s->part[k].idle; i++)
            s->d[i] = s->held[i] ? 0 : power(&s->free[i], &s->part[k].pull);
    solve(s, s->d);
}

// ---- closures ----------------------------------------------------------------------------------------

// J S of a row of a closure.
static void reduce_row(const projection *s, const vs_joint_row *row, double *J) {
    const vs_tree *tree = s->tree;
    memset(J, 0, sizeof *J * (size_t)s->size);
    for (int k = 0; k < row->bodies; k++) {
        const int index = tree->node_of[row->body[k]];
        if (index < 0)
            continue;
        const double *x = row->J[k];
        const vs_pose pose = tree->world->body[row->body[k]].pose;
        const vs_vec3 F = {x[0], x[1], x[2]}, T = vs_rotate(pose.rotation, (vs_vec3){x[3], x[4], x[5]});
        const tree_motion force = {F, vs_add(T, vs_cross(vs_subtract(pose.position, s->part[index].origin), F))};
        for (int i = s->part[index].last; i >= 0; i = s->above[i])
            J[i] += s->held[i] ? 0 : power(&s->free[i], &force);
    }
}

// Psi of the closures and, if wanted, J S and the weights of the rows. Returns the largest |Psi|.
static double measure_closures(projection *s, bool rows) {
    const vs_tree *tree = s->tree;
    double largest = 0;
    for (int k = 0, at = 0; k < tree->closures; k++) {
        vs_joint_row row[VS_JOINT_BILATERAL_MOST];
        const int count =
            vs_joint_violation(tree->world, &tree->world->joint[tree->closure[k]], s->psi + at, rows ? row : NULL);
        double most = 0;
        for (int r = 0; r < count; r++)
            largest = isnan(s->psi[at + r]) ? INFINITY : fmax(largest, fabs(s->psi[at + r]));
        for (int r = 0; r < count && rows; r++) {
            reduce_row(s, &row[r], s->J + (int64_t)(at + r) * s->size);
            s->scale[at + r] = vs_joint_row_mobility(tree->world, &row[r]);
            most = fmax(most, s->scale[at + r]);
        }
        for (int r = 0; r < count && rows; r++)
            s->scale[at + r] = most > 0 ? 1 / sqrt(fmax(s->scale[at + r], 1e-4 * most)) : 1;
        at += count;
    }
    return largest;
}

static double dot(int n, const double *x, const double *y) {
    double sum = 0;
    for (int k = 0; k < n; k++)
        sum += x[k] * y[k];
    return sum;
}

static void reduce_closures(projection *s) {
    for (int k = 0; k < s->rows; k++) {
        double *Y = s->Y + (int64_t)k * s->size;
        memcpy(Y, s->J + (int64_t)k * s->size, sizeof *Y * (size_t)s->size);
        solve(s, Y);
        for (int j = 0; j <= k; j++)
            s->C[(int64_t)k * s->rows + j] = s->scale[k] * s->scale[j] * dot(s->size, Y, s->J + (int64_t)j * s->size);
        s->C[(int64_t)k * (s->rows + 1)] += DAMPING;
    }
}

// d changes so that Psi + J S d vanishes.
static bool close(projection *s) {
    for (int k = 0; k < s->rows; k++)
        s->x[k] = -s->scale[k] * (s->psi[k] + dot(s->size, s->d, s->J + (int64_t)k * s->size));
    memcpy(s->factor, s->C, sizeof *s->C * (size_t)(s->rows * s->rows));
    if (!vs_dense_solve(s->rows, s->rows, 0, s->factor, s->x))
        return false;
    for (int k = 0; k < s->rows; k++)
        for (int i = 0; i < s->size; i++)
            s->d[i] += s->scale[k] * s->x[k] * s->Y[(int64_t)k * s->size + i];
    return true;
}

// ---- the whole ---------------------------------------------------------------------------------------

// What rounding leaves of positions.
static double find_rounding(const projection *s) {
    double most = 0;
    for (int k = 0; k < s->tree->nodes; k++)
        if (!s->part[k].idle)
            most = fmax(most, vs_length(s->part[k].old.position));
    return ROUNDING * most;
}

// The matrices at the present poses.
static bool renew(projection *s) {
    gather(s);
    assemble(s);
    memset(s->d, 0, sizeof *s->d * (size_t)s->size);
    return factor(s);
}

// Steps until the closures hold; the first two are also for the balance.
static bool close_all(projection *s, double tolerance, double *left) {
    double before = measure_closures(s, true);
    reduce_closures(s);
    for (int k = 0; k < STEPS; k++) {
        if (!close(s) || !advance(s))
            return false;
        *left = measure_closures(s, false);
        if (k > 0 && *left <= tolerance)
            return true;
        memset(s->d, 0, sizeof *s->d * (size_t)s->size);
        if (k == 0) {
            (void)pull(s);
            balance(s);
        } else if (*left * *left > CHORD * tolerance * before) {
            if (!renew(s))
                return false;
            (void)measure_closures(s, true);
            reduce_closures(s);
        }
        before = *left;
    }
    return false;
}

// The motions S are those at the beginning, as in joint_projection.h: the displacement x of Newton's steps there has S'M x = 0 but
// for terms of third order, and a second step gives that here.
static bool run(projection *s, double tolerance, double *left, bool *stays) {
    begin(s);
    gather(s);
    place(s);
    const double largest = pull(s);
    *stays = false;
    if (largest <= tolerance) {
        restore(s);
        *left = measure_closures(s, false);
        *stays = *left <= tolerance;
        place(s);
    }
    if (*stays)
        return true;
    if (!(largest <= FAR))
        return false;
    assemble(s);
    if (!factor(s))
        return false;
    balance(s);
    *left = 0;
    if (s->rows > 0)
        return close_all(s, tolerance, left);
    if (!advance(s))
        return false;
    (void)pull(s);
    balance(s);
    return advance(s);
}

// The angles that turns are counted from.
static void remember(const projection *s) {
    const vs_tree *tree = s->tree;
    for (int k = 0; k < tree->nodes; k++) {
        const vs_node *node = &tree->node[k];
        if (node->joint >= 0 && vs_joint_kind_turns(tree->world->joint[node->joint].def.kind))
            tree->world->joint[node->joint].angle = s->q[node->qpos + node->positions - 1];
    }
}

vs_error vs_tree_project(vs_world *world, double tolerance, double *largest, bool *done) {
    *done = false;
    if (world->place)
        return VS_OK;
    const vs_error error = prepare(world);
    projection *s = world->tree_projection;
    if (error || !s->suits || holds_closures(s))
        return error;
    bool stays = false;
    *largest = 0;
    *done = run(s, fmax(tolerance, find_rounding(s)), largest, &stays);
    if (!*done || stays)
        restore(s);
    if (*done)
        remember(s);
    *largest = fmax(*largest, find_rounding(s));
    return VS_OK;
}
