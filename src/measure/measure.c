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

#include "measure/residual.h"

struct vs_measurer {
    vs_arena arena;       // holds the measurer's arrays, not the measurer
    vs_mass_model own;    // used if no other is borrowed
    vs_mass_model *mass;  // of the problem that is measured
    vs_velocities motion; // of the impulses evaluated last; p becomes r_d when all is measured
    double *z;            // (n) H^-1 r_d
    vs_rest_errors rest;
    double rounding; // J; energy error that rounding of the free velocities may cause; 0 unless e0 is tiny
};

// Sums over the contacts: of the measures that decide on convergence, and of all others.
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

// ---- contacts --------------------------------------------------------------------------------------

static double distance(const double *x, const double *p) {
    return sqrt((x[0] - p[0]) * (x[0] - p[0]) + (x[1] - p[1]) * (x[1] - p[1]) + (x[2] - p[2]) * (x[2] - p[2]));
}

// The velocity that must be in the dual cone: y; exact model: with mu |y_T| added to its normal component.
static void shift(vs_model model, double mu, const double *y, double *ybar) {
    ybar[0] = model == VS_MODEL_EXACT ? y[0] + mu * sqrt(y[1] * y[1] + y[2] * y[2]) : y[0];
    ybar[1] = y[1];
    ybar[2] = y[2];
}

// Friction coefficient of a contact in the friction model.
static double friction_of(const vs_mass_model *mass, int contact) {
    return mass->friction == VS_MODEL_FRICTIONLESS ? 0.0 : mass->problem->mu[contact];
}

