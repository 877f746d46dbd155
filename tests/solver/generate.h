// Contact problems for the tests of the solvers: random ones with fixed seeds, piles, and boxes on a plane.
//
// A scene is a list of bodies and links that can be changed (duplicated, scaled, made frictionless) before it becomes a
// vs_problem. Random scenes are strictly feasible by construction: for a random v0 every contact has
// D v0 - b in the interior of K* and every joint C v0 = b_e, so that a solution exists and v is unique.
#ifndef VS_TESTS_SOLVER_GENERATE_H
#define VS_TESTS_SOLVER_GENERATE_H

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "random.h"
#include "voussoir/problem.h"

// ---- scenes ------------------------------------------------------------------------------------------

typedef enum scene_kind { FRICTION, SMOOTH, JOINT, BOUNDS } scene_kind; // smooth: a contact of one row

typedef struct scene_body {
    int dofs; // 6, 3 or 1
    double H[36], c[6];
} scene_body;

typedef struct scene_link {
    scene_kind kind;
    int rows, blocks;
    int block[2];
    double J[2][36]; // (rows x dofs of the block)
    double b[6], mu, lo[6], hi[6], compliance[6];
    double rolling, spinning; // m; rows 4 … 6 of a contact
    bool elliptic;            // they share one limit with sliding
} scene_link;

typedef struct scene {
    int bodies, links;
    scene_body *body;
    scene_link *link;
} scene;

static inline scene_body *add_body(scene *s, int dofs) {
    s->body = realloc(s->body, (size_t)(s->bodies + 1) * sizeof *s->body);
    scene_body *body = memset(&s->body[s->bodies++], 0, sizeof *body);
    body->dofs = dofs;
    return body;
}

static inline scene_link *add_link(scene *s, scene_kind kind, int rows) {
    s->link = realloc(s->link, (size_t)(s->links + 1) * sizeof *s->link);
    scene_link *link = memset(&s->link[s->links++], 0, sizeof *link);
    link->kind = kind;
    link->rows = rows;
    return link;
}

static inline void free_scene(scene *s) {
    free(s->body);
    free(s->link);
    *s = (scene){0};
}

static inline scene copy_scene(const scene *s) {
    scene copy = {s->bodies, s->links, malloc((size_t)(s->bodies + 1) * sizeof *s->body),
                  malloc((size_t)(s->links + 1) * sizeof *s->link)};
    memcpy(copy.body, s->body, (size_t)s->bodies * sizeof *s->body);
    memcpy(copy.link, s->link, (size_t)s->links * sizeof *s->link);
    return copy;
}

// The same contacts, joints or box rows again.
static inline void duplicate_links(scene *s, scene_kind kind) {
    for (int k = 0, links = s->links; k < links; k++)
        if (s->link[k].kind == kind) {
            scene_link *link = add_link(s, kind, 0);
            *link = s->link[k];
        }
}

// Other units: kg -> mass kg, m -> length m. Velocities and arms scale with length, inertia with mass length^2.
static inline void scale_units(scene *s, double mass, double length) {
    for (int k = 0; k < s->bodies; k++) {
        scene_body *body = &s->body[k];
        for (int i = 0; i < body->dofs; i++) {
            double arm = i >= 3 ? length : 1;
            body->c[i] *= mass * arm * length;
            for (int j = 0; j < body->dofs; j++)
                body->H[i * body->dofs + j] *= mass * arm * (j >= 3 ? length : 1);
        }
    }
    for (int k = 0; k < s->links; k++) {
        scene_link *link = &s->link[k];
        link->rolling *= length, link->spinning *= length;
        for (int i = 0; i < (link->kind == FRICTION ? 3 : link->rows); i++) { // rotational rows of contacts are 1/s
            link->b[i] *= length;
            link->lo[i] *= mass * length;
            link->hi[i] *= mass * length;
            link->compliance[i] /= mass;
            for (int a = 0; a < link->blocks; a++) {
                int dofs = s->body[link->block[a]].dofs;
                for (int j = 3; j < dofs; j++)
                    link->J[a][i * dofs + j] *= length;
            }
        }
    }
}

