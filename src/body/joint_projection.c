// Projection of the positions onto the joints in the mass metric: damped Gauss-Newton steps
//
//     minimise  1/2 (Psi + J x)'A^-1 (Psi + J x) + mu/2 x'M x       x: displacement, 6 per body as in v
//
//     [ M   J~'  ] [ x ]     [   0  ]
//     [ J~  -mu  ] [ l ] = - [ Psi~ ]       J~ = A^-1/2 J,  Psi~ = A^-1/2 Psi,  A = diag(J M^-1 J') at the start
//
// with mu = 1e-9: where the joints can be satisfied this is the Newton step of least x'M x, redundant rows or not;
// where they cannot, the steps end at the least sum of Psi^2/A. The matrix is quasi-definite and as sparse as the
// mechanism, even with many joints on one body. Bodies connected by joints are an island with a mu of its own, raised
// when a step does not decrease its sum (Levenberg-Marquardt), so that an infeasible island does not delay the others.
// Islands that are satisfied already stay as they are, bit for bit.
//
// Motors without a force limit keep the coordinate that they have reached: their row x - x_start = 0 is projected with
// the constraints. If the joints cannot be satisfied with it, it is dropped and the steps restart without it. Where limits
// are wanted, a coordinate beyond one has such a row as well: x - limit = 0.
//
// It does not move bodies without mass, does not enforce limits otherwise, nor contacts, and does not leave a maximum of the
// violation (an axis exactly opposite to its target). Velocities stay.
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/arena.h"
#include "base/disjoint_sets.h"
#include "base/vec.h"
#include "body/joint_command.h"
#include "body/joint_coordinate.h"
#include "body/joint_projection.h"
#include "body/joint_rows.h"
#include "body/projection_memory.h"
#include "body/tree_projection.h"

static const double DAMPING_LEAST = 1e-9;       // mu; relative to J~ M^-1 J~', whose diagonal is 1
static const double DAMPING_RAISED = 1e-4;      // after the first failure
static const double DAMPING_MOST = 1e6;         // beyond it no step succeeds
static const double ROUNDING = 8 * DBL_EPSILON; // relative, of a position: no step removes it
static const double TURN_MOST = 1;              // rad per step: the linearization is invalid beyond
static const double TURN_FAR = .3;              // rad per step: angles are counted anew beyond
static const double CHORD = .1; // of the tolerance: what a step with the factor of the one before may leave

// A joint that takes part.
typedef struct joint_link {
    int joint, island;
    int row, rows;                     // first row, number of rows
    bool held;                         // the last row keeps the coordinate of a motor, or puts it to a limit
    double start;                      // at this value; m, rad
    int bodies;                        // with mass, each once
    int body[VS_ROW_BODIES_MOST];      //
    int place[VS_ROW_BODIES_MOST];     // of its first row in the columns of the body
    int column_of[VS_ROW_BODIES_MOST]; // index in `body` of J[k], -1: none
} joint_link;

typedef struct joint_island {
    bool active;
    bool failed;             // began or ended above its tolerance
    double tolerance;        // m, at least the rounding of its positions
    double damping;          // mu
    double merit, merit_new; // Psi'A^-1 Psi before and after the step
    double promised;         // Psi'A^-1 Psi after the step predicted by the linearization
    double largest;          // max |Psi| after it
    double before;           // before it
    double factored;         // mu of the factor
    double turn;             // rad, largest of the step
} joint_island;

typedef struct projection {
    vs_world *world;
    vs_arena arena;
    bool hold;                        // keep the coordinates of motors
    bool limited;                     // put coordinates beyond limits there
    bool weighed;                     // A is known
    bool reverted;                    // a step was: Psi of its island is unknown
    double other;                     // m; largest |Psi| of joints that take no part
    int links, islands, moving, rows; // moving: bodies
    joint_link *link;
    joint_island *island;
    int *body_island; // (bodies) -1: does not take part
    int *body_moving; // (bodies) number among the moving ones, -1
    int *moving_body; // (moving)
    int *attached;    // (moving) rows in its columns
    vs_pose *old;     // (moving) poses before the step
    double *psi, *a;  // (rows) Psi, A
    double *step;     // (6 moving + rows) x, l
    int64_t *p;       // matrix, lower triangle
    int *i;
    double *x;
    vs_linear_solver *solver; // the world's
} projection;

