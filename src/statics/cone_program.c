// The homogeneous embedding (Ye, Todd and Mizuno 1994) with Nesterov-Todd scaling and Mehrotra's predictor-corrector:
//
//     F1 = a y + G'z + c t          F2 = a'x - b t        F3 = G x + s - h t       F4 = k + c'x + b y + h'z
//
// A solution of F = 0 with s, z in L, t, k >= 0 always exists. t > 0: x/t, z/t are optimal; k > 0: x or z is a ray. Each
// step solves dF = -(1 - sigma) F and the linearized complementarity W dz + W^-1 ds = sum, k dt + t dk = ...
//
//     [    a  G'   ] [dx]   [r1        ]      [-c]
//     [a'          ] [dy] = [r2        ] + dt [ b]        dz = W^-2 (G dx - r3 + W sum - h dt)
//     [G      -W^2 ] [dz]   [r3 - W sum]      [ h]
//
// by the normal matrix S = G'W^-2 G, bordered by a, with refinement on the whole system.
#include "statics/cone_program.h"

#include <math.h>
#include <string.h>

#include "base/vector.h"
#include "cone/cone.h"
#include "statics/normal_matrix.h"

enum { MOST_ITERATIONS = 200, MOST_REFINEMENTS = 6, PATIENCE = 8, MOST_BALANCES = 6 };
static const double DELTA = 1e-14;     // regularization of S, relative
static const double TO_BOUNDARY = .99; // fraction of the step to the boundary
static const double REFINED = 1e-14;   // relative residual at which refinement ends
static const double LEAST_STEP = 1e-7; // a shorter step makes no progress
static const double BALANCED = 4e-16;  // relative residual that is rounding

// A vector of the linear system.
typedef struct direction {
    double *x, *z; // (n), (m)
    double y;
} direction;

// One iterate as the method returns it.
typedef struct point {
    double *x, *s, *z;
    double y, t, k;
} point;

struct vs_cone_program {
    vs_arena arena;
    vs_context *context;
    const vs_rows *G;
    int n, m, cones;
    vs_normal_matrix matrix;
    double *blocks; // (9 cones)
    vs_cone_pair *pair;
    point at, best[VS_PROGRAM_KINDS];   // one per kind of result
    direction p, q, d, residual, trial; // p: the column of t
    double *u;                          // (n) S^-1 a
    double au;                          // a'u
    double *ds, *sum, *dzt, *dst;       // (m)
    double *r1, *r3, *work_n, *work_m;
    const vs_program_data *data;
    double *zero_h; // (m)
};

static const vs_cone *cone_of(const vs_rows *G, int g) {
    return G->row[g + 1] - G->row[g] == 1 ? &vs_cone_nonneg : &vs_cone_second_order;
}

static const double *h_of(const vs_cone_program *p) {
    return p->data->h ? p->data->h : p->zero_h;
}

static void multiply(const vs_cone_program *p, double alpha, const double *x, double beta, double *y) {
    vs_rows_multiply(p->G, alpha, x, beta, y, p->context);
}

// ---- the linear system -------------------------------------------------------------------------------

// Blocks of W^-2.
static void fill_blocks(vs_cone_program *p) {
    for (int g = 0; g < p->cones; g++) {
        const vs_cone *cone = cone_of(p->G, g);
        double *B = p->blocks + 9 * (int64_t)g;
        for (int r = 0; r < cone->rows; r++) {
            double e[3] = {r == 0, r == 1, r == 2}, column[3];
            cone->apply(&p->pair[g], -2, e, column);
            for (int q = 0; q < cone->rows; q++)
                B[3 * q + r] = column[q];
        }
    }
}

static void apply_W(const vs_cone_program *p, int power, const double *x, double *out) {
    for (int g = 0; g < p->cones; g++)
        cone_of(p->G, g)->apply(&p->pair[g], power, x + p->G->row[g], out + p->G->row[g]);
}

