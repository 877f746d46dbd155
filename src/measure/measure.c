// Every error measure of a pair of impulses (g, l), on unscaled data (docs/theory.md, Error measures). Velocities are
// recomputed from the impulses (mass/velocities.h),
//
//     v   = H^-1 (C'g + D'l - c)
//     y   = D v - b + E l               local form: y = N l + r
//     r_e = C v - b_e + E_e g
//
// so that only joints, cones and complementarity can be wrong. The duality gap, primal minus dual objective, is with
// this v
//
//     y'l + g'r_e + v'r_d               r_d = H v - (C'g + D'l - c), the impulse balance, roundoff
//
// term by term, and is summed in that form: subtracting the objectives would leave the roundoff of 1/2 v'H v. A box
// row adds (x - lo) w+ + (hi - x) w-.
#include "measure/measurer.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/names.h"
#include "base/vector.h"
#include "measure/island_errors.h"
#include "measure/residual.h"

struct vs_measurer {
    vs_arena arena;       // holds the measurer's arrays, not the measurer
    vs_mass_model own;    // used if no other is borrowed
    vs_mass_model *mass;  // of the problem that is measured
    vs_velocities motion; // of the impulses evaluated last; p becomes r_d when all is measured
    double *z;            // (n) H^-1 r_d
    vs_island_errors islands;
    vs_measures rest; // of zero impulses
    double free_norm; // m/s; |(y, r_e)| of the free motion
};

// Sums over the contacts of the measures that do not decide on convergence.
typedef struct contact_sums {
    double natural;         // squares
    double fischer;         // squares
    double complementarity; // J
    double cone, dual;      // N s, m/s; largest distances
} contact_sums;

// ---- contacts --------------------------------------------------------------------------------------

static double distance(const double *x, const double *p) {
    return sqrt((x[0] - p[0]) * (x[0] - p[0]) + (x[1] - p[1]) * (x[1] - p[1]) + (x[2] - p[2]) * (x[2] - p[2]));
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
    vs_shift_velocity(model, mu, y, ybar);
    t->natural += vs_friction_natural_squared(mu, l, ybar, 1.0);
    t->complementarity += ybar[0] * l[0] + ybar[1] * l[1] + ybar[2] * l[2];
    vs_friction_project(mu, l, p);
    t->cone = fmax(t->cone, distance(l, p));
    vs_friction_project_dual(mu, ybar, p);
    t->dual = fmax(t->dual, distance(ybar, p));
    t->fischer += vs_friction_fischer_burmeister_squared(mu, l, ybar);
}

// Rotational rows are scaled to lengths: distances are N s and m/s.
static void add_rolling(contact_sums *t, const vs_mass_model *mass, int i, const double *l, const double *y) {
    double ell[VS_DISCS_ROWS], x[VS_DISCS_ROWS] = {0}, ybar[VS_DISCS_ROWS] = {0}, p[VS_DISCS_ROWS], cone = 0.0,
                               dual = 0.0;
    vs_discs d = vs_mass_model_discs(mass, i, ell);
    for (int k = 0; k < d.rows; k++) {
        x[k] = l[k] / ell[k];
        ybar[k] = y[k] * ell[k];
    }
    if (mass->friction == VS_MODEL_EXACT)
        ybar[0] += vs_discs_slip(&d, ybar);
    t->natural += vs_discs_natural_squared(&d, x, ybar, 1.0);
    t->fischer += vs_discs_fischer_burmeister_squared(&d, x, ybar);
    vs_discs_project(&d, x, p);
    for (int k = 0; k < d.rows; k++) {
        t->complementarity += ybar[k] * x[k];
        cone += (x[k] - p[k]) * (x[k] - p[k]);
    }
    vs_discs_project_dual(&d, ybar, p);
    for (int k = 0; k < d.rows; k++)
        dual += (ybar[k] - p[k]) * (ybar[k] - p[k]);
    t->cone = fmax(t->cone, sqrt(cone));
    t->dual = fmax(t->dual, sqrt(dual));
}