// ---- participants -----------------------------------------------------------------------------------

static bool is_rigid(const vs_joint *joint) {
    return joint->alive && joint->def.compliance == 0;
}

static double find_largest(int count, const double *psi) {
    double largest = 0;
    for (int k = 0; k < count; k++)
        largest = isnan(psi[k]) ? INFINITY : fmax(largest, fabs(psi[k])); // fmax would hide a NaN
    return largest;
}

double vs_joints_drift(const vs_world *world) {
    double largest = 0, psi[VS_JOINT_BILATERAL_MOST];
    for (int k = 0; k < world->joints; k++) {
        if (!is_rigid(&world->joint[k]) || !vs_world_joint_is_here(world, &world->joint[k]))
            continue;
        int count = vs_joint_violation(world, &world->joint[k], psi, NULL);
        largest = fmax(largest, find_largest(count, psi));
    }
    return largest;
}

// Psi and rows (or null) of a link: the constraints and, if held, the coordinate.
static int evaluate(const vs_world *world, const joint_link *link, double *psi, vs_joint_row *row) {
    const vs_joint *joint = &world->joint[link->joint];
    int rows = vs_joint_violation(world, joint, psi, row);
    if (link->held) {
        vs_joint_frame frame = vs_joint_frame_get(world, joint);
        vs_joint_coordinate_row(world, joint, &frame, &psi[rows], row ? &row[rows] : NULL);
        psi[rows++] -= link->start;
    }
    return rows;
}

// Is the coordinate beyond a limit? *limit: which.
static bool find_limit(const vs_world *world, const vs_joint *joint, double *limit) {
    double x, rate;
    vs_joint_coordinate(world, joint, &x, &rate);
    *limit = x < joint->def.low ? joint->def.low : joint->def.high;
    return x < joint->def.low || x > joint->def.high;
}

// A joint with rows and at least one body that can move: fills the bodies and the largest |Psi|.
static bool make_link(projection *s, int index, joint_link *link, double *largest) {
    const vs_world *world = s->world;
    const vs_joint *joint = &world->joint[index];
    double psi[VS_JOINT_BILATERAL_MOST];
    if (!is_rigid(joint) || !vs_world_joint_is_here(world, joint))
        return false;
    *link = (joint_link){.joint = index};
    if (s->hold && vs_joint_is_driven(joint)) {
        vs_joint_frame frame = vs_joint_frame_get(world, joint);
        link->held = vs_joint_coordinate_row(world, joint, &frame, &link->start, NULL);
    }
    if (s->limited && joint->def.limited)
        link->held = find_limit(world, joint, &link->start);
    int rows = link->rows = evaluate(world, link, psi, NULL), bodies[VS_ROW_BODIES_MOST];
    if (rows == 0)
        return false;
    *largest = find_largest(rows, psi);
    const int count = vs_joint_bodies(world, joint, bodies);
    for (int k = 0; k < count; k++) {
        int body = bodies[k], at = 0;
        link->column_of[k] = -1;
        if (world->body[body].motion != VS_MOTION_DYNAMIC)
            continue;
        while (at < link->bodies && link->body[at] != body)
            at++;
        if (at == link->bodies)
            link->body[link->bodies++] = body;
        link->column_of[k] = at;
    }
    if (link->bodies == 0)
        s->other = fmax(s->other, *largest);
    return link->bodies > 0;
}

