// What the tests of the parts of exact friction share: a problem taken apart into islands without a vs_solver, one
// island with all that a stage needs, problems from matrices, and dense linear algebra of our own to compare with.
#ifndef VS_TESTS_SOLVER_PARTS_H
#define VS_TESTS_SOLVER_PARTS_H

#include "exact.h"
#include "solver/coulomb/path/central_path.h"
#include "solver/coulomb/progress.h"
#include "solver/impulse/operator.h"
#include "solver/impulse/evaluation.h"
#include "solver/impulse/islands.h"

// ---- dense matrices, row-major -------------------------------------------------------------------------

static inline double *make_doubles(int64_t count) {
    return calloc((size_t)count + 1, sizeof(double));
}

// A (n x n) -> L U with row pivots; returns the sign of the determinant, 0 if singular.
static inline int dense_factor(int n, double *A, int *pivot) {
    int sign = 1;
    for (int k = 0; k < n; k++) {
        int p = k;
        for (int i = k + 1; i < n; i++)
            p = fabs(A[i * n + k]) > fabs(A[p * n + k]) ? i : p;
        pivot[k] = p;
        if (A[p * n + k] == 0)
            return 0;
        for (int j = 0; j < n && p != k; j++) {
            double swap = A[k * n + j];
            A[k * n + j] = A[p * n + j];
            A[p * n + j] = swap;
        }
        sign *= (p != k) != (A[k * n + k] < 0) ? -1 : 1;
        for (int i = k + 1; i < n; i++) {
            A[i * n + k] /= A[k * n + k];
            for (int j = k + 1; j < n; j++)
                A[i * n + j] -= A[i * n + k] * A[k * n + j];
        }
    }
    return sign;
}

static inline void dense_solve(int n, const double *A, const int *pivot, double *x) {
    for (int k = 0; k < n; k++) {
        double swap = x[k];
        x[k] = x[pivot[k]];
        x[pivot[k]] = swap;
    }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++)
            x[i] -= A[i * n + j] * x[j];
    for (int i = n - 1; i >= 0; i--) {
        for (int j = i + 1; j < n; j++)
            x[i] -= A[i * n + j] * x[j];
        x[i] /= A[i * n + i];
    }
}

static inline double norm_of(const double *x, int count) {
    double sum = 0;
    for (int k = 0; k < count; k++)
        sum += x[k] * x[k];
    return sqrt(sum);
}

// Row i of grouped rows as a dense vector x (cols), zeros where there is no entry.
static inline void dense_row(const vs_rows *A, int i, double *x) {
    memset(x, 0, sizeof *x * (size_t)A->cols);
    int g = 0;
    while (A->row[g + 1] <= i)
        g++;
    int64_t width = A->start[g + 1] - A->start[g];
    for (int64_t k = 0; k < width; k++)
        x[A->col[A->start[g] + k]] = A->x[A->value[g] + (i - A->row[g]) * width + k];
}

// ---- a hard scene ----------------------------------------------------------------------------------------

// Blocks (1 kg, 0.1 m) on a lattice over a floor, three contacts an interface whose points and normals scatter: more
// rows than velocities, and at mu = 0.7 most of these defeat Newton's method from rest.
static inline scene make_rubble(int nx, int ny, int nz, double mu, uint64_t seed) {
    scene s = {0};
    const double radius = .1, inertia = .4 * radius * radius;
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
            for (int point = 0; point < 3; point++) {
                double n[3], below[3], above[3];
                for (int j = 0; j < 3; j++) {
                    n[j] = j == axis ? 1 : random_in(&seed, -.3, .3);
                    below[j] = j == axis ? radius : random_in(&seed, -radius, radius);
                    above[j] = j == axis ? -radius : below[j];
                }
                double length = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
                for (int j = 0; j < 3; j++)
                    n[j] /= length;
                add_contact_at(&s, FRICTION, at == 0 ? -1 : k - stride[axis], k, n, below, above, mu);
            }
        }
    return s;
}

// Appends a scene; returns its first body.
static inline int append_scene(scene *s, const scene *other) {
    int first = s->bodies;
    for (int k = 0; k < other->bodies; k++)
        *add_body(s, other->body[k].dofs) = other->body[k];
    for (int k = 0; k < other->links; k++) {
        scene_link *link = add_link(s, FRICTION, 0);
        *link = other->link[k];
        for (int a = 0; a < link->blocks; a++)
            link->block[a] += first;
    }
    return first;
}

// ---- problems from matrices ------------------------------------------------------------------------------

// Compressed columns of the nonzeros of a dense matrix; room for all entries.
typedef struct columns {
    int64_t p[64];
    int i[64 * 64];
    double x[64 * 64];
} columns;

static inline vs_matrix_view view_columns(columns *c, const double *A, int rows, int cols) {
    for (int j = 0; j < cols; j++) {
        c->p[j + 1] = c->p[j];
        for (int i = 0; i < rows; i++)
            if (A[i * cols + j] != 0) {
                c->i[c->p[j + 1]] = i;
                c->x[c->p[j + 1]++] = A[i * cols + j];
            }
    }
    return (vs_matrix_view){.rows = rows, .cols = cols, .p = c->p, .i = c->i, .x = c->x};
}