static contact_sums sum_contacts(const vs_mass_model *mass, const double *l, const double *y) {
    const vs_problem *p = mass->problem;
    contact_sums t = {0};
    for (int i = 0; i < p->contacts; i++) {
        int begin = p->row[i], end = p->row[i + 1];
        if (p->kind[i] == VS_CONE_SECOND_ORDER) {
            add_friction(&t, mass->friction, vs_mass_model_friction(mass, i), l + begin, y + begin);
            continue;
        }
        if (vs_problem_rolls(p, i)) {
            add_rolling(&t, mass, i, l + begin, y + begin);
            continue;
        }
        bool box = p->kind[i] == VS_CONE_BOX;
        for (int k = begin; k < end; k++)
            add_row(&t, l[k], y[k], box ? p->lo[k] : 0.0, box ? p->hi[k] : INFINITY);
    }
    return t;
}

// Sum of r_e^2/(2a)
static double joint_energy(const vs_mass_model *mass, const double *r_e) {
    double sum = 0.0;
    for (int k = 0; k < mass->problem->m_e; k++)
        sum += 0.5 * r_e[k] * r_e[k] / mass->scale.joint_row[k];
    return sum;
}

// ---- the measures that decide on convergence ---------------------------------------------------------

// Impulses that are not finite are infinitely wrong, whatever minima and maxima make of NaN.
static void set_infinite(vs_measures *q, const vs_measures *rest) {
    *q = (vs_measures){
        .relative_error = INFINITY,
        .island_error = INFINITY,
        .island_reference = rest->island_reference,
        .island_floor = rest->island_floor,
        .relative_work = INFINITY,
        .work_error = INFINITY,
        .rounding_work = INFINITY,
        .islands = rest->islands,
        .energy_error = INFINITY,
        .energy_scale = rest->energy_scale,
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
        .strict_error = INFINITY,
        .strict_work = INFINITY,
        .strict_map = INFINITY,
        .granular_islands = rest->granular_islands,
        .granular_contacts = rest->granular_contacts,
    };
}

// |x / unit|^2 over the rows that count: the frictionless model has no tangential ones. Rotational rows of contacts are
// scaled to lengths: divided by ell (impulses) or multiplied by it (velocities).
static double norm_squared(const vs_mass_model *mass, const double *x, bool impulses, double unit) {
    const vs_problem *p = mass->problem;
    double sum = 0.0;
    for (int i = 0; i < p->contacts && x; i++) {
        bool normal_only = vs_problem_has_friction(p, i) && mass->friction == VS_MODEL_FRICTIONLESS;
        bool rolling = vs_problem_rolls(p, i) && !normal_only;
        int end = normal_only ? p->row[i] + 1 : rolling ? p->row[i] + 3 : p->row[i + 1];
        for (int k = p->row[i]; k < end; k++)
            sum += x[k] / unit * (x[k] / unit);
        for (int k = end; k < p->row[i + 1] && rolling; k++) {
            double ratio = mass->scale.row[k] / mass->scale.contact[i];
            sum += x[k] / unit * (x[k] / unit) * (impulses ? ratio : 1.0 / ratio);
        }
    }
    return sum;
}

// A unit in which squares of the impulses and velocities are in range: 1 except at extremes.
static double choose_norm(const vs_measurer *s, const vs_evaluated *e) {
    static const double LEAST = 1e-100, MOST = 1e100;
    const vs_problem *p = s->mass->problem;
    double size = s->free_norm;
    for (int k = 0; k < p->m; k++)
        size = fmax(size, fmax(fabs(e->y[k]), e->l ? fabs(e->l[k]) : 0.0));
    for (int k = 0; k < p->m_e; k++)
        size = fmax(size, fabs(e->r_e[k]));
    size = vs_space_max(p->space, size);
    return size == 0.0 || (size > LEAST && size < MOST) ? 1.0 : size;
}

// Fills the measures that decide on convergence; the others are zero. y of rows that do not count, too: one NaN anywhere
// is wrong. At rest sets free_norm.
static void fill_errors(vs_measurer *s, const vs_evaluated *e, vs_measures *q) {
    const vs_mass_model *mass = s->mass;
    const vs_problem *p = mass->problem;
    bool rest = e->y == mass->free.y, finite = vs_vector_is_finite(p->m, e->l) && vs_vector_is_finite(p->m, e->y) &&
                                               vs_vector_is_finite(p->m_e, e->g) && vs_vector_is_finite(p->m_e, e->r_e);
    if (vs_space_any(p->space, !finite)) {
        set_infinite(q, &s->rest);
        return;
    }
    *q = (vs_measures){0};
    double norm = choose_norm(s, e), joints = 0.0, map[2];
    vs_island_errors_evaluate(&s->islands, e, norm, q, map);
    for (int k = 0; k < p->m_e; k++)
        joints += e->r_e[k] / norm * (e->r_e[k] / norm);
    double sum[] = {norm_squared(mass, e->l, true, norm), norm_squared(mass, e->y, false, norm) + joints};
    vs_space_sums(p->space, 2, sum);
    if (rest)
        s->free_norm = sqrt(sum[1]) * norm;
    double size = fmax(s->free_norm / norm, sqrt(fmax(sum[0], sum[1])));
    q->natural_map_relative = size > 0.0 ? sqrt(map[0]) / size : 0.0;
    q->strict_map = size > 0.0 ? sqrt(map[1]) / size : 0.0;
}

