// A solution with its statuses and factored systems: what the public interface (derivative.h) creates and reports.
#include "solver/derivative/derivative_data.h"

#include <math.h>
#include <string.h>

#include "base/names.h"
#include "base/vector.h"
#include "solver/derivative/mode_matrix.h"
#include "solver/derivative/smooth_path.h"

static const double BORDER = 1e-6;     // default
static const double ROUNDING = 1.5e-8; // a root of an energy that is the rounding of the island's
static const double OWN_ERRORS = 10.0; // errors of the solution within which a number counts as zero

const char *vs_row_status_name(vs_row_status status) {
    static const char *const names[] = {"open", "held", "limit", "smoothed", NULL};
    return vs_name_in(names, (int)status, "unknown");
}

vs_derivative_options vs_derivative_options_default(void) {
    return (vs_derivative_options){.model = VS_MODEL_EXACT, .border = BORDER};
}

// ---- life ------------------------------------------------------------------------------------------

static vs_error copy_solution(vs_derivative *d, const double *g, const double *lambda) {
    const vs_problem *p = d->problem;
    if ((lambda && !vs_vector_is_finite(p->m, lambda)) || (g && !vs_vector_is_finite(p->m_e, g)))
        return vs_fail(p->context, VS_ERROR_DATA, "derivative: an impulse is not finite");
    d->g = VS_NEW_ZERO(&d->arena, double, p->m_e);
    d->lambda = VS_NEW_ZERO(&d->arena, double, p->m);
    d->v = VS_NEW_ZERO(&d->arena, double, p->n);
    d->y = VS_NEW_ZERO(&d->arena, double, p->m);
    if (!d->g || !d->lambda || !d->v || !d->y)
        return VS_ERROR_MEMORY;
    memcpy(d->g, g ? g : d->g, (size_t)p->m_e * sizeof *g);
    memcpy(d->lambda, lambda ? lambda : d->lambda, (size_t)p->m * sizeof *lambda);
    return VS_OK;
}

// An unsymmetric H has another factor for the adjoint.
static vs_error create_adjoint_mass(vs_derivative *d) {
    const vs_problem *p = d->problem;
    d->adjoint_mass = d->mass.factor;
    if (p->local || p->symmetric)
        return VS_OK;
    d->transposed = *p;
    vs_error error = vs_sparse_transpose(&p->H, &d->arena, &d->transposed.H);
    if (!error)
        error = vs_mass_create(&d->transposed_own, &d->transposed, &d->arena);
    d->adjoint_mass = &d->transposed_own;
    return error;
}

static void flag_redundant(vs_derivative *d, int island) {
    for (int i = 0; i < d->problem->contacts; i++)
        if (d->mass.islands.contact[i] == island)
            d->modes.flags[i] |= VS_DERIVATIVE_REDUNDANT;
}

static vs_error factor_island(vs_derivative *d, int island, vs_mode_work *work) {
    vs_arena scratch;
    vs_arena_init(&scratch, d->problem->context);
    vs_pseudo_inverse *inverse = &d->inverse[island];
    vs_mode_matrix matrix;
    vs_error error = vs_mode_matrix_create(&matrix, &d->mass, &d->modes, island, work, &d->arena, &scratch);
    if (!error)
        error = matrix.dense ? vs_pseudo_inverse_create_dense(inverse, matrix.n, matrix.dense, &d->arena)
                             : vs_pseudo_inverse_create_sparse(inverse, &matrix.K, &d->arena);
    vs_arena_release(&scratch);
    d->rank += error ? 0 : inverse->rank;
    if (!error && inverse->rank < inverse->n)
        flag_redundant(d, island);
    return error;
}

static vs_error factor_islands(vs_derivative *d) {
    d->inverse = VS_NEW_ZERO(&d->arena, vs_pseudo_inverse, d->modes.islands);
    vs_mode_work work;
    vs_error error = d->inverse ? vs_mode_work_create(&work, d->problem, &d->arena) : VS_ERROR_MEMORY;
    for (int k = 0; k < d->modes.islands && !error; k++)
        error = factor_island(d, k, &work);
    return error;
}

