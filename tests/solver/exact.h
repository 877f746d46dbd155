// What the tests of exact Coulomb friction share: options, a solve that keeps its counts, points and brick walls.
//
// Exact: y_n >= 0 and friction opposes y_T at every contact, y_n l_n = 0; a sliding contact does not open. Every
// outcome is measured by vs_measure() with VS_MODEL_EXACT (keep_result() in solving.h).
#ifndef VS_TESTS_SOLVER_EXACT_H
#define VS_TESTS_SOLVER_EXACT_H

#include "solving.h"

static const double gravity = 9.81, time_step = .01; // m/s^2, s

static inline vs_solver_options exact_options(double tolerance) {
    vs_solver_options options = make_options(tolerance);
    options.model = VS_MODEL_EXACT;
    return options;
}

// By both criteria, energy and natural map, as a user has it by default.
static inline vs_solver_options strict_options(double tolerance) {
    vs_solver_options options = exact_options(tolerance);
    options.criterion = VS_CRITERION_BOTH;
    return options;
}

// The outcome, and in `counts` the result without its arrays and texts, which went with the solver.
static inline outcome solve_counted(const vs_problem *problem, const vs_solver_options *options, vs_result *counts) {
    vs_solver *solver = NULL;
    vs_error error = vs_solver_create(problem, options, &solver);
    if (!error)
        error = vs_solver_solve(solver, counts);
    outcome o = {.error = error};
    if (!error)
        o = keep_result(problem, options, counts);
    vs_solver_destroy(solver);
    return o;
}

static inline outcome solve_exactly(vs_context *context, const scene *s, double tolerance) {
    vs_solver_options options = exact_options(tolerance);
    return solve_scene(context, s, &options);
}

static inline void assert_all_near(const char *what, const double *value, const double *expected, int count,
                                   double within) {
    for (int k = 0; k < count; k++) {
        char name[96];
        snprintf(name, sizeof name, "%s [%d]", what, k);
        assert_near(name, value[k], expected[k], within);
    }
}

// Impulse and angular impulse on a body by contacts (not joints), world axes: the sum of J'l.
static inline void sum_on_body(const scene *s, int body, const double *lambda, double sum[6]) {
    memset(sum, 0, 6 * sizeof *sum);
    for (int k = 0, row = 0; k < s->links; k++) {
        const scene_link *link = &s->link[k];
        if (link->kind == JOINT)
            continue;
        int dofs = s->body[body].dofs;
        for (int a = 0; a < link->blocks; a++)
            for (int i = 0; i < link->rows && link->block[a] == body; i++)
                for (int j = 0; j < dofs; j++)
                    sum[j] += link->J[a][i * dofs + j] * lambda[row + i];
        row += link->rows;
    }
}

// A point of given mass (kg) on a plane of given normal, v_free (3) in m/s.
static inline scene make_point(double mass, const double normal[3], double mu, const double v_free[3]) {
    scene s = {0};
    scene_body *body = add_body(&s, 3);
    for (int k = 0; k < 3; k++) {
        body->H[4 * k] = mass;
        body->c[k] = -mass * v_free[k];
    }
    add_contact_at(&s, FRICTION, -1, 0, normal, normal, normal, mu);
    return s;
}

// Joint rows that hold the given velocities of a body of six (3: turning about x, …).
static inline scene_link *hold(scene *s, int body, const int *velocity, int rows) {
    scene_link *joint = add_link(s, JOINT, rows);
    joint->blocks = 1;
    joint->block[0] = body;
    for (int i = 0; i < rows; i++)
        joint->J[0][6 * i + velocity[i]] = 1;
    return joint;
}

// ---- walls -------------------------------------------------------------------------------------------

enum { BRICKS_MOST = 256 };

typedef struct wall {
    scene s;
    int rows;
    int first[32];                         // (rows + 1) first brick of each row
    double x[BRICKS_MOST], a[BRICKS_MOST]; // centre and half length of the bricks, m
} wall;

static const double brick_half[3] = {.125, .06, .0325}; // m
static const double brick_density = 1800;               // kg/m^3

static inline void add_brick(wall *w, double x, double a) {
    const double b = brick_half[1], c = brick_half[2], mass = 8 * a * b * c * brick_density;
    double inertia[3] = {mass / 3 * (b * b + c * c), mass / 3 * (a * a + c * c), mass / 3 * (a * a + b * b)};
    double v_free[6] = {0, 0, -gravity * time_step, 0, 0, 0};
    w->x[w->s.bodies] = x;
    w->a[w->s.bodies] = a;
    add_rigid(&w->s, mass, inertia, v_free);
}

// Four contacts where brick `upper` lies on `lower` (< 0: on the ground, all of it); none if it does not.
static inline void join_bricks(wall *w, int lower, int upper, double mu) {
    double left = w->x[upper] - w->a[upper], right = w->x[upper] + w->a[upper];
    if (lower >= 0) {
        left = fmax(left, w->x[lower] - w->a[lower]);
        right = fmin(right, w->x[lower] + w->a[lower]);
    }
    if (right - left < .1 * brick_half[0])
        return;
    for (int corner = 0; corner < 4; corner++) {
        double x = corner & 1 ? right : left, y = corner & 2 ? brick_half[1] : -brick_half[1], below[3] = {0};
        if (lower >= 0)
            below[0] = x - w->x[lower], below[1] = y, below[2] = brick_half[2];
        double above[3] = {x - w->x[upper], y, -brick_half[2]};
        add_contact_at(&w->s, FRICTION, lower, upper, (double[3]){0, 0, 1}, below, above, mu);
    }
}

// Running bond at rest under gravity: rows of `columns` bricks, every other one with half a brick at both ends. Four
// contacts an interface for six velocities a brick: redundant throughout.
static inline wall make_wall(int rows, int columns, double mu) {
    wall w = {.rows = rows};
    const double a = brick_half[0];
    for (int row = 0; row < rows; row++) {
        w.first[row] = w.s.bodies;
        if (row % 2 == 0) {
            for (int k = 0; k < columns; k++)
                add_brick(&w, (2 * k + 1) * a, a);
        } else {
            add_brick(&w, a / 2, a / 2);
            for (int k = 1; k < columns; k++)
                add_brick(&w, 2 * k * a, a);
            add_brick(&w, (2 * columns - .5) * a, a / 2);
        }
        for (int upper = w.first[row]; upper < w.s.bodies; upper++)
            for (int lower = row ? w.first[row - 1] : -1; lower < (row ? w.first[row] : 0); lower++)
                join_bricks(&w, lower, upper, mu);
    }
    w.first[rows] = w.s.bodies;
    return w;
}

// Every brick of the top row is pushed along the wall to the speed v (m/s) it would have without friction.
static inline void push_top_row(wall *w, double v) {
    for (int k = w->first[w->rows - 1]; k < w->s.bodies; k++)
        w->s.body[k].c[0] = -w->s.body[k].H[0] * v;
}

#endif