// ---- the object ------------------------------------------------------------------------------------

// Errors of zero impulses, once the free motion is known.
static vs_error evaluate_rest(vs_measurer *s) {
    const vs_velocities *free = &s->mass->free;
    // The motion is not needed yet: its place serves as work.
    vs_error error = vs_island_errors_update(&s->islands, s->motion.p, s->motion.v);
    if (error)
        return error;
    s->free_norm = 0.0;
    fill_errors(s, &(vs_evaluated){.y = free->y, .r_e = free->r_e}, &s->rest);
    return VS_OK;
}

const char *vs_model_name(vs_model model) {
    return vs_name_in(vs_model_names(), (int)model, "unknown");
}

// mass: null to make one for the problem and the model.
static vs_error create(const vs_problem *problem, vs_model model, vs_mass_model *mass, vs_measurer **measurer) {
    *measurer = NULL;
    vs_measurer *s = vs_allocate(problem->context, sizeof *s);
    if (!s)
        return vs_fail_memory(problem->context);
    *s = (vs_measurer){.mass = mass ? mass : &s->own};
    vs_arena_init(&s->arena, problem->context);
    s->z = VS_NEW(&s->arena, double, problem->n);
    vs_error error = s->z ? vs_velocities_create(&s->motion, problem, true, &s->arena) : VS_ERROR_MEMORY;
    if (!error && !mass)
        error = vs_mass_model_create(&s->own, problem, model, &s->arena);
    if (!error)
        error = vs_island_errors_create(&s->islands, s->mass, &s->arena);
    if (!error)
        error = evaluate_rest(s);
    if (error)
        vs_measurer_destroy(s);
    else
        *measurer = s;
    return error;
}

vs_error vs_measurer_create(const vs_problem *problem, vs_model model, vs_measurer **measurer) {
    if (!problem || !measurer)
        return VS_ERROR_ARGUMENT;
    *measurer = NULL;
    if (model != VS_MODEL_RELAXED && model != VS_MODEL_FRICTIONLESS && model != VS_MODEL_EXACT)
        return vs_fail(problem->context, VS_ERROR_ARGUMENT, "model %d is unknown", (int)model);
    return create(problem, model, NULL, measurer);
}

vs_error vs_measurer_borrow(vs_mass_model *mass, vs_measurer **measurer) {
    return create(mass->problem, mass->friction, mass, measurer);
}

void vs_measurer_destroy(vs_measurer *measurer) {
    if (!measurer)
        return;
    vs_context *context = measurer->arena.context;
    vs_mass_model_release(&measurer->own);
    vs_arena_release(&measurer->arena);
    vs_release(context, measurer);
}

vs_error vs_measurer_update(vs_measurer *measurer) {
    return evaluate_rest(measurer);
}

double vs_measurer_free_norm(const vs_measurer *measurer) {
    return measurer->free_norm;
}

bool vs_measurer_overflows(const vs_measurer *measurer) {
    return measurer->islands.overflow;
}

const double *vs_measurer_units(const vs_measurer *measurer) {
    return measurer->islands.unit;
}

void vs_measurer_compare_islands(const vs_measurer *measurer, double tolerance, double granular, bool *island) {
    vs_island_errors_compare(&measurer->islands, tolerance, granular, island);
}

const double *vs_measurer_contact_shares(const vs_measurer *measurer) {
    return measurer->islands.own.contact;
}

const double *vs_measurer_joint_shares(const vs_measurer *measurer) {
    return measurer->islands.own.joint;
}

// ---- measuring -------------------------------------------------------------------------------------