// out = in + correction of the system, by S once.
static vs_error reduce(vs_cone_program *p, const double *rx, double ry, const double *rz, direction *out) {
    const double *a = p->data->a;
    apply_W(p, -2, rz, p->work_m);
    memcpy(p->work_n, rx, (size_t)p->n * sizeof *rx);
    vs_rows_multiply_t_add(p->G, 1, p->work_m, p->work_n);
    vs_error error = vs_normal_matrix_solve(&p->matrix, p->work_n);
    if (error)
        return error;
    double dy = 0;
    if (a) {
        dy = (vs_vector_dot(p->n, a, p->work_n) - ry) / p->au;
        for (int k = 0; k < p->n; k++)
            p->work_n[k] -= dy * p->u[k];
    }
    for (int k = 0; k < p->n; k++)
        out->x[k] += p->work_n[k];
    out->y += dy;
    memcpy(p->work_m, rz, (size_t)p->m * sizeof *rz);
    multiply(p, 1, p->work_n, -1, p->work_m);
    apply_W(p, -2, p->work_m, p->work_m);
    for (int k = 0; k < p->m; k++)
        out->z[k] += p->work_m[k];
    return VS_OK;
}

// r - K d and its largest entry relative to the parts that it is a difference of.
static double find_residual(vs_cone_program *p, const double *rx, double ry, const double *rz, const direction *d,
                            direction *r) {
    const double *a = p->data->a;
    double size_x = 0, size_z = 0, rest_x = 0, rest_z = 0;
    memset(r->x, 0, (size_t)p->n * sizeof *r->x);
    vs_rows_multiply_t_add(p->G, 1, d->z, r->x);
    for (int k = 0; k < p->n; k++) {
        const double force = r->x[k] + (a ? a[k] * d->y : 0);
        size_x = fmax(size_x, fmax(fabs(rx[k]), fabs(force)));
        r->x[k] = rx[k] - force;
        rest_x = fmax(rest_x, fabs(r->x[k]));
    }
    r->y = a ? ry - vs_vector_dot(p->n, a, d->x) : 0;
    apply_W(p, 2, d->z, p->work_m);
    for (int k = 0; k < p->m; k++)
        r->z[k] = rz[k] + p->work_m[k];
    multiply(p, -1, d->x, 1, r->z);
    for (int k = 0; k < p->m; k++) {
        size_z = fmax(size_z, fmax(fabs(rz[k]), fabs(p->work_m[k])));
        rest_z = fmax(rest_z, fabs(r->z[k]));
    }
    return fmax(fmax(size_x > 0 ? rest_x / size_x : 0, size_z > 0 ? rest_z / size_z : 0),
                fabs(r->y) / (fabs(ry) + 1e-300 + (ry == 0)));
}

// Solves K d = r with refinement: the best iterate is kept.
static vs_error solve(vs_cone_program *p, const double *rx, double ry, const double *rz, direction *d) {
    memset(d->x, 0, (size_t)p->n * sizeof *d->x);
    memset(d->z, 0, (size_t)p->m * sizeof *d->z);
    d->y = 0;
    vs_error error = reduce(p, rx, ry, rz, d);
    double least = error ? 0 : find_residual(p, rx, ry, rz, d, &p->residual);
    for (int k = 0; k < MOST_REFINEMENTS && !error && least > REFINED; k++) {
        memcpy(p->trial.x, d->x, (size_t)p->n * sizeof *d->x);
        memcpy(p->trial.z, d->z, (size_t)p->m * sizeof *d->z);
        p->trial.y = d->y;
        error = reduce(p, p->residual.x, p->residual.y, p->residual.z, &p->trial);
        const double now = error ? 0 : find_residual(p, rx, ry, rz, &p->trial, &p->residual);
        if (!(now < least))
            break;
        const direction other = *d;
        *d = p->trial;
        p->trial = other;
        if (now > .5 * least)
            break;
        least = now;
    }
    return error;
}