// Links and islands of all joints; an island is active if a joint of it is violated by more than the tolerance.
static vs_error find_islands(projection *s, double tolerance) {
    vs_world *world = s->world;
    int *parent = VS_NEW(&s->arena, int, world->bodies);
    double *largest = VS_NEW_ZERO(&s->arena, double, world->joints);
    s->link = VS_NEW(&s->arena, joint_link, world->joints);
    s->body_island = VS_NEW(&s->arena, int, world->bodies);
    s->island = VS_NEW_ZERO(&s->arena, joint_island, world->bodies);
    if (!parent || !largest || !s->link || !s->body_island || !s->island)
        return VS_ERROR_MEMORY;
    for (int k = 0; k < world->bodies; k++) {
        parent[k] = k;
        s->body_island[k] = -1;
    }
    for (int k = 0; k < world->joints; k++) {
        joint_link *added = &s->link[s->links];
        if (!make_link(s, k, added, &largest[s->links]))
            continue;
        int root = vs_sets_root(parent, added->body[0]);
        for (int b = 1; b < added->bodies; b++)
            parent[vs_sets_root(parent, added->body[b])] = root;
        s->links++;
    }
    // The root's entry numbers the island; in the order of the joints.
    for (int k = 0; k < s->links; k++) {
        int root = vs_sets_root(parent, s->link[k].body[0]);
        if (s->body_island[root] < 0)
            s->body_island[root] = s->islands++;
        s->link[k].island = s->body_island[root];
        joint_island *of = &s->island[s->link[k].island];
        of->tolerance = fmax(tolerance, of->tolerance);
        for (int b = 0; b < s->link[k].bodies; b++)
            of->tolerance = fmax(of->tolerance, ROUNDING * vs_length(world->body[s->link[k].body[b]].pose.position));
        of->largest = fmax(of->largest, largest[k]);
        of->damping = DAMPING_LEAST;
    }
    for (int k = 0; k < s->islands; k++) {
        joint_island *island = &s->island[k];
        island->active = island->failed = island->largest > island->tolerance;
        s->other = island->active ? s->other : fmax(s->other, island->largest);
    }
    return VS_OK;
}

// Leaves only links of active islands; numbers their bodies and rows.
static vs_error number_unknowns(projection *s) {
    int links = 0, bodies = s->world->bodies;
    s->body_moving = VS_NEW(&s->arena, int, bodies);
    s->moving_body = VS_NEW(&s->arena, int, bodies);
    s->attached = VS_NEW_ZERO(&s->arena, int, bodies);
    if (!s->body_moving || !s->moving_body || !s->attached)
        return VS_ERROR_MEMORY;
    for (int k = 0; k < bodies; k++)
        s->body_moving[k] = -1;
    for (int k = 0; k < s->links; k++) {
        joint_link kept = s->link[k];
        if (!s->island[kept.island].active)
            continue;
        kept.row = s->rows;
        s->rows += kept.rows;
        for (int b = 0; b < kept.bodies; b++) {
            int *moving = &s->body_moving[kept.body[b]];
            if (*moving < 0) {
                s->moving_body[s->moving] = kept.body[b];
                *moving = s->moving++;
                s->body_island[kept.body[b]] = kept.island;
            }
            kept.place[b] = s->attached[*moving];
            s->attached[*moving] += kept.rows;
        }
        s->link[links++] = kept;
    }
    s->links = links;
    return VS_OK;
}

// ---- the matrix ------------------------------------------------------------------------------------