static error_sums sum_errors(const vs_mass_model *mass, const double *l, const double *y) {
    const vs_problem *p = mass->problem;
    error_sums t = {0};
    for (int i = 0; i < p->contacts; i++) {
        int begin = p->row[i], end = p->row[i + 1];
        if (p->kind[i] == VS_CONE_SECOND_ORDER) {
            double mu = friction_of(mass, i), a = mass->scale.contact[i], ybar[3];
            shift(mass->friction, mu, y + begin, ybar);
            t.energy += 0.5 * a * vs_friction_natural_squared(mu, l + begin, ybar, 1.0 / a);
            t.natural_map += vs_friction_natural_squared(mu, l + begin, ybar, 1.0);
            continue;
        }
        bool box = p->kind[i] == VS_CONE_BOX;
        for (int k = begin; k < end; k++) {
            double lo = box ? p->lo[k] : 0.0, hi = box ? p->hi[k] : INFINITY;
            double map = vs_row_natural(l[k], y[k], lo, hi);
            t.energy += vs_row_energy(mass->scale.row[k], l[k], y[k], lo, hi);
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

static contact_sums sum_contacts(const vs_mass_model *mass, const double *l, const double *y) {
    const vs_problem *p = mass->problem;
    contact_sums t = {0};
    for (int i = 0; i < p->contacts; i++) {
        int begin = p->row[i], end = p->row[i + 1];
        if (p->kind[i] == VS_CONE_SECOND_ORDER) {
            add_friction(&t, mass->friction, friction_of(mass, i), l + begin, y + begin);
            continue;
        }
        bool box = p->kind[i] == VS_CONE_BOX;
        for (int k = begin; k < end; k++)
            add_row(&t, l[k], y[k], box ? p->lo[k] : 0.0, box ? p->hi[k] : INFINITY);
    }
    return t;
}

// |x|^2 over the rows that count: the frictionless model has no tangential ones.
static double norm_squared(const vs_mass_model *mass, const double *x) {
    const vs_problem *p = mass->problem;
    if (mass->friction != VS_MODEL_FRICTIONLESS)
        return vs_space_part_rows(p->m, x, x);
    double sum = 0.0;
    assert(x || p->contacts == 0);
    for (int i = 0; i < p->contacts; i++) {
        int end = p->kind[i] == VS_CONE_SECOND_ORDER ? p->row[i] + 1 : p->row[i + 1];
        for (int k = p->row[i]; k < end; k++)
            sum += x[k] * x[k];
    }
    return sum;
}

// Sum of r_e^2/(2a)
static double joint_energy(const vs_mass_model *mass, const double *r_e) {
    double sum = 0.0;
    for (int k = 0; k < mass->problem->m_e; k++)
        sum += 0.5 * r_e[k] * r_e[k] / mass->scale.joint_row[k];
    return sum;
}

// ---- the object ------------------------------------------------------------------------------------

// Sets e0 to zero if it is no more than rounding of the free velocities: bodies that touch and fall freely need no
// impulses. Rounding of velocities from a sparse factor of H may be much larger than that of blocks.
static vs_error discount_rounding(vs_measurer *s, double work) {
    const bool factored = s->mass->factor && s->mass->factor->solver;
    const double part = factored ? 1e-16 : 1e-24, e0 = s->rest.energy;
    double rounding = 0.0;
    bool tiny = s->mass->factor && e0 > 0.0 && e0 < part * fabs(work);
    // The motion is not needed yet: its place serves as work.
    vs_error error = tiny ? vs_mass_model_rounding(s->mass, s->motion.p, s->motion.v, &rounding) : VS_OK;
    bool rests = tiny && e0 <= rounding;
    s->rounding = rests || factored ? rounding : 0.0;
    if (rests)
        s->rest.energy = s->rest.natural_map_relative = 0.0;
    return error;
}

// Errors of zero impulses, once the free motion is known.
static vs_error evaluate_rest(vs_measurer *s) {
    const vs_mass_model *mass = s->mass;
    const vs_problem *p = mass->problem;
    const vs_velocities *free = &mass->free;
    double *zero = s->motion.y; // not needed yet: its place serves as l = 0
    memset(zero, 0, (size_t)p->m * sizeof *zero);
    error_sums t = sum_errors(mass, zero, free->y);
    enum { ENERGY, MAP, JOINTS, NORM, WORK, SUMS };
    double sum[SUMS] = {t.energy + joint_energy(mass, free->r_e), t.natural_map,
                        vs_space_part_rows(p->m_e, free->r_e, free->r_e), norm_squared(mass, free->y),
                        p->local ? 0.0 : vs_space_part(p->space, p->n, p->c, free->v)};
    vs_space_sums(p->space, SUMS, sum);
    double norm = sqrt(sum[NORM] + sum[JOINTS]), map = sqrt(sum[MAP] + sum[JOINTS]);
    s->rest =
        (vs_rest_errors){.energy = sum[ENERGY], .norm = norm, .natural_map_relative = norm > 0.0 ? map / norm : 0.0};
    return discount_rounding(s, sum[WORK]);
}

const char *vs_model_name(vs_model model) {
    static const char *const names[] = {"relaxed", "frictionless", "exact"};
    return (unsigned)model < sizeof names / sizeof *names ? names[model] : "unknown";
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

const vs_rest_errors *vs_measurer_rest(const vs_measurer *measurer) {
    return &measurer->rest;
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

// The measures that decide on convergence. y of rows that do not count, too: one NaN anywhere is wrong.
static void fill_errors(const vs_measurer *s, const double *l, vs_measures *q) {
    const vs_mass_model *mass = s->mass;
    const vs_problem *p = mass->problem;
    const double *y = s->motion.y, *r_e = s->motion.r_e;
    assert(l || p->m == 0);
    double l2 = vs_space_part_rows(p->m, l, l), y2 = vs_space_part_rows(p->m, y, y),
           joints2 = vs_space_part_rows(p->m_e, r_e, r_e);
    if (vs_space_any(p->space, !isfinite(l2 + y2 + joints2))) {
        set_infinite(q, s->rest.energy);
        return;
    }
    if (mass->friction == VS_MODEL_FRICTIONLESS) {
        l2 = norm_squared(mass, l);
        y2 = norm_squared(mass, y);
    }
    error_sums t = sum_errors(mass, l, y);
    enum { ENERGY, MAP, IMPULSES, VELOCITIES, JOINTS, SUMS };
    double sum[SUMS] = {t.energy + joint_energy(mass, r_e), t.natural_map, l2, y2, joints2};
    vs_space_sums(p->space, SUMS, sum);
    *q = (vs_measures){
        .energy_error = sum[ENERGY],
        .energy_scale = s->rest.energy,
        .natural_map_relative = relative(sqrt(sum[MAP] + sum[JOINTS]), s->rest.norm, sqrt(sum[IMPULSES]),
                                         sqrt(sum[VELOCITIES] + sum[JOINTS])),
    };
    if (q->energy_error <= s->rounding)
        q->energy_error = q->natural_map_relative = 0.0;
}

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
    if (error)
        return error;
    fill_errors(s, lambda, measures);
    if (v && !p->local)
        memcpy(v, s->motion.v, (size_t)p->n * sizeof *v);
    if (y)
        memcpy(y, s->motion.y, (size_t)p->m * sizeof *y);
    return VS_OK;
}

void vs_measurer_evaluate_rest(const vs_measurer *measurer, vs_measures *measures) {
    *measures = (vs_measures){
        .energy_error = measurer->rest.energy,
        .energy_scale = measurer->rest.energy,
        .natural_map_relative = measurer->rest.natural_map_relative,
    };
}

vs_error vs_measurer_complete(vs_measurer *measurer, const double *g, const double *lambda, vs_measures *measures) {
    vs_measurer *s = measurer;
    const vs_mass_model *mass = s->mass;
    const vs_problem *p = mass->problem;
    const vs_velocities *motion = &s->motion;
    vs_measures *q = measures;
    if (isinf(q->impulse_balance)) // found not to be finite
        return VS_OK;
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