static vs_error factor(vs_cone_program *p) {
    fill_blocks(p);
    vs_error error = vs_normal_matrix_factor(&p->matrix, p->blocks, DELTA);
    if (error || !p->data->a)
        return error;
    memcpy(p->u, p->data->a, (size_t)p->n * sizeof *p->u);
    error = vs_normal_matrix_solve(&p->matrix, p->u);
    p->au = vs_vector_dot(p->n, p->data->a, p->u);
    return error || p->au > 0 ? error : VS_ERROR_NUMERICAL;
}

// ---- iterates ----------------------------------------------------------------------------------------

static void read_pairs(vs_cone_program *p) {
    for (int g = 0; g < p->cones; g++)
        for (int r = p->G->row[g], k = 0; r < p->G->row[g + 1]; r++, k++) {
            p->at.z[r] = p->pair[g].lambda[k];
            p->at.s[r] = p->pair[g].y[k];
        }
}

static void start(vs_cone_program *p) {
    static const double e[3] = {1, 0, 0};
    for (int g = 0; g < p->cones; g++)
        (void)cone_of(p->G, g)->set(&p->pair[g], e, e);
    memset(p->at.x, 0, (size_t)p->n * sizeof *p->at.x);
    p->at.y = 0;
    p->at.t = p->at.k = 1;
    read_pairs(p);
}

typedef struct residuals {
    double r2, r4;         // r1, r3 are vectors of the program
    double n1, n3;         // largest entries of F1, F3
    double cx, by, hz;     // c'x, b y, h'z
    double size_c, size_h; // 1 + largest entries
    double ax;             // a'x
} residuals;

// r = -F.
static residuals evaluate(vs_cone_program *p) {
    const point *v = &p->at;
    const double *h = h_of(p), *c = p->data->c, *a = p->data->a;
    residuals r = {.size_c = 1, .size_h = 1};
    memset(p->r1, 0, (size_t)p->n * sizeof *p->r1);
    vs_rows_multiply_t_add(p->G, -1, v->z, p->r1);
    for (int k = 0; k < p->n; k++) {
        p->r1[k] -= c[k] * v->t + (a ? a[k] * v->y : 0);
        r.n1 = fmax(r.n1, fabs(p->r1[k]));
        r.size_c = fmax(r.size_c, fabs(c[k]));
    }
    for (int k = 0; k < p->m; k++) {
        p->r3[k] = h[k] * v->t - v->s[k];
        r.size_h = fmax(r.size_h, fabs(h[k]));
    }
    multiply(p, -1, v->x, 1, p->r3);
    for (int k = 0; k < p->m; k++)
        r.n3 = fmax(r.n3, fabs(p->r3[k]));
    r.ax = a ? vs_vector_dot(p->n, a, v->x) : 0;
    r.cx = vs_vector_dot(p->n, c, v->x);
    r.by = a ? p->data->b * v->y : 0;
    r.hz = vs_vector_dot(p->m, h, v->z);
    r.r2 = a ? p->data->b * v->t - r.ax : 0;
    r.r4 = -(v->k + r.cx + r.by + r.hz);
    return r;
}

// How good the iterate is as a solution and as either ray: relative errors, by vs_program_status.
static void rate(const vs_cone_program *p, const residuals *r, double error[VS_PROGRAM_KINDS]) {
    const double t = p->at.t, value = -(r->by + r->hz), *h = h_of(p);
    const double gap = fabs(r->cx + r->by + r->hz) / (t + fabs(r->cx));
    double n1 = 0, n3 = 0; // of a y + G'z and G x + s, without c t and h t
    for (int k = 0; k < p->n; k++)
        n1 = fmax(n1, fabs(p->r1[k] + p->data->c[k] * t));
    for (int k = 0; k < p->m; k++)
        n3 = fmax(n3, fabs(p->r3[k] - h[k] * t));
    error[VS_PROGRAM_OPTIMAL] = fmax(fmax(r->n1 / (t * r->size_c), fmax(r->n3, fabs(r->r2)) / (t * r->size_h)), gap);
    error[VS_PROGRAM_RAY_X] = r->cx < 0 ? fmax(n3, fabs(r->ax)) / -r->cx : (double)INFINITY;
    error[VS_PROGRAM_RAY_Z] = value > 0 ? n1 / value : (double)INFINITY;
}