// Lower triangle by columns: of a body the block of M and below it the rows of its joints; of a row its diagonal.
static vs_error make_pattern(projection *s) {
    int n = 6 * s->moving + s->rows;
    s->p = VS_NEW(&s->arena, int64_t, n + 1);
    if (!s->p)
        return VS_ERROR_MEMORY;
    s->p[0] = 0;
    for (int k = 0; k < n; k++)
        s->p[k + 1] = s->p[k] + (k < 6 * s->moving ? 6 - k % 6 + s->attached[k / 6] : 1);
    s->i = VS_NEW(&s->arena, int, s->p[n]);
    s->x = VS_NEW_ZERO(&s->arena, double, s->p[n]);
    int *group = VS_NEW(&s->arena, int, s->moving + s->links + 1);
    if (!s->i || !s->x || !group)
        return VS_ERROR_MEMORY;
    for (int k = 0; k < 6 * s->moving; k++)
        for (int r = k % 6; r < 6; r++)
            s->i[s->p[k] + r - k % 6] = k - k % 6 + r;
    for (int k = 0; k < s->rows; k++)
        s->i[s->p[6 * s->moving + k]] = 6 * s->moving + k;
    for (int k = 0; k <= s->moving; k++)
        group[k] = 6 * k;
    for (int k = 0; k < s->links; k++) {
        const joint_link *link = &s->link[k];
        group[s->moving + k + 1] = 6 * s->moving + link->row + link->rows;
        for (int b = 0; b < link->bodies; b++)
            for (int c = 0; c < 6; c++)
                for (int r = 0; r < link->rows; r++)
                    s->i[s->p[6 * s->body_moving[link->body[b]] + c] + 6 - c + link->place[b] + r] =
                        6 * s->moving + link->row + r;
    }
    vs_linear_pattern pattern = {
        .n = n, .p = s->p, .i = s->i, .symmetric = true, .groups = s->moving + s->links, .group = group};
    return vs_projection_memory_prepare(s->world, &pattern, &s->solver);
}

// J M^-1 J' of one row and one body.
static double find_mobility(const vs_body *body, const double J[6]) {
    vs_vec3 t = {J[3], J[4], J[5]};
    return (J[0] * J[0] + J[1] * J[1] + J[2] * J[2]) / body->mass + vs_dot(t, vs_mat3_apply(&body->inverse_inertia, t));
}

// Psi of a link's rows and J, sorted by its bodies.
static void gather_rows(const projection *s, const joint_link *link,
                        double J[VS_JOINT_BILATERAL_MOST][VS_ROW_BODIES_MOST][6]) {
    vs_joint_row row[VS_JOINT_BILATERAL_MOST];
    evaluate(s->world, link, &s->psi[link->row], row);
    for (int r = 0; r < link->rows; r++) {
        memset(J[r], 0, (size_t)link->bodies * sizeof J[r][0]);
        for (int k = 0; k < row[r].bodies; k++)
            for (int c = 0; c < 6 && link->column_of[k] >= 0; c++)
                J[r][link->column_of[k]][c] += row[r].J[k][c];
    }
}

// A of a link's rows. A row's derivative may vanish at single poses, which must not increase its weight.
static void weigh_rows(const projection *s, const joint_link *link,
                       double J[VS_JOINT_BILATERAL_MOST][VS_ROW_BODIES_MOST][6]) {
    double *a = &s->a[link->row], most = 0;
    for (int r = 0; r < link->rows; r++) {
        a[r] = 0;
        for (int b = 0; b < link->bodies; b++)
            a[r] += find_mobility(&s->world->body[link->body[b]], J[r][b]);
        most = fmax(most, a[r]);
    }
    for (int r = 0; r < link->rows; r++)
        a[r] = most > 0 ? fmax(a[r], 1e-4 * most) : 1;
}

// Values of the matrix and the right-hand side at the present poses; merits.
static void assemble(projection *s) {
    for (int k = 0; k < s->moving; k++) {
        const vs_body *body = &s->world->body[s->moving_body[k]];
        for (int c = 0; c < 6; c++)
            for (int r = c; r < 6; r++)
                s->x[s->p[6 * k + c] + r - c] = c >= 3 ? body->inertia.a[3 * (r - 3) + c - 3] : r == c ? body->mass : 0;
    }
    memset(s->step, 0, sizeof(double) * (size_t)(6 * s->moving));
    for (int k = 0; k < s->islands; k++)
        s->island[k].merit = 0, s->island[k].factored = s->island[k].damping;
    for (int k = 0; k < s->links; k++) {
        const joint_link *link = &s->link[k];
        joint_island *island = &s->island[link->island];
        double J[VS_JOINT_BILATERAL_MOST][VS_ROW_BODIES_MOST][6];
        gather_rows(s, link, J);
        if (!s->weighed)
            weigh_rows(s, link, J);
        for (int r = 0; r < link->rows; r++) {
            int row = link->row + r, unknown = 6 * s->moving + row;
            double scale = 1 / sqrt(s->a[row]);
            for (int b = 0; b < link->bodies; b++)
                for (int c = 0; c < 6; c++)
                    s->x[s->p[6 * s->body_moving[link->body[b]] + c] + 6 - c + link->place[b] + r] = scale * J[r][b][c];
            s->x[s->p[unknown]] = -island->damping;
            s->step[unknown] = -scale * s->psi[row];
            island->merit += s->psi[row] * s->psi[row] / s->a[row];
        }
    }
    s->weighed = true;
}

