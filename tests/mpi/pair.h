// One problem on all ranks and, on rank 0, in one process: the solutions are the same. Included by the tests that mpirun starts.
#include "../solver/parts.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "problem/problem_data.h"
#include "voussoir/mpi/distributed.h"

// Both solves leave an error of about the tolerance times the free velocities, several times that where contacts are
// redundant: 1e-8 is the documented accuracy.
static const double AGREE = 1e-8;

typedef struct pair {
    vs_context *context;
    vs_problem *whole; // rank 0
    vs_distributed *distributed;
} pair;

// Takes the problem of rank 0 over.
static pair divide_problem(vs_context *context, vs_problem *whole) {
    pair p = {.context = context, .whole = whole};
    if (vs_distributed_create(context, whole, &p.distributed) != VS_OK)
        fail_msg("%s", vs_context_get_error_text(context));
    return p;
}

static pair divide(vs_context *context, const scene *s) {
    return divide_problem(context, vs_mpi_rank() == 0 ? must_build(context, s) : NULL);
}

static void end_pair(pair *p) {
    vs_distributed_destroy(p->distributed);
    vs_problem_destroy(p->whole);
}

// Of the solution and, with exact friction, whose steps often end at rest, of the motion without impulses.
static double find_speed(const pair *p, vs_model model, vs_measurer *measurer, const vs_result *alone) {
    const vs_problem *whole = p->whole;
    const size_t rows = (size_t)(whole->m + whole->m_e + whole->n) + 1;
    double *zero = calloc(rows, sizeof *zero), *v = calloc(rows, sizeof *v), speed = 0;
    vs_measures rest;
    if (model == VS_MODEL_EXACT && !whole->local)
        assert_int_equal(vs_measure(measurer, zero, zero, v, NULL, &rest), VS_OK);
    for (int j = 0; j < whole->n; j++)
        speed = fmax(speed, fmax(fabs(alone->v[j]), fabs(v[j])));
    for (int k = 0; k < whole->m && whole->local; k++)
        speed = fmax(speed, fmax(fabs(alone->y[k]), fabs(whole->r[k])));
    free(v);
    free(zero);
    return speed;
}

// The whole problem in one process, on rank 0 alone.
static void compare(const pair *p, const vs_solver_options *options, double agree, const vs_result *found) {
    vs_solver *solver = NULL;
    vs_result alone;
    assert_int_equal(vs_solver_create(p->whole, options, &solver), VS_OK);
    assert_int_equal(vs_solver_solve(solver, &alone), VS_OK);
    assert_int_equal(alone.status, VS_STATUS_CONVERGED);
    vs_measurer *measurer = NULL;
    vs_measures again;
    assert_int_equal(vs_measurer_create(p->whole, options->model, &measurer), VS_OK);
    const double speed = find_speed(p, options->model, measurer, &alone);
    assert_true((found->v == NULL) == p->whole->local);
    const double difference = largest_difference(alone.v, found->v, p->whole->n);
    if (!(difference <= agree * speed))
        fail_msg("%s, %d contacts: velocities differ by %g of %g m/s", found->method, p->whole->contacts, difference,
                 speed);
    assert_true(largest_difference(alone.y, found->y, p->whole->m) <= 10 * agree * speed);

    // The measures of all ranks together are those of one process on the gathered impulses.
    assert_int_equal(vs_measure(measurer, found->g, found->lambda, NULL, NULL, &again), VS_OK);
    assert_true(fabs(again.energy_scale - found->measures.energy_scale) <= 1e-12 * again.energy_scale);
    // Islands over several ranks are one, and the worst of all ranks counts.
    assert_true(again.islands == found->measures.islands);
    assert_true(again.relative_error <= 2 * found->measures.relative_error + 1e-12);
    // of values near roundoff only the size
    assert_true(again.energy_error <= 2 * found->measures.energy_error + 1e-24 * again.energy_scale);
    assert_true(again.natural_map_relative <= 2 * found->measures.natural_map_relative + 1e-13);
    vs_measurer_destroy(measurer);
    vs_solver_destroy(solver);
}

// `whole`: of rank 0, taken over.
static void solve_whole_to(vs_context *context, vs_problem *whole, vs_method method, vs_model model, double tolerance,
                           double agree) {
    pair p = divide_problem(context, whole);
    vs_solver_options options = vs_solver_options_default();
    options.model = model;
    options.method = method;
    options.tolerance = tolerance;
    vs_solver *solver = NULL;
    vs_result result;
    assert_int_equal(vs_solver_create(vs_distributed_get_part(p.distributed), &options, &solver), VS_OK);
    assert_int_equal(vs_solver_solve(solver, &result), VS_OK);
    if (result.status != VS_STATUS_CONVERGED)
        fail_msg("%s, %s: %s after %d iterations, %g of %g J", result.method, vs_model_name(model), result.status_text,
                 result.iterations, result.measures.energy_error, result.measures.energy_scale);
    // Predictor, corrector and four more with each factor, refined once; a factor that is not that of the system would
    // cost many more.
    assert_true(result.triangular_solves <= 6 * 2 * result.factorizations);
    assert_int_equal(vs_distributed_gather(p.distributed, &result), VS_OK);
    if (vs_mpi_rank() == 0)
        compare(&p, &options, agree, &result);
    vs_solver_destroy(solver);
    end_pair(&p);
}

static void solve_whole(vs_context *context, vs_problem *whole, vs_method method, vs_model model, double tolerance) {
    solve_whole_to(context, whole, method, model, tolerance, AGREE);
}

static void solve_and_compare(void **state, const scene *s, vs_method method, vs_model model, double tolerance) {
    vs_context *context = context_of(state);
    solve_whole(context, vs_mpi_rank() == 0 ? must_build(context, s) : NULL, method, model, tolerance);
}