static double mean_gap(const vs_cone_program *p) {
    double sum = p->at.t * p->at.k;
    for (int g = 0; g < p->cones; g++)
        sum += p->pair[g].gap;
    return sum / (p->cones + 1);
}

// ---- a step ------------------------------------------------------------------------------------------

typedef struct step {
    double sigma, mu;
    double dt, dk, length;
} step;

// sum = z \ (sigma mu e - z o z - corrector), W sum as the right-hand side of the third row.
static void aim(vs_cone_program *p, const step *s, bool corrector) {
    for (int g = 0; g < p->cones; g++) {
        const vs_cone *cone = cone_of(p->G, g);
        const vs_cone_pair *pair = &p->pair[g];
        const int row = p->G->row[g];
        double rest[3] = {0, 0, 0}, product[3] = {0, 0, 0};
        cone->product(pair->z, pair->z, rest);
        if (corrector)
            cone->product(p->dzt + row, p->dst + row, product);
        for (int k = 0; k < cone->rows; k++)
            rest[k] = (k == 0 ? s->sigma * s->mu : 0) - rest[k] - product[k];
        cone->divide(pair, rest, p->sum + row);
    }
}

// Largest step that keeps all inside, at most 1.
static double longest(const vs_cone_program *p, double dt, double dk) {
    double length = 1;
    for (int g = 0; g < p->cones; g++) {
        const vs_cone *cone = cone_of(p->G, g);
        length = cone->step(&p->pair[g], p->dzt + p->G->row[g], length);
        length = cone->step(&p->pair[g], p->dst + p->G->row[g], length);
    }
    if (p->at.t + length * dt < 0)
        length = -p->at.t / dt;
    if (p->at.k + length * dk < 0)
        length = -p->at.k / dk;
    return length;
}

static vs_error find_direction(vs_cone_program *p, const residuals *r, step *s, bool corrector) {
    const double *h = h_of(p), *c = p->data->c, rest = 1 - s->sigma, t = p->at.t, k = p->at.k;
    const double product = corrector ? s->dt * s->dk : 0;
    aim(p, s, corrector);
    apply_W(p, 1, p->sum, p->ds);
    for (int i = 0; i < p->m; i++)
        p->ds[i] = rest * p->r3[i] - p->ds[i];
    for (int i = 0; i < p->n; i++)
        p->d.x[i] = rest * p->r1[i];
    // p->d.x is input and p->q output; both are vectors of their own.
    vs_error error = solve(p, p->d.x, rest * r->r2, p->ds, &p->q);
    if (error)
        return error;
    const double b = p->data->a ? p->data->b : 0, k0 = (s->sigma * s->mu - k * t - product) / t;
    const double of_q = vs_vector_dot(p->n, c, p->q.x) + b * p->q.y + vs_vector_dot(p->m, h, p->q.z);
    const double of_p = vs_vector_dot(p->n, c, p->p.x) + b * p->p.y + vs_vector_dot(p->m, h, p->p.z);
    s->dt = (rest * r->r4 - k0 - of_q) / (of_p - k / t);
    s->dk = k0 - k / t * s->dt;
    for (int i = 0; i < p->n; i++)
        p->d.x[i] = p->q.x[i] + s->dt * p->p.x[i];
    p->d.y = p->q.y + s->dt * p->p.y;
    // ds = W sum - W^2 dz, in the scaled space
    for (int i = 0; i < p->m; i++)
        p->d.z[i] = p->q.z[i] + s->dt * p->p.z[i];
    for (int i = 0; i < p->m; i++)
        p->ds[i] = rest * p->r3[i] + s->dt * h[i];
    multiply(p, -1, p->d.x, 1, p->ds);
    for (int g = 0; g < p->cones; g++) {
        const int row = p->G->row[g];
        cone_of(p->G, g)->direct(&p->pair[g], p->d.z + row, p->ds + row, p->sum + row, p->dzt + row, p->dst + row);
    }
    s->length = longest(p, s->dt, s->dk);
    return isfinite(s->dt) && isfinite(s->length) ? VS_OK : VS_ERROR_NUMERICAL;
}