// The right-hand side alone, at poses that measure() has seen.
static void set_right_side(projection *s) {
    memset(s->step, 0, sizeof(double) * (size_t)(6 * s->moving));
    for (int k = 0; k < s->islands; k++)
        s->island[k].merit = s->island[k].merit_new;
    for (int row = 0; row < s->rows; row++)
        s->step[6 * s->moving + row] = -s->psi[row] / sqrt(s->a[row]);
}

// ---- steps -----------------------------------------------------------------------------------------

// Does the factor of the last step do for another one? What it leaves is as much less than this step's remainder as that is less
// than what there was before.
static bool is_near(const projection *s) {
    for (int k = 0; k < s->islands; k++) {
        const joint_island *island = &s->island[k];
        if (island->active && (island->damping != island->factored ||
                               island->largest * island->largest > CHORD * island->tolerance * island->before))
            return false;
    }
    return !s->reverted;
}

// Moves the bodies by the step, turning no body by more than TURN_MOST.
static void move(projection *s) {
    for (int k = 0; k < s->islands; k++)
        s->island[k].turn = 0;
    for (int k = 0; k < s->moving; k++) {
        joint_island *island = &s->island[s->body_island[s->moving_body[k]]];
        const double *x = &s->step[6 * k];
        island->turn = fmax(island->turn, vs_length((vs_vec3){x[3], x[4], x[5]}));
    }
    for (int k = 0; k < s->moving; k++) {
        vs_pose *pose = &s->world->body[s->moving_body[k]].pose;
        const joint_island *island = &s->island[s->body_island[s->moving_body[k]]];
        double scale = island->turn > TURN_MOST ? TURN_MOST / island->turn : 1;
        const double *x = &s->step[6 * k];
        s->old[k] = *pose;
        if (!island->active)
            continue;
        pose->position = vs_add_scaled(pose->position, scale, (vs_vec3){x[0], x[1], x[2]});
        vs_quat turn = vs_quat_exp((vs_vec3){scale * x[3], scale * x[4], scale * x[5]});
        pose->rotation = vs_quat_normalize(vs_quat_multiply(pose->rotation, turn));
    }
}

// Merit and largest |Psi| of every island at the present poses.
static void measure(projection *s) {
    for (int k = 0; k < s->islands; k++) {
        s->island[k].before = s->island[k].largest;
        s->island[k].merit_new = s->island[k].promised = s->island[k].largest = 0;
    }
    for (int k = 0; k < s->links; k++) {
        const joint_link *link = &s->link[k];
        joint_island *island = &s->island[link->island];
        double *psi = &s->psi[link->row];
        evaluate(s->world, link, psi, NULL);
        for (int r = 0; r < link->rows; r++) {
            double rest = island->damping * s->step[6 * s->moving + link->row + r]; // Psi~ + J~ x = mu l
            island->promised += rest * rest;
            island->merit_new += psi[r] * psi[r] / s->a[link->row + r];
        }
        island->largest = fmax(island->largest, find_largest(link->rows, psi));
    }
}

