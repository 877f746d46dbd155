// Directions of a scene's data, and the derivative of its solution by differences of problems that are solved again.
#ifndef VS_TESTS_SOLVER_DERIVATIVE_DIFFERENCES_H
#define VS_TESTS_SOLVER_DERIVATIVE_DIFFERENCES_H

#include "solver/exact.h"
#include "solver/families.h"
#include "solver/parts.h"
#include "voussoir/derivative.h"

// ---- directions ----------------------------------------------------------------------------------------

static inline double nudge(double x, double least, uint64_t *seed) {
    return x == 0 ? 0 : random_in(seed, -1, 1) * fmax(fabs(x), least);
}

// A random direction of every number of the scene: symmetric of H, equal rows stay equal only if they are constant. `fixed`:
// Jacobians and right-hand sides of contacts and joints stay as they are, so that redundant ones stay compatible.
static inline scene make_direction(const scene *s, bool fixed, uint64_t seed) {
    scene d = copy_scene(s);
    for (int k = 0; k < d.bodies; k++) {
        scene_body *body = &d.body[k];
        for (int i = 0; i < body->dofs; i++) {
            body->c[i] = nudge(body->c[i], .1, &seed);
            for (int j = 0; j <= i; j++) {
                const double size = .1 * sqrt(s->body[k].H[i * body->dofs + i] * s->body[k].H[j * body->dofs + j]);
                body->H[i * body->dofs + j] = body->H[j * body->dofs + i] = size * random_in(&seed, -1, 1);
            }
        }
    }
    for (int k = 0; k < d.links; k++) {
        scene_link *link = &d.link[k];
        const double keep = fixed ? 0 : 1;
        for (int i = 0; i < link->rows; i++) {
            link->b[i] = keep * nudge(link->b[i], .05, &seed);
            link->lo[i] = nudge(link->lo[i], 0, &seed);
            link->hi[i] = nudge(link->hi[i], 0, &seed);
            link->compliance[i] = keep * nudge(link->compliance[i], 0, &seed);
            for (int a = 0; a < link->blocks; a++)
                for (int j = 0; j < d.body[link->block[a]].dofs; j++) {
                    double *x = &link->J[a][i * d.body[link->block[a]].dofs + j];
                    *x = keep * nudge(*x, 0, &seed);
                }
        }
        link->mu = nudge(link->mu, 0, &seed);
        link->rolling = nudge(link->rolling, 0, &seed);
        link->spinning = nudge(link->spinning, 0, &seed);
    }
    return d;
}

// s + h d
static inline scene move_scene(const scene *s, const scene *d, double h) {
    scene moved = copy_scene(s);
    for (int k = 0; k < s->bodies; k++) {
        for (int i = 0; i < 36; i++)
            moved.body[k].H[i] += h * d->body[k].H[i];
        for (int i = 0; i < 6; i++)
            moved.body[k].c[i] += h * d->body[k].c[i];
    }
    for (int k = 0; k < s->links; k++) {
        scene_link *to = &moved.link[k];
        const scene_link *by = &d->link[k];
        for (int a = 0; a < to->blocks; a++)
            for (int i = 0; i < 36; i++)
                to->J[a][i] += h * by->J[a][i];
        for (int i = 0; i < 6; i++) {
            to->b[i] += h * by->b[i], to->lo[i] += h * by->lo[i], to->hi[i] += h * by->hi[i];
            to->compliance[i] += h * by->compliance[i];
        }
        to->mu += h * by->mu, to->rolling += h * by->rolling, to->spinning += h * by->spinning;
    }
    return moved;
}

// A dense matrix in compressed columns, every entry stored.
typedef struct full_columns {
    int64_t *p;
    int *i;
    double *x;
} full_columns;

static inline vs_matrix_view view_full(full_columns *to, int rows, int cols) {
    to->p = calloc((size_t)cols + 1, sizeof *to->p);
    to->i = calloc((size_t)rows * (size_t)cols + 1, sizeof *to->i);
    to->x = calloc((size_t)rows * (size_t)cols + 1, sizeof *to->x);
    for (int j = 0; j < cols; j++) {
        to->p[j + 1] = to->p[j] + rows;
        for (int i = 0; i < rows; i++)
            to->i[to->p[j] + i] = i;
    }
    return (vs_matrix_view){.rows = rows, .cols = cols, .p = to->p, .i = to->i, .x = to->x};
}

static inline void free_full(full_columns *c) {
    free(c->p), free(c->i), free(c->x);
}