static bool move(vs_cone_program *p, const step *s) {
    const double length = s->length;
    for (int g = 0; g < p->cones; g++) {
        const int row = p->G->row[g];
        if (!cone_of(p->G, g)->advance(&p->pair[g], length, p->dzt + row, length, p->dst + row))
            return false;
    }
    for (int i = 0; i < p->n; i++)
        p->at.x[i] += length * p->d.x[i];
    p->at.y += length * p->d.y;
    p->at.t += length * s->dt;
    p->at.k += length * s->dk;
    read_pairs(p);
    return p->at.t > 0 && p->at.k > 0;
}

// Factors, predicts, corrects, moves. VS_ERROR_NUMERICAL: no further progress.
static vs_error take_step(vs_cone_program *p, const residuals *r) {
    step s = {.mu = mean_gap(p)};
    vs_error error = factor(p);
    if (!error) {
        for (int i = 0; i < p->n; i++)
            p->d.x[i] = -p->data->c[i];
        error = solve(p, p->d.x, p->data->a ? p->data->b : 0, h_of(p), &p->p);
    }
    if (!error)
        error = find_direction(p, r, &s, false);
    if (error)
        return error;
    const double left = 1 - s.length;
    s.sigma = fmax(left * left * left, 1e-6);
    error = find_direction(p, r, &s, true);
    s.length *= TO_BOUNDARY;
    if (!error && (s.length < LEAST_STEP || !move(p, &s)))
        error = VS_ERROR_NUMERICAL;
    return error;
}

// ---- the iteration -----------------------------------------------------------------------------------

static void keep(vs_cone_program *p, point *best) {
    memcpy(best->x, p->at.x, (size_t)p->n * sizeof *p->at.x);
    memcpy(best->s, p->at.s, (size_t)p->m * sizeof *p->at.s);
    memcpy(best->z, p->at.z, (size_t)p->m * sizeof *p->at.z);
    best->y = p->at.y;
    best->t = p->at.t;
    best->k = p->at.k;
}

// Keeps the iterate for each kind of result that it is the best of; the best kind is the status.
static void compare(vs_cone_program *p, const residuals *r, double least[VS_PROGRAM_KINDS], vs_program_result *result) {
    double error[VS_PROGRAM_KINDS];
    rate(p, r, error);
    for (int k = 0; k < VS_PROGRAM_KINDS; k++) {
        if (error[k] < least[k]) {
            least[k] = error[k];
            keep(p, &p->best[k]);
        }
        if (least[k] < result->error) {
            result->error = least[k];
            result->status = (vs_program_status)k;
        }
    }
}

// The best iterate, divided by t, or scaled as a ray.
static void conclude(vs_cone_program *p, vs_program_result *result) {
    point *v = &p->best[result->status];
    const double *h = h_of(p), b = p->data->a ? p->data->b : 0;
    const double cx = vs_vector_dot(p->n, p->data->c, v->x), bh = b * v->y + vs_vector_dot(p->m, h, v->z);
    const double divisor = result->status == VS_PROGRAM_RAY_X ? -cx : result->status == VS_PROGRAM_RAY_Z ? -bh : v->t;
    for (int i = 0; i < p->n; i++)
        v->x[i] /= divisor;
    for (int i = 0; i < p->m; i++) {
        v->s[i] /= divisor;
        v->z[i] /= divisor;
    }
    v->y /= divisor;
    result->x = v->x;
    result->s = v->s;
    result->z = v->z;
    result->y = v->y;
    result->primal = cx / divisor;
    result->dual = -bh / divisor;
}

