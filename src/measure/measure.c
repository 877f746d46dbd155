// Every error measure of a pair of impulses (g, l), on unscaled data (theory.md sections 1 and 3):
//
//     v = H^-1 (C'g + D'l - c),   y = D v - b + E l   (local form: y = N l + r),   r_e = C v - b_e + E_e g
//
// so that only joints, cones and complementarity can be wrong. The duality gap, primal minus dual objective, is with
// this v the sum y'l + g'r_e + v'r_d term by term (r_d the impulse balance, roundoff), and is summed in that form:
// subtracting the objectives would leave the roundoff of 1/2 v'H v. A box row adds (x - lo) w+ + (hi - x) w-.
//
// Fischer-Burmeister and natural residual see a friction contact as three rows with bounds, tangential ones
// +- mu l_n, as the literature does: they vanish at a sliding contact only if it slides along a tangent axis.
#include "measure/measurer.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <string.h>

#include "measure/residual.h"

struct vs_measurer {
    vs_arena arena; // holds the measurer's arrays, not the measurer
    const vs_problem *problem;
    vs_model model;
    vs_mass mass;          // unused in the local form
    vs_energy_scale scale; // a
    double *v;             // (n) m/s
    double *y;             // (m) m/s
    double *r_e;           // (m_e) m/s
    double *r_d, *w_d;     // (n) C'g + D'l - c and, once all is measured, H v - that; N s. H^-1 r_d
    double *r;             // (m) y of g = 0, l = 0; m/s
    double *wide;          // (columns of N) work: impulses with those of ghosts, local form over ranks
    double free_norm;      // |(r, r_e)| of g = 0, l = 0; m/s
    double free_energy;    // e0; J. 0 if it is no more than rounding
    double rounding;       // J; what the rounding of the free velocities may cause; 0 unless e0 is tiny
    double free_map;       // natural_map_relative of g = 0, l = 0
};

// What is summed over the contacts: what decides, and all the rest.
typedef struct error_sums {
    double energy;      // J
    double natural_map; // squares
} error_sums;

typedef struct contact_sums {
    double natural;         // squares
    double fischer;         // squares
    double complementarity; // J
    double cone, dual;      // N s, m/s; largest distances
} contact_sums;

// ---- from impulses to velocities -------------------------------------------------------------------

// g, l null mean zero. Sets v, y, r_e and, to C'g + D'l - c, r_d.
static vs_error recompute(vs_measurer *s, const double *g, const double *l) {
    const vs_problem *p = s->problem;
    if (p->local) {
        memcpy(s->y, p->r, (size_t)p->m * sizeof *s->y);
        if (!l)
            return VS_OK;
        if (p->ranks) {
            memcpy(s->wide, l, (size_t)p->m * sizeof *l);
            vs_ranks_begin(p->ranks, p->N.cols, s->wide);
            vs_ranks_share(p->ranks, s->wide);
        }
        vs_sparse_multiply(&p->N, 1.0, p->ranks ? s->wide : l, 1.0, s->y);
        return VS_OK;
    }

    for (int j = 0; j < p->n; j++)
        s->r_d[j] = -p->c[j];
    vs_ranks_begin(p->ranks, p->n, s->r_d);
    if (g && p->m_e > 0)
        vs_rows_multiply_t_add(&p->C, 1.0, g, s->r_d);
    if (l && p->m > 0)
        vs_rows_multiply_t_add(&p->D, 1.0, l, s->r_d);
    vs_ranks_share(p->ranks, s->r_d);
    memcpy(s->v, s->r_d, (size_t)p->n * sizeof *s->v);
    vs_error error = vs_mass_solve(&s->mass, s->v);
    if (error)
        return error;

    if (p->m > 0)
        vs_rows_multiply(&p->D, 1.0, s->v, 0.0, s->y, p->context);
    for (int k = 0; k < p->m; k++)
        s->y[k] += (l && p->E ? p->E[k] * l[k] : 0.0) - p->b[k];
    if (p->m_e > 0)
        vs_rows_multiply(&p->C, 1.0, s->v, 0.0, s->r_e, p->context);
    for (int k = 0; k < p->m_e; k++)
        s->r_e[k] += (g && p->E_e ? p->E_e[k] * g[k] : 0.0) - p->b_e[k];
    return VS_OK;
}

// ---- contacts --------------------------------------------------------------------------------------