static vs_error fill(vs_derivative *d, const vs_derivative_options *options, const double *g, const double *lambda) {
    vs_error error = copy_solution(d, g, lambda);
    if (!error)
        error = vs_mass_model_create(&d->mass, d->problem, options->model, &d->arena);
    if (!error)
        error = create_adjoint_mass(d);
    if (!error)
        error = vs_measurer_borrow(&d->mass, &d->measurer);
    if (!error && options->gap > 0)
        error = vs_smooth_path_find(d, options->gap);
    if (!error)
        error = vs_measure(d->measurer, d->g, d->lambda, d->problem->local ? NULL : d->v, d->y, &d->measures);
    if (error)
        return error;
    if (options->gap > 0)
        return factor_islands(d);
    const double own = OWN_ERRORS * d->measures.relative_error;
    d->border = own > options->border ? own : options->border;
    const vs_modes_zero zero = {d->border, fmax(own, ROUNDING)};
    error = vs_modes_create(&d->modes, &d->mass, zero, vs_measurer_units(d->measurer), d->lambda, d->y, &d->arena);
    return error ? error : factor_islands(d);
}

vs_error vs_derivative_create(const vs_problem *problem, const vs_derivative_options *options, const double *g,
                              const double *lambda, vs_derivative **out) {
    if (!out)
        return VS_ERROR_ARGUMENT;
    *out = NULL;
    if (!problem)
        return VS_ERROR_ARGUMENT;
    vs_context *context = problem->context;
    const vs_derivative_options defaults = vs_derivative_options_default();
    options = options ? options : &defaults;
    const bool smooth = options->gap > 0;
    if (!smooth && ((!g && problem->m_e > 0) || (!lambda && problem->m > 0)))
        return vs_fail(context, VS_ERROR_ARGUMENT, "derivative: g or lambda is null");
    if (!(options->border > 0) || options->model < VS_MODEL_RELAXED || options->model > VS_MODEL_EXACT)
        return vs_fail(context, VS_ERROR_ARGUMENT, "derivative: `border` must be positive and `model` one of vs_model");
    if (!(options->gap >= 0) || !isfinite(options->gap))
        return vs_fail(context, VS_ERROR_ARGUMENT, "derivative: `gap` must be 0 or positive");
    if (problem->space)
        return vs_fail(context, VS_ERROR_UNSUPPORTED, "derivative: not of distributed problems");
    vs_derivative *d = vs_allocate(context, sizeof *d);
    if (!d)
        return vs_fail_memory(context);
    memset(d, 0, sizeof *d);
    d->problem = problem;
    vs_arena_init(&d->arena, context);
    const vs_error error = fill(d, options, g, lambda);
    if (error)
        vs_derivative_destroy(d);
    else
        *out = d;
    return error == VS_ERROR_NUMERICAL
               ? vs_fail(context, VS_ERROR_DATA,
                         smooth ? "derivative: the central path could not be followed to this `gap`; try a larger one"
                                : "derivative: a factorization failed")
               : error;
}

void vs_derivative_destroy(vs_derivative *d) {
    if (!d)
        return;
    vs_context *context = d->problem->context;
    for (int k = 0; d->inverse && k < d->modes.islands; k++)
        vs_pseudo_inverse_release(&d->inverse[k]);
    vs_measurer_destroy(d->measurer);
    vs_mass_release(&d->transposed_own);
    vs_mass_model_release(&d->mass);
    vs_arena_release(&d->arena);
    vs_release(context, d);
}

vs_derivative_report vs_derivative_get_report(const vs_derivative *d) {
    if (!d)
        return (vs_derivative_report){0};
    return (vs_derivative_report){.measures = d->measures,
                                  .border = d->border,
                                  .unknowns = d->modes.count,
                                  .rank = d->rank,
                                  .borders = d->modes.borders,
                                  .row = d->modes.status,
                                  .flags = d->modes.flags,
                                  .v = d->problem->local ? NULL : d->v,
                                  .y = d->y,
                                  .g = d->g,
                                  .lambda = d->lambda,
                                  .iterations = d->iterations};
}