vs_error vs_cone_program_solve(vs_cone_program *p, const vs_program_data *data, double tolerance,
                               vs_program_result *result) {
    double least[VS_PROGRAM_KINDS], reached = (double)INFINITY;
    vs_error error = VS_OK;
    p->data = data;
    *result = (vs_program_result){.error = (double)INFINITY};
    for (int k = 0; k < VS_PROGRAM_KINDS; k++)
        least[k] = (double)INFINITY;
    start(p);
    for (int since = 0; result->iterations < MOST_ITERATIONS && since < PATIENCE && !error; result->iterations++) {
        const residuals r = evaluate(p);
        compare(p, &r, least, result);
        if (result->error <= tolerance)
            break;
        const double gap = mean_gap(p);
        since = gap < .9 * reached ? 0 : since + 1;
        reached = fmin(reached, gap);
        error = take_step(p, &r);
    }
    if (error == VS_ERROR_NUMERICAL)
        error = VS_OK;
    if (!isfinite(result->error))
        keep(p, &p->best[result->status]);
    conclude(p, result);
    p->data = NULL;
    return error;
}

// ---- balance -----------------------------------------------------------------------------------------

// Blocks of the quadratic representation P(z): z^2, or 2 z z' - det(z) J.
static bool fill_metric(vs_cone_program *p, const double *z) {
    for (int g = 0; g < p->cones; g++) {
        const vs_cone *cone = cone_of(p->G, g);
        const double *x = z + p->G->row[g];
        double *B = p->blocks + 9 * (int64_t)g;
        const double margin = cone->margin(x);
        if (!(margin > 0))
            return false;
        if (cone->rows == 1) {
            B[0] = x[0] * x[0];
            continue;
        }
        const double det = margin * (2 * x[0] - margin);
        for (int r = 0; r < 3; r++)
            for (int q = 0; q < 3; q++)
                B[3 * r + q] = 2 * x[r] * x[q] - (r == q ? (r == 0 ? det : -det) : 0);
    }
    return true;
}

// Adds P(z) G u to z. False, z unchanged: that would leave L.
static bool shift(vs_cone_program *p, const double *u, double *z) {
    multiply(p, 1, u, 0, p->work_m);
    for (int g = 0; g < p->cones; g++) {
        const vs_cone *cone = cone_of(p->G, g);
        const int row = p->G->row[g];
        const double *B = p->blocks + 9 * (int64_t)g;
        double moved[3] = {0, 0, 0};
        for (int r = 0; r < cone->rows; r++) {
            moved[r] = z[row + r];
            for (int q = 0; q < cone->rows; q++)
                moved[r] += B[3 * r + q] * p->work_m[row + q];
        }
        if (!(cone->margin(moved) > 0))
            return false;
        memcpy(p->sum + row, moved, (size_t)cone->rows * sizeof *moved);
    }
    memcpy(z, p->sum, (size_t)p->m * sizeof *z);
    return true;
}

vs_error vs_cone_program_balance(vs_cone_program *p, const double *target, double *z, bool *inside) {
    double least = (double)INFINITY;
    *inside = fill_metric(p, z);
    vs_error error = *inside ? vs_normal_matrix_factor(&p->matrix, p->blocks, DELTA) : VS_OK;
    for (int round = 0; round < MOST_BALANCES && *inside && !error; round++) {
        double rest = 0, size = 0;
        memcpy(p->r1, target, (size_t)p->n * sizeof *target);
        vs_rows_multiply_t_add(p->G, -1, z, p->r1);
        for (int k = 0; k < p->n; k++) {
            rest = fmax(rest, fabs(p->r1[k]));
            size = fmax(size, fabs(target[k]));
        }
        if (!(rest < .5 * least) || rest <= BALANCED * size)
            break;
        least = rest;
        error = vs_normal_matrix_solve(&p->matrix, p->r1);
        if (!error)
            *inside = shift(p, p->r1, z);
    }
    if (error == VS_ERROR_NUMERICAL) {
        *inside = false;
        error = VS_OK;
    }
    return error;
}