// n = 20 velocities coupled along a band (one block: more than a body has), four contacts and two joint rows.
static inline vs_problem *make_general(vs_context *context, bool unsymmetric, uint64_t seed) {
    enum { N = 20, CONTACTS = 4, M = 3 * CONTACTS, JOINTS = 2 };
    static columns H_columns, D_columns, C_columns;
    static double H[N * N], Dt[N * M], Ct[N * JOINTS], c[N], b[M], b_e[JOINTS], E[M], mu[CONTACTS];
    memset(H, 0, sizeof H), memset(Dt, 0, sizeof Dt), memset(Ct, 0, sizeof Ct), memset(E, 0, sizeof E);
    for (int i = 0; i < N; i++) {
        H[i * N + i] = random_in(&seed, 2.5, 5);
        c[i] = random_in(&seed, -2, 2);
        for (int j = i + 1; j < N && j < i + 3; j++) {
            double even = random_in(&seed, -.5, .5), odd = unsymmetric ? random_in(&seed, -.4, .4) : 0;
            H[i * N + j] = even + odd;
            H[j * N + i] = even - odd;
        }
    }
    for (int k = 0; k < CONTACTS; k++) {
        mu[k] = random_in(&seed, .2, .8);
        E[3 * k] = k == 1 ? .05 : 0;
        for (int j = 3 * k; j < 3 * k + 3; j++) {
            b[j] = random_in(&seed, -.2, .2);
            for (int i = 4 * k; i < 4 * k + 6 && i < N; i++)
                Dt[i * M + j] = random_in(&seed, -1, 1);
        }
    }
    for (int j = 0; j < JOINTS; j++) {
        b_e[j] = random_in(&seed, -.2, .2);
        for (int i = 0; i < 5; i++)
            Ct[(3 * i + j) * JOINTS + j] = random_in(&seed, -1, 1);
    }
    vs_problem_global_def def = vs_problem_global_def_default();
    def.H = view_columns(&H_columns, H, N, N);
    def.Dt = view_columns(&D_columns, Dt, N, M);
    def.Ct = view_columns(&C_columns, Ct, N, JOINTS);
    def.c = c, def.b = b, def.b_e = b_e, def.E = E, def.mu = mu, def.contacts = CONTACTS;
    vs_problem *problem = NULL;
    if (vs_problem_from_global(context, &def, &problem))
        fail_msg("%s", vs_context_get_error_text(context));
    return problem;
}

// Five contacts; N has the blocks of a chain 0 - 1 - 2, of which (1, 0) and (2, 1) are missing: the pattern is
// unsymmetric, and so are the values. Contacts 3 and 4 are a pair by themselves; contact 4 has no friction.
static inline vs_problem *make_local(vs_context *context, uint64_t seed) {
    enum { CONTACTS = 5, M = 3 * CONTACTS };
    static columns N_columns;
    static double N[M * M], r[M];
    const double mu[CONTACTS] = {.3, .7, .5, .4, 0};
    memset(N, 0, sizeof N);
    for (int k = 0; k < CONTACTS; k++)
        for (int h = k; h <= k + 1 && h < CONTACTS; h++)
            for (int e = 0; e < 9 && !(k == 2 && h == 3); e++) {
                int i = 3 * k + e / 3, j = 3 * h + e % 3;
                N[i * M + j] = (i == j ? 2 : 0) + random_in(&seed, -.3, .3);
                if (k == 3 && h == 4)
                    N[j * M + i] = N[i * M + j];
            }
    for (int i = 0; i < M; i++)
        r[i] = random_in(&seed, -1, 1) - (i % 3 == 0);
    vs_problem_local_def def = vs_problem_local_def_default();
    def.N = view_columns(&N_columns, N, M, M);
    def.r = r, def.mu = mu, def.contacts = CONTACTS;
    vs_problem *problem = NULL;
    if (vs_problem_from_local(context, &def, &problem))
        fail_msg("%s", vs_context_get_error_text(context));
    return problem;
}

// Two contacts that pull each other in: y = N l + r with N not copositive has no solution, whatever the friction.
static inline vs_problem *make_unsolvable(vs_context *context) {
    static columns room;
    static double N[36];
    const double r[6] = {-1, .1, 0, -1, 0, .1}, mu[2] = {.5, .5};
    for (int k = 0; k < 6; k++)
        N[7 * k] = 1;
    N[3] = N[18] = -2;
    vs_problem_local_def def = vs_problem_local_def_default();
    def.N = view_columns(&room, N, 6, 6);
    def.r = r, def.mu = mu, def.contacts = 2;
    vs_problem *problem = NULL;
    assert_int_equal(vs_problem_from_local(context, &def, &problem), VS_OK);
    return problem;
}

// ---- a problem taken apart -------------------------------------------------------------------------------

typedef struct parts {
    vs_problem *problem; // owned
    vs_arena arena;
    vs_method_run run;
    vs_islands islands;
    vs_islands carried; // the same with carried velocities; empty if H is not in blocks
    double *dense;      // of small systems
    int *pivot;
    vs_counts counts;
} parts;