static double distance(const double *x, const double *p) {
    return sqrt((x[0] - p[0]) * (x[0] - p[0]) + (x[1] - p[1]) * (x[1] - p[1]) + (x[2] - p[2]) * (x[2] - p[2]));
}

// What must be in the dual cone: y, exact model: with mu |y_T| added to its normal component.
static void shift(vs_model model, double mu, const double *y, double *ybar) {
    ybar[0] = model == VS_MODEL_EXACT ? y[0] + mu * sqrt(y[1] * y[1] + y[2] * y[2]) : y[0];
    ybar[1] = y[1];
    ybar[2] = y[2];
}

static error_sums sum_errors(const vs_measurer *s, const double *l) {
    const vs_problem *p = s->problem;
    error_sums t = {0};
    for (int i = 0; i < p->contacts; i++) {
        int begin = p->row[i], end = p->row[i + 1];
        if (p->kind[i] == VS_CONE_SECOND_ORDER) {
            double mu = s->model == VS_MODEL_FRICTIONLESS ? 0.0 : p->mu[i], a = s->scale.contact[i], ybar[3];
            shift(s->model, mu, s->y + begin, ybar);
            t.energy += 0.5 * a * vs_friction_natural_squared(mu, l + begin, ybar, 1.0 / a);
            t.natural_map += vs_friction_natural_squared(mu, l + begin, ybar, 1.0);
            continue;
        }
        bool box = p->kind[i] == VS_CONE_BOX;
        for (int k = begin; k < end; k++) {
            double lo = box ? p->lo[k] : 0.0, hi = box ? p->hi[k] : INFINITY;
            double map = vs_row_natural(l[k], s->y[k], lo, hi);
            t.energy += vs_row_energy(s->scale.row[k], l[k], s->y[k], lo, hi);
            t.natural_map += map * map;
        }
    }
    return t;
}

static void add_row(contact_sums *t, double x, double w, double lo, double hi) {
    double natural = vs_row_natural_residual(x, w, lo, hi), fischer = vs_row_fischer_burmeister(x, w, lo, hi);
    t->natural += natural * natural;
    t->fischer += fischer * fischer;
    t->cone = fmax(t->cone, fmax(lo - x, x - hi));
    if (isinf(hi)) {
        t->complementarity += x * w;
        t->dual = fmax(t->dual, -w);
    } else {
        t->complementarity += (x - lo) * fmax(w, 0.0) + (hi - x) * fmax(-w, 0.0);
    }
}

static void add_friction(contact_sums *t, vs_model model, double mu, const double *l, const double *y) {
    double ybar[3], p[3];
    shift(model, mu, y, ybar);
    t->natural += vs_friction_natural_squared(mu, l, ybar, 1.0);
    t->complementarity += ybar[0] * l[0] + ybar[1] * l[1] + ybar[2] * l[2];
    vs_friction_project(mu, l, p);
    t->cone = fmax(t->cone, distance(l, p));
    vs_friction_project_dual(mu, ybar, p);
    t->dual = fmax(t->dual, distance(ybar, p));
    t->fischer += vs_friction_fischer_burmeister_squared(mu, l, ybar);
}

static contact_sums sum_contacts(const vs_measurer *s, const double *l) {
    const vs_problem *p = s->problem;
    contact_sums t = {0};
    for (int i = 0; i < p->contacts; i++) {
        int begin = p->row[i], end = p->row[i + 1];
        if (p->kind[i] == VS_CONE_SECOND_ORDER) {
            double mu = s->model == VS_MODEL_FRICTIONLESS ? 0.0 : p->mu[i];
            add_friction(&t, s->model, mu, l + begin, s->y + begin);
            continue;
        }
        bool box = p->kind[i] == VS_CONE_BOX;
        for (int k = begin; k < end; k++)
            add_row(&t, l[k], s->y[k], box ? p->lo[k] : 0.0, box ? p->hi[k] : INFINITY);
    }
    return t;
}

static double dot(int n, const double *x, const double *y) {
    double sum = 0.0;
    for (int k = 0; k < n; k++)
        sum += x[k] * y[k];
    return sum;
}

// |x|^2 over the rows that count: the frictionless model has no tangential ones.
static double norm_squared(const vs_measurer *s, const double *x) {
    const vs_problem *p = s->problem;
    if (s->model != VS_MODEL_FRICTIONLESS)
        return dot(p->m, x, x);
    double sum = 0.0;
    assert(x || p->contacts == 0);
    for (int i = 0; i < p->contacts; i++) {
        int end = p->kind[i] == VS_CONE_SECOND_ORDER ? p->row[i] + 1 : p->row[i + 1];
        for (int k = p->row[i]; k < end; k++)
            sum += x[k] * x[k];
    }
    return sum;
}