// The direction in the form of the library.
typedef struct data_direction {
    vs_problem_direction data;
    full_columns H, Dt, Ct;
    double *c, *b, *b_e, *mu, *rolling, *spinning, *lo, *hi, *E, *E_e;
    int n, m, m_e, contacts;
} data_direction;

static inline void fill_link(data_direction *to, const scene *d, const scene_link *link, const int *first, int row) {
    const bool joint = link->kind == JOINT;
    full_columns *J = joint ? &to->Ct : &to->Dt;
    for (int i = 0; i < link->rows; i++) {
        (joint ? to->b_e : to->b)[row + i] = link->b[i];
        if (joint || link->kind == BOUNDS || i == 0)
            (joint ? to->E_e : to->E)[row + i] = link->compliance[i];
        if (link->kind == BOUNDS)
            to->lo[row + i] = link->lo[i], to->hi[row + i] = link->hi[i];
        for (int a = 0; a < link->blocks; a++)
            for (int j = 0, dofs = d->body[link->block[a]].dofs; j < dofs; j++)
                J->x[(int64_t)(row + i) * to->n + first[link->block[a]] + j] = link->J[a][i * dofs + j];
    }
}

static inline data_direction *express_direction(const vs_problem *problem, const scene *d) {
    const vs_problem_info info = vs_problem_get_info(problem);
    data_direction *to = calloc(1, sizeof *to);
    to->n = info.n, to->m = info.m, to->m_e = info.m_e, to->contacts = info.contacts;
    to->data.H = view_full(&to->H, info.n, info.n);
    to->data.Dt = view_full(&to->Dt, info.n, info.m);
    to->data.Ct = view_full(&to->Ct, info.n, info.m_e);
    to->data.c = to->c = make_doubles(info.n);
    to->data.b = to->b = make_doubles(info.m), to->data.b_e = to->b_e = make_doubles(info.m_e);
    to->data.mu = to->mu = make_doubles(info.contacts), to->data.rolling = to->rolling = make_doubles(info.contacts);
    to->data.spinning = to->spinning = make_doubles(info.contacts);
    to->data.lo = to->lo = make_doubles(info.m), to->data.hi = to->hi = make_doubles(info.m);
    to->data.E = to->E = make_doubles(info.m), to->data.E_e = to->E_e = make_doubles(info.m_e);
    int first[64] = {0};
    for (int k = 0; k < d->bodies; k++) {
        const int dofs = d->body[k].dofs;
        first[k + 1] = first[k] + dofs;
        for (int i = 0; i < dofs; i++) {
            to->c[first[k] + i] = d->body[k].c[i];
            for (int j = 0; j < dofs; j++)
                to->H.x[(int64_t)(first[k] + j) * info.n + first[k] + i] = d->body[k].H[i * dofs + j];
        }
    }
    for (int k = 0, contact = 0, row = 0, joint_row = 0; k < d->links; k++) {
        const scene_link *link = &d->link[k];
        fill_link(to, d, link, first, link->kind == JOINT ? joint_row : row);
        if (link->kind == JOINT) {
            joint_row += link->rows;
            continue;
        }
        to->mu[contact] = link->kind == FRICTION ? link->mu : 0;
        to->rolling[contact] = link->rolling, to->spinning[contact] = link->spinning;
        contact++, row += link->rows;
    }
    return to;
}

static inline void free_direction(data_direction *d) {
    free_full(&d->H), free_full(&d->Dt), free_full(&d->Ct);
    free(d->c), free(d->b), free(d->b_e), free(d->mu), free(d->rolling), free(d->spinning), free(d->lo), free(d->hi);
    free(d->E), free(d->E_e), free(d);
}

// ---- solutions -----------------------------------------------------------------------------------------

typedef struct point {
    bool solved;
    double *x;             // v, y, then g, lambda
    vs_row_status *status; // (m)
} point;

static inline void free_point(point *p) {
    free(p->x), free(p->status);
}