// Into islands of this form.
static inline parts *take_apart_in(vs_problem *problem, vs_form form) {
    parts *p = calloc(1, sizeof *p);
    vs_solver_options options = exact_options(1e-8);
    p->problem = problem;
    vs_arena_init(&p->arena, problem->context);
    assert_int_equal(vs_method_run_create(&p->run, problem, &options, &p->arena), VS_OK);
    assert_int_equal(vs_islands_create(&p->islands, &p->run.scaled, form, false, &p->arena), VS_OK);
    if (!problem->local && problem->block_diagonal)
        assert_int_equal(vs_islands_create(&p->carried, &p->run.scaled, VS_FORM_VELOCITY, false, &p->arena), VS_OK);
    p->dense = VS_NEW_ZERO(&p->arena, double, VS_ISLAND_SMALL *VS_ISLAND_SMALL);
    p->pivot = VS_NEW_ZERO(&p->arena, int, VS_ISLAND_SMALL);
    vs_method_run_begin(&p->run);
    return p;
}

static inline parts *take_apart(vs_problem *problem) {
    return take_apart_in(problem, VS_FORM_AUTO);
}

static inline parts *take_scene_apart(vs_context *context, const scene *s) {
    return take_apart(must_build(context, s));
}

static inline void put_away(parts *p) {
    vs_method_run_release(&p->run);
    vs_arena_release(&p->arena);
    vs_problem_destroy(p->problem);
    free(p);
}

// For systems in a form, with a backend or null.
static inline vs_linear_system_shared share_systems(parts *p, const char *backend) {
    return (vs_linear_system_shared){.backend = backend, .dense = p->dense, .pivot = p->pivot, .counts = &p->counts};
}

// The island of most rows.
static inline int largest_island(const parts *p) {
    int most = 0;
    for (int k = 1; k < p->islands.count; k++)
        most = p->islands.island[k].rows > p->islands.island[most].rows ? k : most;
    return most;
}

// ---- one island on its way to a solution -----------------------------------------------------------------

typedef struct trial {
    parts *p;
    vs_impulse_problem *island;
    vs_linear_system system;
    vs_progress progress; // from rest, by the energy error
} trial;

static inline void begin_trial(trial *t, parts *p, int k, double tolerance) {
    vs_impulse_problem *island = &p->islands.island[k];
    *t = (trial){.p = p, .island = island};
    vs_linear_system_shared shared = share_systems(p, NULL);
    vs_linear_system_init(&t->system, &shared, island);
    t->progress = (vs_progress){.island = island,
                                .unit = sqrt(island->unit_l[0] * island->unit_y[0]),
                                .system = &t->system,
                                .run = &p->run,
                                .tolerance = tolerance,
                                .start = VS_NEW_ZERO(&p->arena, double, island->rows),
                                .l = VS_NEW_ZERO(&p->arena, double, island->rows),
                                .y = VS_NEW_ZERO(&p->arena, double, island->rows),
                                .error = INFINITY,
                                .reason = ""};
    for (int j = 0; j < VS_PROGRESS_WORK; j++)
        t->progress.work[j] = VS_NEW_ZERO(&p->arena, double, island->rows);
    for (int j = 0; j < VS_PROGRESS_BLOCKS; j++)
        t->progress.blocks[j] = VS_NEW_ZERO(&p->arena, double, 9 * (int64_t)island->groups);
    vs_method_run_begin(&p->run);
}

static inline void end_trial(trial *t) {
    vs_linear_system_release(&t->system);
}

// What a progress keeps belongs together: y to l, the error to both.
static inline void check_kept(const trial *t) {
    const vs_progress *a = &t->progress;
    double *y = make_doubles(t->island->rows), scale = norm_of(t->island->r, t->island->rows);
    vs_impulse_velocities(t->island, a->l, y);
    // y may have been summed in steps: roundoff of the impulses and of what they cancel
    assert_all_near("y kept", a->y, y, t->island->rows, 1e-11 * (scale + norm_of(a->l, t->island->rows)));
    // infinite: set so by a test, and nothing was evaluated since
    assert_true(isinf(a->error) || a->error == vs_impulse_error(t->island, a->both, a->l, a->y));
    free(y);
}

// The error of the k-th iterate evaluated, of islands that are the whole problem.
static inline double judged_error(const trial *t, int k) {
    return sqrt(t->p->run.history[k].energy_error) / t->progress.unit;
}

// A solution by other means: the cascade; l in the island's rows. The problem is to be solvable.
static inline void solve_island_by_cascade(const parts *p, const vs_impulse_problem *island, double tolerance,
                                           double *l) {
    vs_solver_options options = exact_options(tolerance);
    outcome o = solve_problem(p->problem, &options);
    assert_converged("cascade", &o);
    double *g = make_doubles(o.m_e), *lambda = make_doubles(o.m);
    vs_scaled_g(&p->run.scaled, o.g, g);
    vs_scaled_lambda(&p->run.scaled, o.lambda, lambda);
    vs_impulse_gather(island, g, lambda, l);
    free(g), free(lambda);
    free_outcome(&o);
}

#endif