static inline vs_error add_scene_link(vs_problem_builder *builder, const scene_link *link) {
    const double *jacobian[2] = {link->J[0], link->J[1]};
    if (link->kind == JOINT) {
        vs_problem_joint_def def = vs_problem_joint_def_default();
        def.rows = link->rows, def.blocks = link->blocks, def.block = link->block, def.jacobian = jacobian;
        def.b = link->b, def.compliance = link->compliance;
        return vs_problem_builder_add_joint(builder, &def, NULL);
    }
    if (link->kind == BOUNDS) {
        vs_problem_box_def def = vs_problem_box_def_default();
        def.rows = link->rows, def.blocks = link->blocks, def.block = link->block, def.jacobian = jacobian;
        def.b = link->b, def.lo = link->lo, def.hi = link->hi, def.compliance = link->compliance;
        return vs_problem_builder_add_box(builder, &def, NULL);
    }
    vs_problem_contact_def def = vs_problem_contact_def_default();
    def.blocks = link->blocks, def.block = link->block, def.jacobian = jacobian;
    def.mu = link->mu, def.frictionless = link->kind == SMOOTH, def.compliance = link->compliance[0];
    memcpy(def.b, link->b, sizeof def.b);
    def.rolling = link->rolling, def.spinning = link->spinning, def.elliptic = link->elliptic;
    memcpy(def.b_rotation, link->b + 3, sizeof def.b_rotation);
    if (link->rows == 4)
        def.b_rotation[2] = link->b[3];
    return vs_problem_builder_add_contact(builder, &def, NULL);
}

static inline vs_error build_scene(vs_context *context, const scene *s, vs_problem **problem) {
    vs_problem_builder *builder = NULL;
    *problem = NULL;
    vs_error error = vs_problem_builder_create(context, &builder);
    if (error)
        return error;
    for (int k = 0; k < s->bodies && !error; k++)
        error = vs_problem_builder_add_block(builder, s->body[k].dofs, s->body[k].H, s->body[k].c, NULL);
    for (int k = 0; k < s->links && !error; k++)
        error = add_scene_link(builder, &s->link[k]);
    if (error) {
        vs_problem_builder_destroy(builder);
        return error;
    }
    return vs_problem_builder_finish(builder, problem);
}

// ---- rigid bodies ------------------------------------------------------------------------------------

// Diagonal mass and inertia; c = -H v_free.
static inline scene_body *add_rigid(scene *s, double mass, const double inertia[3], const double v_free[6]) {
    scene_body *body = add_body(s, 6);
    for (int k = 0; k < 3; k++) {
        body->H[7 * k] = mass;
        body->H[7 * (k + 3)] = inertia[k];
    }
    for (int k = 0; k < 6; k++)
        body->c[k] = -body->H[7 * k] * v_free[k];
    return body;
}

// Rows n, u, w of a contact at the arm r, for the body on the side `sign` (+1: the normal points to it).
static inline void fill_contact_jacobian(const double n[3], const double r[3], double sign, int dofs, int rows,
                                         double *J) {
    double axes[3][3] = {{n[0], n[1], n[2]}}, helper[3] = {0};
    helper[fabs(n[0]) < 0.6 ? 0 : 1] = 1;
    cross_product(n, helper, axes[1]);
    double length = sqrt(axes[1][0] * axes[1][0] + axes[1][1] * axes[1][1] + axes[1][2] * axes[1][2]);
    for (int k = 0; k < 3; k++)
        axes[1][k] /= length;
    cross_product(axes[0], axes[1], axes[2]);
    for (int i = 0; i < rows; i++) {
        double turn[3];
        cross_product(r, axes[i], turn);
        for (int j = 0; j < dofs; j++)
            J[i * dofs + j] = sign * (j < 3 ? axes[i][j] : turn[j - 3]);
    }
}

// A contact of body `b` (normal towards it) with body `a`, or with the ground if a < 0. kind: FRICTION or SMOOTH.
static inline scene_link *add_contact_at(scene *s, scene_kind kind, int a, int b, const double n[3],
                                         const double r_a[3], const double r_b[3], double mu) {
    scene_link *link = add_link(s, kind, kind == SMOOTH ? 1 : 3);
    link->mu = mu;
    if (a >= 0) {
        link->block[link->blocks] = a;
        fill_contact_jacobian(n, r_a, -1, s->body[a].dofs, link->rows, link->J[link->blocks++]);
    }
    link->block[link->blocks] = b;
    fill_contact_jacobian(n, r_b, 1, s->body[b].dofs, link->rows, link->J[link->blocks++]);
    return link;
}

// Rolling and spinning friction of a friction contact, m; zero: no rows for it.
static inline void add_rotation_rows(const scene *s, scene_link *link, double rolling, double spinning) {
    link->rolling = rolling, link->spinning = spinning;
    const int axis[3] = {1, 2, 0};
    for (int t = rolling > 0 ? 0 : 2; t < (spinning > 0 ? 3 : 2); t++, link->rows++)
        for (int a = 0; a < link->blocks; a++) {
            int dofs = s->body[link->block[a]].dofs;
            double *J = link->J[a], *row = J + link->rows * dofs;
            for (int j = 0; j < dofs; j++)
                row[j] = j < 3 ? 0 : J[axis[t] * dofs + j - 3]; // translations are the axes, with the body's sign
        }
}