vs_error vs_cone_program_correct(vs_cone_program *p, double *rest, double *dz) {
    const vs_error error = vs_normal_matrix_solve(&p->matrix, rest);
    if (error)
        return error;
    multiply(p, 1, rest, 0, p->work_m);
    for (int g = 0; g < p->cones; g++) {
        const int row = p->G->row[g], rows = p->G->row[g + 1] - row;
        for (int r = 0; r < rows; r++) {
            dz[row + r] = 0;
            for (int q = 0; q < rows; q++)
                dz[row + r] += p->blocks[9 * (int64_t)g + 3 * r + q] * p->work_m[row + q];
        }
    }
    return VS_OK;
}

// ---- memory ------------------------------------------------------------------------------------------

static bool allocate_direction(vs_cone_program *p, direction *d) {
    d->x = VS_NEW_ZERO(&p->arena, double, p->n);
    d->z = VS_NEW_ZERO(&p->arena, double, p->m);
    return d->x && d->z;
}

static bool allocate_point(vs_cone_program *p, point *v) {
    v->x = VS_NEW_ZERO(&p->arena, double, p->n);
    v->s = VS_NEW_ZERO(&p->arena, double, p->m);
    v->z = VS_NEW_ZERO(&p->arena, double, p->m);
    return v->x && v->s && v->z;
}

static bool allocate(vs_cone_program *p) {
    double **of_n[] = {&p->u, &p->r1, &p->work_n},
           **of_m[] = {&p->ds, &p->sum, &p->dzt, &p->dst, &p->r3, &p->work_m, &p->zero_h};
    direction *of_system[] = {&p->p, &p->q, &p->d, &p->residual, &p->trial};
    bool made = allocate_point(p, &p->at);
    for (int k = 0; k < VS_PROGRAM_KINDS; k++)
        made = allocate_point(p, &p->best[k]) && made;
    for (size_t k = 0; k < sizeof of_system / sizeof of_system[0]; k++)
        made = allocate_direction(p, of_system[k]) && made;
    for (size_t k = 0; k < sizeof of_n / sizeof of_n[0]; k++)
        made = (*of_n[k] = VS_NEW_ZERO(&p->arena, double, p->n)) && made;
    for (size_t k = 0; k < sizeof of_m / sizeof of_m[0]; k++)
        made = (*of_m[k] = VS_NEW_ZERO(&p->arena, double, p->m)) && made;
    p->blocks = VS_NEW_ZERO(&p->arena, double, 9 * (int64_t)p->cones);
    p->pair = VS_NEW_ZERO(&p->arena, vs_cone_pair, p->cones);
    return made && p->blocks && p->pair;
}

vs_error vs_cone_program_create(vs_context *context, const vs_rows *G, vs_cone_program **program) {
    *program = NULL;
    vs_cone_program *p = vs_allocate(context, sizeof *p);
    if (!p)
        return vs_fail_memory(context);
    *p = (vs_cone_program){.context = context, .G = G, .n = G->cols, .m = G->rows, .cones = G->groups};
    vs_arena_init(&p->arena, context);
    vs_error error = allocate(p) ? vs_normal_matrix_init(&p->matrix, G, &p->arena) : VS_ERROR_MEMORY;
    if (error) {
        vs_cone_program_destroy(p);
        return error;
    }
    *program = p;
    return VS_OK;
}

void vs_cone_program_destroy(vs_cone_program *p) {
    if (!p)
        return;
    vs_normal_matrix_release(&p->matrix);
    vs_arena_release(&p->arena);
    vs_release(p->context, p);
}