static double joint_energy(const vs_measurer *s) {
    double sum = 0.0;
    for (int k = 0; k < s->problem->m_e; k++)
        sum += 0.5 * s->r_e[k] * s->r_e[k] / s->scale.joint_row[k];
    return sum;
}

// ---- the object ------------------------------------------------------------------------------------

static vs_error allocate(vs_measurer *s, const vs_problem *p) {
    s->v = VS_NEW(&s->arena, double, p->n);
    s->r_d = VS_NEW(&s->arena, double, p->n);
    s->w_d = VS_NEW(&s->arena, double, p->n);
    s->y = VS_NEW(&s->arena, double, p->m);
    s->r = VS_NEW(&s->arena, double, p->m);
    s->r_e = VS_NEW(&s->arena, double, p->m_e);
    s->wide = VS_NEW(&s->arena, double, p->local && p->ranks ? p->N.cols : 0);
    if (!s->v || !s->r_d || !s->w_d || !s->y || !s->r || !s->r_e || !s->wide)
        return VS_ERROR_MEMORY;
    return vs_energy_scale_create(&s->scale, p, &s->arena);
}

// Energy error that rounding of the free velocities v alone may cause: each row by 2 eps (|D||v| + |b|).
static double free_rounding(const vs_measurer *s) {
    const vs_problem *p = s->problem;
    const struct {
        const vs_rows *A;
        const double *b, *a; // right-hand side, inverse effective mass
    } part[2] = {{&p->D, p->b, s->scale.row}, {&p->C, p->b_e, s->scale.joint_row}};
    double sum = 0.0;
    for (int k = 0; k < 2; k++)
        for (int g = 0; g < part[k].A->groups; g++) {
            const vs_rows *A = part[k].A;
            int64_t width = A->start[g + 1] - A->start[g];
            for (int row = A->row[g]; row < A->row[g + 1]; row++) {
                double size = fabs(part[k].b[row]);
                for (int64_t j = 0; j < width; j++)
                    size += fabs(A->x[A->value[g] + (row - A->row[g]) * width + j] * s->v[A->col[A->start[g] + j]]);
                sum += 2.0 * DBL_EPSILON * DBL_EPSILON * size * size / part[k].a[row];
            }
        }
    return sum;
}

// Scales, |r| and e0, once H is factored.
static vs_error prepare(vs_measurer *s) {
    const vs_problem *p = s->problem;
    vs_energy_scale_compute(&s->scale, p, s->model, p->local ? NULL : &s->mass);
    vs_error error = recompute(s, NULL, NULL);
    if (error)
        return error;
    // r is not needed yet: its place serves as l = 0.
    memset(s->r, 0, (size_t)p->m * sizeof *s->r);
    error_sums t = sum_errors(s, s->r);
    memcpy(s->r, s->y, (size_t)p->m * sizeof *s->r);
    enum { ENERGY, MAP, JOINTS, NORM, WORK, SUMS };
    double sum[SUMS] = {t.energy + joint_energy(s), t.natural_map, dot(p->m_e, s->r_e, s->r_e), norm_squared(s, s->r),
                        p->local ? 0.0 : dot(vs_ranks_owned(p->ranks, p->n), p->c, s->v)};
    vs_ranks_sum(p->ranks, SUMS, sum);
    s->free_norm = sqrt(sum[NORM] + sum[JOINTS]);
    s->free_energy = sum[ENERGY];
    s->free_map = s->free_norm > 0.0 ? sqrt(sum[MAP] + sum[JOINTS]) / s->free_norm : 0.0;
    // Bodies that touch and fall freely need no impulses; what looks like a need is rounding.
    // That of velocities from a factored H may be much larger.
    double part = s->mass.solver ? 1e-16 : 1e-24, rounding = 0.0;
    bool tiny = !p->local && s->free_energy > 0.0 && s->free_energy < part * fabs(sum[WORK]);
    if (tiny) {
        error = vs_mass_rounding(&s->mass, s->v, s->r_d, s->w_d, &rounding);
        rounding += vs_ranks_total(p->ranks, free_rounding(s));
    }
    if (error)
        return error;
    bool rests = tiny && s->free_energy <= rounding;
    s->rounding = rests || s->mass.solver ? rounding : 0.0;
    if (rests)
        s->free_energy = s->free_map = 0.0;
    return VS_OK;
}