// A box of given mass (kg) and half sides (m) on the plane z = 0, a contact at each corner; v_free (6), m/s.
static inline scene make_box(double mass, const double half[3], double mu, const double v_free[6]) {
    scene s = {0};
    double inertia[3];
    for (int k = 0; k < 3; k++)
        inertia[k] = mass / 3 * (half[(k + 1) % 3] * half[(k + 1) % 3] + half[(k + 2) % 3] * half[(k + 2) % 3]);
    add_rigid(&s, mass, inertia, v_free);
    for (int corner = 0; corner < 4; corner++) {
        double r[3] = {corner & 1 ? half[0] : -half[0], corner & 2 ? half[1] : -half[1], -half[2]};
        add_contact_at(&s, FRICTION, -1, 0, (double[3]){0, 0, 1}, r, r, mu);
    }
    return s;
}

// Spheres (1 kg, 0.1 m) on a jittered lattice over a floor, pressed together; about three contacts a sphere.
static inline scene make_pile(int nx, int ny, int nz, double mu, uint64_t seed) {
    scene s = {0};
    const double radius = 0.1, inertia = 0.4 * radius * radius;
    for (int k = 0; k < nx * ny * nz; k++) {
        double v_free[6] = {random_in(&seed, -.2, .2), random_in(&seed, -.2, .2), random_in(&seed, -.6, -.2), 0, 0, 0};
        add_rigid(&s, random_in(&seed, .8, 1.2), (double[3]){inertia, inertia, inertia}, v_free);
    }
    const int stride[3] = {1, nx, nx * ny}, most[3] = {nx, ny, nz};
    for (int k = 0; k < nx * ny * nz; k++)
        for (int axis = 0; axis < 3; axis++) {
            int at = k / stride[axis] % most[axis];
            if (axis < 2 && (at == 0 || random_pick(&seed, 4) == 0))
                continue;
            double n[3] = {random_in(&seed, -.3, .3), random_in(&seed, -.3, .3), random_in(&seed, -.3, .3)}, r_a[3],
                   r_b[3];
            n[axis] = 1;
            double length = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
            for (int j = 0; j < 3; j++) {
                n[j] /= length;
                r_a[j] = radius * n[j];
                r_b[j] = -radius * n[j];
            }
            scene_link *link = add_contact_at(&s, FRICTION, at == 0 ? -1 : k - stride[axis], k, n, r_a, r_b, mu);
            link->b[0] = -random_in(&seed, 0, .05);
        }
    return s;
}

// ---- random scenes -----------------------------------------------------------------------------------

typedef struct recipe {
    uint64_t seed;
    int bodies, dofs;             // dofs: 6 with a full inertia, 3
    int friction, smooth, joints; // number of contacts with and without friction, joints of one to three rows
    int bounds;                   // box rows
    double mu;                    // largest friction coefficient
    bool compliant;               // E on contacts, joints and box rows
    double rolling; // m; largest coefficient of rolling and spinning friction: contacts of 3 … 6 rows in turn
} recipe;

static inline void add_random_body(scene *s, int dofs, uint64_t *seed) {
    scene_body *body = add_body(s, dofs);
    double mass = pow(10, random_in(seed, -1, 1)), v_free[6] = {0}, axes[3][3];
    for (int k = 0; k < 3; k++) {
        body->H[k * dofs + k] = mass;
        v_free[k] = random_in(seed, -1, 1);
    }
    // sum of three dyads: symmetric, full, positive definite by the unit part
    for (int a = 0; a < 3 && dofs == 6; a++) {
        random_direction(seed, axes[a]);
        v_free[3 + a] = random_in(seed, -2, 2);
        double moment = mass * random_in(seed, .05, .5);
        for (int i = 0; i < 3; i++) {
            body->H[(3 + i) * 6 + 3 + i] += .05 * mass;
            for (int j = 0; j < 3; j++)
                body->H[(3 + i) * 6 + 3 + j] += moment * axes[a][i] * axes[a][j];
        }
    }
    v_free[2] -= 2;
    for (int i = 0; i < dofs; i++)
        for (int j = 0; j < dofs; j++)
            body->c[i] -= body->H[i * dofs + j] * v_free[j];
}

// One block, or two different ones.
static inline void pick_bodies(const scene *s, int *a, int *b, uint64_t *seed) {
    *b = random_pick(seed, s->bodies);
    *a = random_pick(seed, s->bodies + 1) - 1;
    if (*a == *b)
        *a = -1;
}