// p <- r_d = H v - p and 1/2 r_d'H^-1 r_d of that
static vs_error measure_balance(vs_measurer *s, double *energy) {
    const vs_problem *p = s->mass->problem;
    double *r_d = s->motion.p;
    *energy = 0.0;
    if (p->local)
        return VS_OK;
    vs_mass_multiply(s->mass->factor, 1.0, s->motion.v, -1.0, r_d);
    memcpy(s->z, r_d, (size_t)p->n * sizeof *s->z);
    vs_error error = vs_mass_solve(s->mass->factor, s->z);
    // Roundoff may turn a form of roundoff negative.
    *energy = fmax(0.5 * vs_space_part(p->space, p->n, r_d, s->z), 0.0);
    return error;
}

vs_error vs_measurer_evaluate(vs_measurer *measurer, const double *g, const double *lambda, double *v, double *y,
                              vs_measures *measures) {
    vs_measurer *s = measurer;
    const vs_problem *p = s->mass->problem;
    vs_error error = vs_velocities_compute(&s->motion, p, s->mass->factor, g, lambda);
    if (error && error != VS_ERROR_NUMERICAL)
        return error;
    if (error) { // impulses so large that velocities are not finite
        set_infinite(measures, &s->rest);
        for (int k = 0; k < p->m; k++)
            s->motion.y[k] = NAN;
    } else {
        fill_errors(s, &(vs_evaluated){.g = g, .r_e = s->motion.r_e, .l = lambda, .y = s->motion.y}, measures);
    }
    if (v && !p->local)
        memcpy(v, s->motion.v, (size_t)p->n * sizeof *v);
    if (y)
        memcpy(y, s->motion.y, (size_t)p->m * sizeof *y);
    return VS_OK;
}

void vs_measurer_evaluate_rest(const vs_measurer *measurer, vs_measures *measures) {
    *measures = measurer->rest;
}

vs_error vs_measurer_complete(vs_measurer *measurer, const double *g, const double *lambda, vs_measures *measures) {
    vs_measurer *s = measurer;
    const vs_mass_model *mass = s->mass;
    const vs_problem *p = mass->problem;
    const vs_velocities *motion = &s->motion;
    vs_measures *q = measures;
    if (isinf(q->impulse_balance)) // found not to be finite
        return VS_OK;
    if (s->islands.overflow)
        q->relative_error = q->strict_error = INFINITY;
    contact_sums t = sum_contacts(mass, lambda, motion->y);
    for (int k = 0; k < p->m_e; k++)
        q->joint_error_velocity = fmax(q->joint_error_velocity, fabs(motion->r_e[k]));
    double balance, rest = 0.0;
    vs_error error = measure_balance(s, &balance);
    if (!p->local)
        rest = vs_space_part_rows(p->m_e, g, motion->r_e) + vs_space_part(p->space, p->n, motion->v, motion->p);

    enum { NATURAL, FISCHER, COMPLEMENTARITY, JOINTS, BALANCE, REST, SUMS };
    double sum[SUMS] = {t.natural, t.fischer, t.complementarity, joint_energy(mass, motion->r_e), balance, rest};
    vs_space_sums(p->space, SUMS, sum);
    q->natural_residual = sqrt(sum[NATURAL]);
    q->fischer_burmeister = sqrt(sum[FISCHER]);
    q->complementarity = sum[COMPLEMENTARITY];
    q->joint_error_energy = sum[JOINTS];
    q->impulse_balance = sum[BALANCE];
    q->cone_violation = vs_space_max(p->space, t.cone);
    q->dual_violation = vs_space_max(p->space, t.dual);
    q->joint_error_velocity = vs_space_max(p->space, q->joint_error_velocity);
    bool objective = mass->friction != VS_MODEL_EXACT && p->symmetric;
    q->duality_gap = objective ? sum[COMPLEMENTARITY] + sum[REST] : NAN;
    return error;
}

vs_error vs_measure(vs_measurer *measurer, const double *g, const double *lambda, double *v, double *y,
                    vs_measures *measures) {
    if (!measurer)
        return VS_ERROR_ARGUMENT;
    const vs_problem *p = measurer->mass->problem;
    if (!measures || (!g && p->m_e > 0) || (!lambda && p->m > 0))
        return vs_fail(p->context, VS_ERROR_ARGUMENT, "vs_measure: g, lambda or measures is null");
    vs_error error = vs_measurer_evaluate(measurer, g, lambda, v, y, measures);
    return error ? error : vs_measurer_complete(measurer, g, lambda, measures);
}