const char *vs_model_name(vs_model model) {
    static const char *const names[] = {"relaxed", "frictionless", "exact"};
    return (unsigned)model < sizeof names / sizeof *names ? names[model] : "unknown";
}

vs_error vs_measurer_create(const vs_problem *problem, vs_model model, vs_measurer **measurer) {
    if (!problem || !measurer)
        return VS_ERROR_ARGUMENT;
    *measurer = NULL;
    if (model != VS_MODEL_RELAXED && model != VS_MODEL_FRICTIONLESS && model != VS_MODEL_EXACT)
        return vs_fail(problem->context, VS_ERROR_ARGUMENT, "model %d is unknown", (int)model);
    vs_measurer *s = vs_allocate(problem->context, sizeof *s);
    if (!s)
        return vs_fail_memory(problem->context);
    *s = (vs_measurer){.problem = problem, .model = model};
    vs_arena_init(&s->arena, problem->context);
    vs_error error = allocate(s, problem);
    if (!error && !problem->local)
        error = vs_mass_create(&s->mass, problem, &s->arena);
    if (!error)
        error = prepare(s);
    if (error) {
        vs_measurer_destroy(s);
        return error;
    }
    *measurer = s;
    return VS_OK;
}

void vs_measurer_destroy(vs_measurer *measurer) {
    if (!measurer)
        return;
    vs_context *context = measurer->arena.context;
    vs_mass_release(&measurer->mass);
    vs_arena_release(&measurer->arena);
    vs_release(context, measurer);
}

vs_error vs_measurer_update(vs_measurer *measurer, const vs_problem *problem) {
    measurer->problem = problem;
    vs_error error = problem->local ? VS_OK : vs_mass_update(&measurer->mass, problem);
    return error ? error : prepare(measurer);
}

vs_mass *vs_measurer_mass(vs_measurer *measurer) {
    return measurer->problem->local ? NULL : &measurer->mass;
}

const vs_energy_scale *vs_measurer_scale(const vs_measurer *measurer) {
    return &measurer->scale;
}

double vs_measurer_free_energy(const vs_measurer *measurer) {
    return measurer->free_energy;
}

const double *vs_measurer_free_velocity(const vs_measurer *measurer) {
    return measurer->r;
}

double vs_measurer_free_norm(const vs_measurer *measurer) {
    return measurer->free_norm;
}

// ---- measuring -------------------------------------------------------------------------------------

// Impulses that are not finite are infinitely wrong, whatever minima and maxima make of NaN.
static void set_infinite(vs_measures *q, double energy_scale) {
    *q = (vs_measures){
        .energy_error = INFINITY,
        .energy_scale = energy_scale,
        .natural_map_relative = INFINITY,
        .natural_residual = INFINITY,
        .fischer_burmeister = INFINITY,
        .complementarity = INFINITY,
        .duality_gap = NAN,
        .impulse_balance = INFINITY,
        .joint_error_energy = INFINITY,
        .joint_error_velocity = INFINITY,
        .cone_violation = INFINITY,
        .dual_violation = INFINITY,
    };
}

static double relative(double residual, double free_norm, double l, double y) {
    double size = fmax(free_norm, fmax(l, y));
    return size > 0.0 ? residual / size : 0.0;
}

// What decides. Also y of rows that do not count: one NaN anywhere is wrong.
static void fill_errors(const vs_measurer *s, const double *l, vs_measures *q) {
    const vs_problem *p = s->problem;
    double l2 = dot(p->m, l, l), y2 = dot(p->m, s->y, s->y), joints2 = dot(p->m_e, s->r_e, s->r_e);
    if (vs_ranks_any(p->ranks, !isfinite(l2 + y2 + joints2))) {
        set_infinite(q, s->free_energy);
        return;
    }
    if (s->model == VS_MODEL_FRICTIONLESS) {
        l2 = norm_squared(s, l);
        y2 = norm_squared(s, s->y);
    }
    error_sums t = sum_errors(s, l);
    enum { ENERGY, MAP, IMPULSES, VELOCITIES, JOINTS, SUMS };
    double sum[SUMS] = {t.energy + joint_energy(s), t.natural_map, l2, y2, joints2};
    vs_ranks_sum(p->ranks, SUMS, sum);
    *q = (vs_measures){
        .energy_error = sum[ENERGY],
        .energy_scale = s->free_energy,
        .natural_map_relative = relative(sqrt(sum[MAP] + sum[JOINTS]), s->free_norm, sqrt(sum[IMPULSES]),
                                         sqrt(sum[VELOCITIES] + sum[JOINTS])),
    };
    if (q->energy_error <= s->rounding)
        q->energy_error = q->natural_map_relative = 0.0;
}