// The solution from a start, and its statuses.
static inline point solve_point(const vs_problem *problem, vs_model model, const outcome *start) {
    vs_solver_options options = exact_options(1e-13);
    options.model = model;
    vs_solver *solver = NULL;
    vs_result result;
    must(vs_solver_create(problem, &options, &solver), problem->context);
    if (start)
        must(vs_solver_warm_start(solver, start->v, start->g, start->lambda), problem->context);
    must(vs_solver_solve(solver, &result), problem->context);
    const int n = problem->local ? 0 : problem->n, m = problem->m, m_e = problem->m_e;
    point p = {.solved = result.measures.relative_error <= 1e-12, .x = make_doubles(n + 2 * m + m_e)};
    p.status = calloc((size_t)m + 1, sizeof *p.status);
    memcpy(p.x + n + m, result.g, (size_t)m_e * sizeof(double));
    memcpy(p.x + n + m + m_e, result.lambda, (size_t)m * sizeof(double));
    vs_derivative *derivative = NULL;
    const vs_derivative_options how = {.model = model, .border = 1e-9};
    must(vs_derivative_create(problem, &how, result.g, result.lambda, &derivative), problem->context);
    const vs_derivative_report report = vs_derivative_get_report(derivative);
    memcpy(p.x, report.v ? report.v : p.x, (size_t)n * sizeof(double));
    memcpy(p.x + n, report.y, (size_t)m * sizeof(double));
    memcpy(p.status, report.row, (size_t)m * sizeof *p.status);
    vs_derivative_destroy(derivative);
    vs_solver_destroy(solver);
    return p;
}

// ---- derivatives --------------------------------------------------------------------------------------

static inline vs_derivative *differentiate(const vs_problem *problem, vs_model model, double border, outcome *o) {
    vs_solver_options options = exact_options(1e-13);
    options.model = model;
    *o = solve_problem(problem, &options);
    vs_derivative *derivative = NULL;
    const vs_derivative_options how = {.model = model, .border = border};
    must(vs_derivative_create(problem, &how, o->g, o->lambda, &derivative), problem->context);
    return derivative;
}

// ---- vectors -------------------------------------------------------------------------------------------

static inline double distance(const double *a, const double *b, int count) {
    double sum = 0;
    for (int i = 0; i < count; i++)
        sum += b ? (a[i] - b[i]) * (a[i] - b[i]) : a[i] * a[i];
    return sqrt(sum);
}

static inline double random_dot(int count, const double *x, double *weights, double *size, uint64_t *seed) {
    double sum = 0;
    for (int i = 0; i < count; i++) {
        weights[i] = random_in(seed, -1, 1);
        sum += weights[i] * x[i];
        *size += fabs(weights[i] * x[i]);
    }
    return sum;
}

static inline double dot_of(int count, const double *a, const double *b, double *size) {
    double sum = 0;
    for (int i = 0; i < count; i++) {
        sum += a[i] * b[i];
        *size += fabs(a[i] * b[i]);
    }
    return sum;
}

// ---- transposition ---------------------------------------------------------------------------------------

// Gradients of the matrices by the formulas of the header, times their directions.
static inline double dot_of_matrices(const data_direction *d, const vs_derivative_report *r, const outcome *o,
                                     const vs_problem_gradient *q, double *size) {
    double sum = 0;
    const struct {
        const full_columns *A;
        int cols;
    } each[] = {{&d->H, d->n}, {&d->Dt, d->m}, {&d->Ct, d->m_e}};
    for (int k = 0; k < 3; k++)
        for (int j = 0; j < each[k].cols; j++)
            for (int i = 0; i < d->n; i++) {
                const double gradient[] = {q->c[i] * r->v[j < d->n ? j : 0],
                                           k == 1 ? -q->c[i] * o->lambda[j] - r->v[i] * q->b[j] : 0,
                                           k == 2 ? -q->c[i] * o->g[j] - r->v[i] * q->b_e[j] : 0};
                const double term = gradient[k] * each[k].A->x[(int64_t)j * d->n + i];
                sum += term;
                *size += fabs(term);
            }
    return sum;
}