static inline void add_random_contact(scene *s, scene_kind kind, const recipe *how, uint64_t *seed) {
    int a, b;
    double n[3], r_a[3], r_b[3];
    pick_bodies(s, &a, &b, seed);
    random_direction(seed, n);
    random_direction(seed, r_a);
    random_direction(seed, r_b);
    n[2] = fabs(n[2]);
    scene_link *link =
        add_contact_at(s, kind, a, b, n, r_a, r_b, kind == FRICTION ? how->mu * random_in(seed, .2, 1) : 0);
    if (how->compliant)
        link->compliance[0] = pow(10, random_in(seed, -4, 0));
}

static inline void add_random_rows(scene *s, scene_kind kind, const recipe *how, uint64_t *seed) {
    int a, b;
    scene_link *link = add_link(s, kind, 1 + random_pick(seed, 3));
    pick_bodies(s, &a, &b, seed);
    if (a >= 0)
        link->block[link->blocks++] = a;
    link->block[link->blocks++] = b;
    for (int k = 0; k < link->blocks; k++)
        for (int t = 0; t < link->rows * s->body[link->block[k]].dofs; t++)
            link->J[k][t] = random_in(seed, -1, 1);
    for (int i = 0; i < link->rows; i++) {
        link->hi[i] = random_in(seed, 0, 1);
        link->lo[i] = -random_in(seed, 0, 1);
        if (how->compliant)
            link->compliance[i] = pow(10, random_in(seed, -4, 0));
    }
}

// b from a random v0 that is strictly feasible.
static inline void set_right_sides(scene *s, uint64_t *seed) {
    double *v0 = malloc((size_t)s->bodies * 6 * sizeof *v0);
    for (int k = 0; k < 6 * s->bodies; k++)
        v0[k] = random_in(seed, -.3, .3);
    for (int k = 0; k < s->links; k++) {
        scene_link *link = &s->link[k];
        double slack[6] = {0};
        if (link->kind == FRICTION) {
            slack[1] = random_in(seed, -.1, .1);
            slack[2] = random_in(seed, -.1, .1);
            slack[0] = link->mu * hypot(slack[1], slack[2]) + random_in(seed, .01, .3);
            for (int i = 3; i < link->rows; i++) {
                slack[i] = random_in(seed, -.1, .1);
                slack[0] += fabs(slack[i]) * fmax(link->rolling, link->spinning);
            }
        } else if (link->kind == SMOOTH) {
            slack[0] = random_in(seed, .01, .3);
        }
        for (int i = 0; i < link->rows; i++) {
            link->b[i] = -slack[i];
            for (int a = 0; a < link->blocks; a++) {
                int dofs = s->body[link->block[a]].dofs;
                for (int j = 0; j < dofs; j++)
                    link->b[i] += link->J[a][i * dofs + j] * v0[6 * link->block[a] + j];
            }
        }
    }
    free(v0);
}

static inline scene make_random(const recipe *how) {
    scene s = {0};
    uint64_t seed = how->seed * 0x9e3779b97f4a7c15u + 17;
    for (int k = 0; k < how->bodies; k++)
        add_random_body(&s, how->dofs, &seed);
    for (int k = 0; k < how->friction; k++)
        add_random_contact(&s, FRICTION, how, &seed);
    for (int k = 0; k < how->smooth; k++)
        add_random_contact(&s, SMOOTH, how, &seed);
    for (int k = 0; k < how->joints; k++)
        add_random_rows(&s, JOINT, how, &seed);
    for (int k = 0; k < how->bounds; k++)
        add_random_rows(&s, BOUNDS, how, &seed);
    for (int k = 0; k < s.links && how->rolling > 0; k++)
        if (s.link[k].kind == FRICTION)
            add_rotation_rows(&s, &s.link[k], k & 2 ? how->rolling * random_in(&seed, .2, 1) : 0,
                              k & 1 ? how->rolling * random_in(&seed, .2, 1) : 0);
    set_right_sides(&s, &seed);
    return s;
}

// x <- H^-1 x of one body by Gauss elimination (H is definite: no pivoting).
static inline void solve_body(const scene_body *body, double *x) {
    int n = body->dofs;
    double A[36];
    memcpy(A, body->H, sizeof A);
    for (int k = 0; k < n; k++)
        for (int i = k + 1; i < n; i++) {
            double factor = A[i * n + k] / A[k * n + k];
            for (int j = k; j < n; j++)
                A[i * n + j] -= factor * A[k * n + j];
            x[i] -= factor * x[k];
        }
    for (int k = n - 1; k >= 0; k--) {
        for (int j = k + 1; j < n; j++)
            x[k] -= A[k * n + j] * x[j];
        x[k] /= A[k * n + k];
    }
}

#endif