// r_d <- H v - r_d and 1/2 r_d'H^-1 r_d of that
static vs_error measure_balance(vs_measurer *s, double *energy) {
    int n = s->problem->n;
    *energy = 0.0;
    if (s->problem->local)
        return VS_OK;
    vs_mass_multiply(&s->mass, 1.0, s->v, -1.0, s->r_d);
    memcpy(s->w_d, s->r_d, (size_t)n * sizeof *s->w_d);
    vs_error error = vs_mass_solve(&s->mass, s->w_d);
    // Roundoff may turn a form of roundoff negative.
    *energy = fmax(0.5 * dot(vs_ranks_owned(s->problem->ranks, n), s->r_d, s->w_d), 0.0);
    return error;
}

vs_error vs_measurer_judge(vs_measurer *measurer, const double *g, const double *lambda, double *v, double *y,
                           vs_measures *measures) {
    vs_measurer *s = measurer;
    const vs_problem *p = s->problem;
    vs_error error = recompute(s, g, lambda);
    if (error)
        return error;
    fill_errors(s, lambda, measures);
    if (v && !p->local)
        memcpy(v, s->v, (size_t)p->n * sizeof *v);
    if (y)
        memcpy(y, s->y, (size_t)p->m * sizeof *y);
    return VS_OK;
}

void vs_measurer_judge_rest(const vs_measurer *measurer, vs_measures *measures) {
    *measures = (vs_measures){
        .energy_error = measurer->free_energy,
        .energy_scale = measurer->free_energy,
        .natural_map_relative = measurer->free_map,
    };
}

vs_error vs_measurer_complete(vs_measurer *measurer, const double *g, const double *lambda, vs_measures *measures) {
    vs_measurer *s = measurer;
    const vs_problem *p = s->problem;
    vs_measures *q = measures;
    if (isinf(q->impulse_balance)) // judged as not finite
        return VS_OK;
    contact_sums t = sum_contacts(s, lambda);
    for (int k = 0; k < p->m_e; k++)
        q->joint_error_velocity = fmax(q->joint_error_velocity, fabs(s->r_e[k]));
    double balance, rest = 0.0;
    vs_error error = measure_balance(s, &balance);
    if (!p->local)
        rest = dot(p->m_e, g, s->r_e) + dot(vs_ranks_owned(p->ranks, p->n), s->v, s->r_d);

    enum { NATURAL, FISCHER, COMPLEMENTARITY, JOINTS, BALANCE, REST, SUMS };
    double sum[SUMS] = {t.natural, t.fischer, t.complementarity, joint_energy(s), balance, rest};
    vs_ranks_sum(p->ranks, SUMS, sum);
    q->natural_residual = sqrt(sum[NATURAL]);
    q->fischer_burmeister = sqrt(sum[FISCHER]);
    q->complementarity = sum[COMPLEMENTARITY];
    q->joint_error_energy = sum[JOINTS];
    q->impulse_balance = sum[BALANCE];
    q->cone_violation = vs_ranks_most(p->ranks, t.cone);
    q->dual_violation = vs_ranks_most(p->ranks, t.dual);
    q->joint_error_velocity = vs_ranks_most(p->ranks, q->joint_error_velocity);
    bool objective = s->model != VS_MODEL_EXACT && p->symmetric;
    q->duality_gap = objective ? sum[COMPLEMENTARITY] + sum[REST] : NAN;
    return error;
}

vs_error vs_measure(vs_measurer *measurer, const double *g, const double *lambda, double *v, double *y,
                    vs_measures *measures) {
    if (!measurer)
        return VS_ERROR_ARGUMENT;
    const vs_problem *p = measurer->problem;
    if (!measures || (!g && p->m_e > 0) || (!lambda && p->m > 0))
        return vs_fail(p->context, VS_ERROR_ARGUMENT, "vs_measure: g, lambda or measures is null");
    vs_error error = vs_measurer_judge(measurer, g, lambda, v, y, measures);
    return error ? error : vs_measurer_complete(measurer, g, lambda, measures);
}