// Accepts the step of an island if its merit decreased, else reverts it and increases the damping; deactivates islands
// that are satisfied or stuck. Is one still active?
static bool accept_steps(projection *s) {
    bool any = false, far = false;
    measure(s);
    for (int k = 0; k < s->moving; k++) {
        const joint_island *island = &s->island[s->body_island[s->moving_body[k]]];
        if (island->active && !(island->merit_new < island->merit))
            s->world->body[s->moving_body[k]].pose = s->old[k], s->reverted = true;
        far = far || island->turn > TURN_FAR;
    }
    for (int k = 0; k < s->islands; k++) {
        joint_island *island = &s->island[k];
        if (!island->active)
            continue;
        bool better = island->merit_new < island->merit;
        bool stays = better && island->merit - island->merit_new < 1e-12 * island->merit;
        double gain = (island->merit - island->merit_new) / (island->merit - island->promised);
        if (better && gain > .75)
            island->damping = fmax(island->damping / 30, DAMPING_LEAST);
        else if (!better || gain < .25)
            island->damping = fmax(5 * island->damping, DAMPING_RAISED);
        if (better)
            island->failed = island->largest > island->tolerance;
        if (!island->failed || stays || island->damping > DAMPING_MOST)
            island->active = false;
        any = any || island->active;
    }
    if (far)
        vs_joints_remember(s->world);
    return any;
}

static vs_error run(projection *s, double tolerance, int steps) {
    vs_error error = find_islands(s, tolerance);
    if (!error)
        error = number_unknowns(s);
    if (error || s->links == 0)
        return error;
    s->old = VS_NEW(&s->arena, vs_pose, s->moving);
    s->psi = VS_NEW(&s->arena, double, s->rows);
    s->a = VS_NEW(&s->arena, double, s->rows);
    s->step = VS_NEW(&s->arena, double, 6 * (int64_t)s->moving + s->rows);
    if (!s->old || !s->psi || !s->a || !s->step)
        return VS_ERROR_MEMORY;
    error = make_pattern(s);
    bool any = true;
    for (int k = 0; !error && any && k < steps; k++) {
        const bool chord = k > 0 && is_near(s);
        if (chord)
            set_right_side(s);
        else
            assemble(s);
        s->reverted = false;
        if (!chord)
            error = vs_linear_solver_factor(s->solver, s->x);
        if (!error)
            error = vs_linear_solver_solve(s->solver, s->step);
        if (error)
            break;
        move(s);
        any = accept_steps(s);
    }
    return error;
}

// *left: is a joint still violated? *largest: by how much
static vs_error project(vs_world *world, bool hold, bool limited, double tolerance, int steps, bool *left,
                        double *largest) {
    projection s = {.world = world, .hold = hold, .limited = limited};
    vs_arena_init(&s.arena, world->context);
    vs_error error = run(&s, tolerance, steps);
    *left = false;
    *largest = s.other;
    for (int k = 0; k < s.islands; k++) {
        *left = *left || s.island[k].failed;
        *largest = fmax(*largest, s.island[k].largest);
    }
    vs_arena_release(&s.arena);
    if (*left) // a step may have been reverted, and held coordinates do not count
        *largest = vs_joints_drift(world);
    return error;
}

vs_error vs_joints_project(vs_world *world, double tolerance, int steps, double *largest) {
    bool driven = false, left, done = false;
    const vs_error failed = vs_tree_project(world, tolerance, largest, &done);
    if (failed || done)
        return failed;
    for (int k = 0; k < world->joints; k++)
        driven = driven || (is_rigid(&world->joint[k]) && vs_joint_is_driven(&world->joint[k]));
    vs_joints_remember(world);
    vs_error error = project(world, true, false, tolerance, steps, &left, largest);
    if (!error && driven && left)
        error = project(world, false, false, tolerance, steps, &left, largest);
    return error;
}

vs_error vs_joints_project_within_limits(vs_world *world, double tolerance, int steps, double *largest) {
    bool left;
    vs_joints_remember(world);
    return project(world, false, true, tolerance, steps, &left, largest);
}