// |weights'(T d) - (A weights)'d| relative to the size of the terms. x: T d
static inline double transposition_error(const vs_derivative *derivative, const data_direction *d, const outcome *o,
                                         const double *x, uint64_t seed) {
    const vs_derivative_report r = vs_derivative_get_report(derivative);
    const int n = d->n, m = d->m, m_e = d->m_e;
    double size = 0, *w = make_doubles(n + 2 * m + m_e), *q = make_doubles(n + 4 * m + 3 * d->contacts + m + 2 * m_e);
    const double left = random_dot(n + 2 * m + m_e, x, w, &size, &seed);
    vs_problem_gradient g = {.c = q, .b = q + n, .lo = q + n + m, .hi = q + n + 2 * m, .E = q + n + 3 * m};
    g.mu = g.E + m, g.rolling = g.mu + d->contacts, g.spinning = g.rolling + d->contacts;
    g.b_e = g.spinning + d->contacts, g.E_e = g.b_e + m_e;
    const vs_solution_direction weights = {.v = w, .y = w + n, .g = w + n + m, .lambda = w + n + m + m_e};
    assert_int_equal(vs_derivative_adjoint(derivative, &weights, &g, NULL), VS_OK);
    double right = dot_of(n, g.c, d->c, &size) + dot_of(m, g.b, d->b, &size) + dot_of(m, g.lo, d->lo, &size) +
                   dot_of(m, g.hi, d->hi, &size) + dot_of(m, g.E, d->E, &size) +
                   dot_of(d->contacts, g.mu, d->mu, &size) + dot_of(d->contacts, g.rolling, d->rolling, &size) +
                   dot_of(d->contacts, g.spinning, d->spinning, &size) + dot_of(m_e, g.b_e, d->b_e, &size) +
                   dot_of(m_e, g.E_e, d->E_e, &size);
    right += dot_of_matrices(d, &r, o, &g, &size);
    free(w), free(q);
    return size > 0 ? fabs(left - right) / size : 0;
}

// ---- cases -------------------------------------------------------------------------------------------------

static inline scene make_case(int id, uint64_t seed) {
    if (id % 3 != 2)
        return make_of_family(id, seed);
    recipe how = {.seed = seed, .bodies = 2 + id % 4, .dofs = 6, .friction = 2 + id % 7, .mu = .8, .rolling = .1};
    scene s = make_random(&how);
    for (int k = 0; k < s.links; k++)
        s.link[k].elliptic = id % 2 && s.link[k].rows > 3 && s.link[k].mu > 0;
    return s;
}

// Contacts or joints of the case are there twice.
static inline bool has_doubles(int id) {
    const int family = id % FAMILIES;
    return id % 3 != 2 && (family == CONTACTS_TWICE || family == JOINTS_TWICE || family == EVERYTHING);
}

// J; e0
static inline double energy_of(const vs_problem *p, vs_model model) {
    double *zero = make_doubles(p->m + p->m_e);
    vs_measurer *measurer = NULL;
    vs_measures measures;
    must(vs_measurer_create(p, model, &measurer), p->context);
    must(vs_measure(measurer, zero, zero, NULL, NULL, &measures), p->context);
    vs_measurer_destroy(measurer);
    free(zero);
    return measures.energy_scale;
}

// ---- problems from matrices ----------------------------------------------------------------------------

// c, b, r and mu of a problem moved by h of a random direction.
typedef struct vector_direction {
    double *c, *b, *r, *mu;
} vector_direction;

static inline vs_problem *move_problem(const vs_problem *p, const vector_direction *d, double h) {
    const vs_problem_vectors x = vs_problem_get_vectors(p);
    double *c = make_doubles(p->n), *b = make_doubles(p->m), *mu = make_doubles(p->contacts);
    for (int k = 0; k < p->n && x.c; k++)
        c[k] = x.c[k] + h * d->c[k];
    for (int k = 0; k < p->m; k++)
        b[k] = (p->local ? x.r[k] : x.b[k]) + h * (p->local ? d->r[k] : d->b[k]);
    for (int k = 0; k < p->contacts; k++)
        mu[k] = x.mu[k] + h * d->mu[k];
    vs_problem_change_def change = vs_problem_change_def_default();
    change.mu = mu;
    *(p->local ? &change.r : &change.b) = b;
    change.c = p->local ? NULL : c;
    vs_problem *moved = NULL;
    must(vs_problem_change(p, &change, &moved), p->context);
    free(c), free(b), free(mu);
    return moved;
}

static inline double *random_vector(const double *x, int count, double least, uint64_t *seed) {
    double *d = make_doubles(count);
    for (int k = 0; k < count && x; k++)
        d[k] = nudge(x[k], least, seed);
    return d;
}

// (x(h) - x(-h)) / 2h
static inline void difference_of(const vs_problem *p, const vector_direction *d, const outcome *o, double h,
                                 double *out, int size) {
    memset(out, 0, (size_t)size * sizeof *out);
    for (int k = 0; k < 2; k++) {
        vs_problem *moved = move_problem(p, d, k ? -h : h);
        point at = solve_point(moved, VS_MODEL_EXACT, o);
        for (int i = 0; i < size; i++)
            out[i] += at.x[i] / (k ? -2 * h : 2 * h);
        free_point(&at);
        vs_problem_destroy(moved);
    }
}

