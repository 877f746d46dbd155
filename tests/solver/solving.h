// What the tests of the solvers share: a solve whose outcome is copied out of the solver and judged by vs_measure(), never by the solver's own word.
#ifndef VS_TESTS_SOLVER_SOLVING_H
#define VS_TESTS_SOLVER_SOLVING_H

#include "generate.h"
#include "kit/compare.h"
#include "kit/fixture.h"
#include "voussoir/solver.h"

static inline vs_problem *must_build(vs_context *context, const scene *s) {
    vs_problem *problem = NULL;
    vs_error error = build_scene(context, s, &problem);
    must(error, context);
    return problem;
}

// ---- outcomes ----------------------------------------------------------------------------------------

typedef struct outcome {
    vs_error error; // everything else is only there without one
    vs_status status;
    int iterations, factorizations, n, m, m_e;
    double *v, *g, *lambda, *y; // v (n) also for the local form (empty)
    vs_measures measures;       // by vs_measure() of g, lambda
    char form[16], backend[16];
} outcome;

static inline double *copy_doubles(const double *from, int count) {
    double *to = calloc((size_t)count + 1, sizeof *to);
    if (from)
        memcpy(to, from, (size_t)count * sizeof *to);
    return to;
}

static inline void free_outcome(outcome *o) {
    free(o->v), free(o->g), free(o->lambda), free(o->y);
    *o = (outcome){0};
}

// Copies, and measures again: the solver must report the values of vs_measure().
static inline outcome keep_result(const vs_problem *problem, const vs_solver_options *options,
                                  const vs_result *result) {
    vs_problem_info info = vs_problem_get_info(problem);
    outcome o = {.status = result->status, .iterations = result->iterations, .factorizations = result->factorizations};
    o.n = info.local ? 0 : info.n, o.m = info.m, o.m_e = info.m_e;
    o.g = copy_doubles(result->g, o.m_e), o.lambda = copy_doubles(result->lambda, o.m);
    o.v = copy_doubles(result->v, o.n), o.y = copy_doubles(result->y, o.m);
    snprintf(o.form, sizeof o.form, "%s", result->form);
    snprintf(o.backend, sizeof o.backend, "%s", result->linear_solver);

    vs_measurer *measurer = NULL;
    double *v = copy_doubles(NULL, o.n), *y = copy_doubles(NULL, o.m);
    assert_int_equal(vs_measurer_create(problem, options->model, &measurer), VS_OK);
    assert_int_equal(vs_measure(measurer, o.g, o.lambda, info.local ? NULL : v, y, &o.measures), VS_OK);
    vs_measurer_destroy(measurer);
    if (!result->rounding_limited) {
        assert_memory_equal(v, o.v, (size_t)o.n * sizeof *v);
        assert_memory_equal(y, o.y, (size_t)o.m * sizeof *y);
    }
    assert_memory_equal(&o.measures, &result->measures, sizeof o.measures);
    free(v), free(y);

    // a status is a promise about the measures
    double tol = options->tolerance;
    bool met = o.measures.relative_error <= tol && o.measures.relative_work <= sqrt(tol) &&
               (options->criterion == VS_CRITERION_ENERGY || o.measures.natural_map_relative <= tol);
    assert_int_equal(o.status == VS_STATUS_CONVERGED, met);
    assert_true(result->status_text && (met || result->status_text[0]));
    return o;
}

static inline outcome solve_problem(const vs_problem *problem, const vs_solver_options *options) {
    vs_solver *solver = NULL;
    vs_result result;
    vs_error error = vs_solver_create(problem, options, &solver);
    if (!error)
        error = vs_solver_solve(solver, &result);
    outcome o = {.error = error};
    if (!error)
        o = keep_result(problem, options, &result);
    vs_solver_destroy(solver);
    return o;
}

static inline outcome solve_scene(vs_context *context, const scene *s, const vs_solver_options *options) {
    vs_problem *problem = must_build(context, s);
    outcome o = solve_problem(problem, options);
    vs_problem_destroy(problem);
    return o;
}

// Of the relaxed model.
static inline vs_solver_options make_options(double tolerance) {
    vs_solver_options options = vs_solver_options_default();
    options.model = VS_MODEL_RELAXED;
    options.tolerance = tolerance;
    options.criterion = VS_CRITERION_ENERGY;
    return options;
}

// What the tolerance is compared with.
static inline double relative_error(const vs_measures *measures) {
    return measures->relative_error;
}

static inline void assert_converged(const char *what, const outcome *o) {
    if (o->error || o->status != VS_STATUS_CONVERGED)
        fail_msg("%s (%s, %s): %s, energy error %.3g of e0 (as a root), %d iterations", what, o->form, o->backend,
                 o->error ? vs_error_name(o->error) : vs_status_name(o->status), relative_error(&o->measures),
                 o->iterations);
}

#endif
