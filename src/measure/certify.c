// Certificates: see voussoir/certify.h. The residuals are those of measure/residual.h; what double precision hides from
// vs_measure(), the rounding of sums that cancel in the velocities, does not happen to velocities in double-double.
#include "voussoir/certify.h"

#include <math.h>

#include "mass/extended_velocities.h"
#include "mass/mass_model.h"
#include "measure/row_errors.h"

// Sums over all contacts and joints.
typedef struct errors {
    double part[VS_SUM_PARTS];   // J; square of the natural map
    double impulses, velocities; // squares, rotational rows scaled to lengths
} errors;

static void add_norms(const vs_mass_model *mass, int i, const vs_evaluated *e, errors *sum) {
    const vs_problem *p = mass->problem;
    double ell[VS_DISCS_ROWS] = {1, 1, 1, 1, 1, 1};
    if (vs_problem_rolls(p, i))
        (void)vs_mass_model_discs(mass, i, ell);
    for (int k = p->row[i]; k < vs_mass_model_rows_end(mass, i); k++) {
        const double scale = vs_problem_rolls(p, i) ? ell[k - p->row[i]] : 1.0;
        const double l = e->l ? e->l[k] / scale : 0.0, y = e->y[k] * scale;
        sum->impulses += l * l;
        sum->velocities += y * y;
    }
}

static errors add_up(const vs_mass_model *mass, const double *g, const double *lambda, const vs_velocities *motion) {
    const vs_problem *p = mass->problem;
    const vs_evaluated e = {.g = g, .r_e = motion->r_e, .l = lambda, .y = motion->y};
    errors sum = {.impulses = 0.0};
    for (int i = 0; i < p->contacts; i++) {
        if (p->kind[i] == VS_CONE_SECOND_ORDER)
            (void)vs_row_errors_friction(mass, i, &e, 1.0, 1.0, sum.part);
        else if (vs_problem_rolls(p, i))
            (void)vs_row_errors_rolling(mass, i, &e, 1.0, 1.0, sum.part);
        else
            for (int k = p->row[i]; k < p->row[i + 1]; k++)
                (void)vs_row_errors_row(mass, i, k, &e, 1.0, 1.0, sum.part);
        add_norms(mass, i, &e, &sum);
    }
    for (int j = 0; j < p->joints; j++)
        (void)vs_row_errors_joint(mass, j, &e, 1.0, 1.0, sum.part);
    for (int k = 0; k < p->m_e; k++)
        sum.velocities += motion->r_e[k] * motion->r_e[k];
    return sum;
}

static vs_error evaluate(vs_mass_model *mass, const double *g, const double *lambda, vs_velocities *motion,
                         vs_arena *arena, vs_certificate *certificate) {
    const vs_problem *p = mass->problem;
    vs_error error = vs_velocities_compute_extended(motion, p, mass->factor, NULL, NULL, arena);
    if (error)
        return error;
    const errors rest = add_up(mass, NULL, NULL, motion);
    error = vs_velocities_compute_extended(motion, p, mass->factor, g, lambda, arena);
    if (error)
        return error;
    const errors sum = add_up(mass, g, lambda, motion);
    const double size = sqrt(fmax(rest.velocities, fmax(sum.impulses, sum.velocities)));
    const double energy = sum.part[VS_SUM_ENERGY], map = sum.part[VS_SUM_MAP], e0 = rest.part[VS_SUM_ENERGY];
    *certificate = (vs_certificate){
        .natural_map_relative = map == 0.0 ? 0.0 : sqrt(map) / size,
        .energy_error_relative = energy == 0.0 ? 0.0 : sqrt(energy / e0),
        .rounding = sum.part[VS_SUM_ROUNDING] == 0.0 ? 0.0 : sqrt(sum.part[VS_SUM_ROUNDING] / e0),
        .energy_error = energy,
        .energy_scale = e0,
    };
    return VS_OK;
}

vs_error vs_certify(const vs_problem *problem, vs_model model, const double *g, const double *lambda, double *v,
                    double *y, vs_certificate *certificate) {
    if (!problem)
        return VS_ERROR_ARGUMENT;
    const vs_problem *p = problem;
    if (!certificate || (!g && p->m_e > 0) || (!lambda && p->m > 0))
        return vs_fail(p->context, VS_ERROR_ARGUMENT, "vs_certify: g, lambda or certificate is null");
    if (model != VS_MODEL_RELAXED && model != VS_MODEL_FRICTIONLESS && model != VS_MODEL_EXACT)
        return vs_fail(p->context, VS_ERROR_ARGUMENT, "model %d is unknown", (int)model);
    vs_arena arena;
    vs_mass_model mass = {0};
    vs_velocities motion;
    vs_arena_init(&arena, p->context);
    vs_error error = vs_velocities_create(&motion, p, false, &arena);
    if (!error)
        error = vs_mass_model_create(&mass, p, model, &arena);
    if (!error)
        error = evaluate(&mass, g, lambda, &motion, &arena, certificate);
    for (int j = 0; !error && v && j < p->n; j++)
        v[j] = motion.v[j];
    for (int k = 0; !error && y && k < p->m; k++)
        y[k] = motion.y[k];
    vs_mass_model_release(&mass);
    vs_arena_release(&arena);
    return error;
}