// Extrapolated from h and h / 2, for that h at which their velocities (the first `count`) agree best.
static inline void extrapolate(const vs_problem *p, const vector_direction *d, const outcome *o, int count,
                               double *best, int size) {
    double least = INFINITY, *wide = make_doubles(size), *half = make_doubles(size);
    for (double h = 1e-4; h > 5e-7; h /= 10) {
        difference_of(p, d, o, h, wide, size);
        difference_of(p, d, o, h / 2, half, size);
        const double spread = distance(wide, half, count);
        for (int i = 0; i < size && spread < least; i++)
            best[i] = (4 * half[i] - wide[i]) / 3;
        least = fmin(least, spread);
    }
    free(wide), free(half);
}

// |(v, y)| without impulses, m/s
static inline double free_speed(const vs_problem *p) {
    const int n = p->local ? 0 : p->n;
    double *x = make_doubles(n + p->m), *zero = make_doubles(p->m + p->m_e);
    vs_measurer *measurer = NULL;
    vs_measures measures;
    must(vs_measurer_create(p, VS_MODEL_EXACT, &measurer), p->context);
    must(vs_measure(measurer, zero, zero, n > 0 ? x : NULL, x + n, &measures), p->context);
    const double speed = distance(x, NULL, n + p->m);
    vs_measurer_destroy(measurer);
    free(x), free(zero);
    return speed;
}

typedef struct matrix_check {
    bool solved;                                        // to 1e-12
    double error, velocity_error, transposed, residual; // relative
    vs_derivative_report report;                        // arrays are gone
} matrix_check;

// A problem with a random direction of its vectors; errors relative to the derivative, at least 1 % of the free motion. NaN where
// there is nothing to compare: solutions that roundoff ended early, and contacts at borders.
static inline matrix_check check_vectors(const vs_problem *p, uint64_t seed) {
    outcome o;
    vs_derivative *derivative = differentiate(p, VS_MODEL_EXACT, 1e-6, &o);
    const vs_problem_vectors x = vs_problem_get_vectors(p);
    vector_direction d = {.c = random_vector(x.c, p->n, 0, &seed), .b = random_vector(x.b, p->m, 0, &seed)};
    d.r = random_vector(x.r, p->m, .1, &seed), d.mu = random_vector(x.mu, p->contacts, 0, &seed);
    const int n = p->local ? 0 : p->n, m = p->m, size = n + 2 * m + p->m_e;
    double *t = make_doubles(size), *w = make_doubles(size), *best = make_doubles(size), total = 0;
    const vs_solution_direction out = {.v = t, .y = t + n, .g = t + n + m, .lambda = t + n + m + p->m_e};
    const vs_solution_direction weights = {.v = w, .y = w + n, .g = w + n + m, .lambda = w + n + m + p->m_e};
    matrix_check found = {.error = NAN, .velocity_error = NAN, .report = vs_derivative_get_report(derivative)};
    const vs_problem_direction data = {.c = d.c, .b = d.b, .r = d.r, .mu = d.mu};
    must(vs_derivative_tangent(derivative, &data, &out, &found.residual), p->context);
    const double left = random_dot(size, t, w, &total, &seed);
    double *c = make_doubles(p->n), *b = make_doubles(m), *r = make_doubles(m), *mu = make_doubles(p->contacts);
    must(vs_derivative_adjoint(derivative, &weights, &(vs_problem_gradient){.c = c, .b = b, .r = r, .mu = mu}, NULL),
         p->context);
    const double right = dot_of(n, c, d.c, &total) + dot_of(m, b, d.b, &total) + dot_of(m, r, d.r, &total) +
                         dot_of(p->contacts, mu, d.mu, &total);
    found.transposed = fabs(left - right) / total;
    found.solved = found.report.measures.relative_error <= 1e-12;
    if (found.solved && found.report.borders == 0) {
        extrapolate(p, &d, &o, n + m, best, size);
        found.error = distance(t, best, size) / distance(best, NULL, size);
        found.velocity_error = distance(t, best, n + m) / fmax(distance(best, NULL, n + m), .01 * free_speed(p));
    }
    free(c), free(b), free(r), free(mu), free(t), free(w), free(best);
    free(d.c), free(d.b), free(d.r), free(d.mu);
    vs_derivative_destroy(derivative);
    free_outcome(&o);
    return found;
}

#endif
