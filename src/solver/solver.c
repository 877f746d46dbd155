// The public interface: options, a prepared solver, a result. It calls one of the methods of method.h.
#include "voussoir/solver.h"

#include <assert.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/names.h"
#include "linalg/blas.h"
#include "linalg/linear_solver.h"
#include "solver/forest/forest.h"
#include "solver/granular_tolerance.h"
#include "solver/least.h"
#include "solver/method.h"
#include "solver/options.h"

static const double LEAST_TIME = .2;    // share of a time budget below which auto does not try another method
static const double RELAXED_TIME = .3;  // share of a time budget reserved for the relaxed model as a fallback
static const double ROUGH = .1;         // relative error above which what a limit left is swept
static const double ROUGH_SMALL = 1e-3; // the same of small problems

struct vs_solver {
    vs_arena arena;
    vs_context *context;
    vs_method_run run;
    const vs_method_class *method;
    void *state;             // the method's
    vs_forest *forest;       // of a mechanism, else null
    vs_method_choice choice; // if the method is auto
    vs_solver *then;         // second choice of auto, created when it is first needed
    vs_solver *relaxed;      // for the relaxed fallback, else null
    vs_solver *sweeps;       // what is done at any budget, created when it is first needed
    double prepare;          // s, of creation or the last update
    double *v, *y;           // of the result
    bool old;                // the method has not been updated to the present problem
    bool then_old;           // nor the second choice
    bool sweeps_old;         // nor the sweeps
    bool by_forest;          // the forest found the result
    bool cold;               // warm starts of the caller are ignored
    char text[256];          // status text of a fallback
    char why[512];           // the reason of auto's choice
};

// ---- statuses ------------------------------------------------------------------------------------

const char *vs_status_name(vs_status status) {
    return vs_name_in(vs_status_names(), (int)status, "unknown");
}

// ---- life ------------------------------------------------------------------------------------------

static vs_error create_method(vs_solver *solver, const vs_solver_options *options) {
    vs_solver_options *chosen = &solver->run.options;
    int most = INT_MAX;
    if (options->method == VS_METHOD_AUTO) {
        solver->choice = vs_method_choose(&solver->run);
        chosen->method = solver->choice.first;
        most = solver->choice.most;
        solver->run.trial = most < INT_MAX;
    }
    vs_error error = vs_method_find(chosen, solver->context, &solver->method);
    if (error)
        return error;
    solver->method = vs_method_of_part(solver->method, solver->run.problem);
    error = vs_method_check(solver->method, &solver->run);
    if (error)
        return error;
    void *state = vs_arena_allocate_zero(&solver->arena, 1, solver->method->size);
    if (!state)
        return VS_ERROR_MEMORY;
    solver->state = state;
    solver->run.most_iterations = solver->method->most < most ? solver->method->most : most;
    return solver->method->create(state, &solver->run, &solver->arena);
}

// Where islands are solved one by one, trees of joints are tried first.
static vs_error create_forest(vs_solver *solver) {
    if (solver->method != &vs_cascade_class || solver->run.options.max_iterations == 0)
        return VS_OK;
    return vs_forest_create(&solver->run, &solver->arena, &solver->forest);
}

// The relaxed model, if it is the fallback of exact friction.
static vs_error create_fallback(vs_solver *solver, const vs_problem *problem, const vs_solver_options *options) {
    if (options->model != VS_MODEL_EXACT || options->exact.fallback != VS_FALLBACK_RELAXED)
        return VS_OK;
    vs_solver_options relaxed = *options;
    relaxed.model = VS_MODEL_RELAXED;
    relaxed.method = VS_METHOD_AUTO;
    relaxed.linear_solver = "auto";
    relaxed.max_iterations = -1;
    relaxed.max_time *= RELAXED_TIME;
    return vs_solver_create(problem, &relaxed, &solver->relaxed);
}

vs_error vs_solver_create(const vs_problem *problem, const vs_solver_options *options, vs_solver **out) {
    if (!out)
        return VS_ERROR_ARGUMENT;
    *out = NULL;
    if (!problem)
        return VS_ERROR_ARGUMENT;
    vs_context *context = problem->context;
    vs_solver_options defaults = vs_solver_options_default();
    options = options ? options : &defaults;
    vs_error error = vs_solver_options_validate(options, context);
    if (error)
        return error;
    double begin = vs_clock();
    vs_solver *solver = vs_allocate(context, sizeof *solver);
    if (!solver)
        return vs_fail_memory(context);
    memset(solver, 0, sizeof *solver);
    solver->context = context;
    vs_arena_init(&solver->arena, context);
    error = vs_method_run_create(&solver->run, problem, options, &solver->arena);
    // Starts that one method hands to the next are always used in full.
    solver->cold = options->warm_start == VS_WARM_START_NONE;
    if (solver->cold)
        solver->run.options.warm_start = VS_WARM_START_FULL;
    if (!error)
        error = create_method(solver, options);
    if (!error)
        error = create_forest(solver);
    if (!error)
        error = create_fallback(solver, problem, options);
    if (!error) {
        solver->v = VS_NEW(&solver->arena, double, problem->local ? 0 : problem->n);
        solver->y = VS_NEW_ZERO(&solver->arena, double, problem->m);
        error = solver->v && solver->y ? VS_OK : VS_ERROR_MEMORY;
    }
    if (!error)
        error = vs_method_run_try_measuring(&solver->run);
    solver->prepare = vs_clock() - begin;
    if (error)
        vs_solver_destroy(solver);
    else
        *out = solver;
    return error;
}

void vs_solver_destroy(vs_solver *solver) {
    if (!solver)
        return;
    if (solver->state && solver->method->release)
        solver->method->release(solver->state);
    vs_solver_destroy(solver->relaxed);
    vs_solver_destroy(solver->then);
    vs_solver_destroy(solver->sweeps);
    vs_method_run_release(&solver->run);
    vs_arena_release(&solver->arena);
    vs_release(solver->context, solver);
}

static bool same_rows(const vs_rows *a, const vs_rows *b) {
    return a->groups == b->groups && a->rows == b->rows && a->cols == b->cols &&
           memcmp(a->row, b->row, sizeof(int) * (size_t)(a->groups + 1)) == 0 &&
           memcmp(a->start, b->start, sizeof(int64_t) * (size_t)(a->groups + 1)) == 0 &&
           memcmp(a->col, b->col, sizeof(int) * (size_t)a->start[a->groups]) == 0;
}

static bool same_sparse(const vs_sparse *a, const vs_sparse *b) {
    return a->rows == b->rows && a->cols == b->cols &&
           memcmp(a->p, b->p, sizeof(int64_t) * (size_t)(a->cols + 1)) == 0 &&
           memcmp(a->i, b->i, sizeof(int) * (size_t)a->p[a->cols]) == 0;
}

static bool same_pattern(const vs_problem *a, const vs_problem *b, vs_model model) {
    if (a->local != b->local || a->symmetric != b->symmetric || a->contacts != b->contacts || a->m != b->m ||
        a->m_e != b->m_e || memcmp(a->kind, b->kind, sizeof *a->kind * (size_t)a->contacts) != 0 ||
        memcmp(a->row, b->row, sizeof(int) * (size_t)(a->contacts + 1)) != 0)
        return false;
    for (int i = 0; i < a->contacts && model != VS_MODEL_FRICTIONLESS; i++)
        if ((a->mu[i] > 0) != (b->mu[i] > 0))
            return false;
    for (int i = 0; i < a->contacts; i++)
        for (int row = a->row[i]; a->kind[i] == VS_CONE_BOX && row < a->row[i + 1]; row++)
            if (vs_scaled_is_prescribed(a, row) != vs_scaled_is_prescribed(b, row))
                return false;
    if (a->local)
        return same_sparse(&a->N, &b->N);
    return a->block_diagonal == b->block_diagonal && a->blocks == b->blocks && same_sparse(&a->H, &b->H) &&
           same_rows(&a->D, &b->D) && same_rows(&a->C, &b->C);
}

// The method follows the values of the problem.
static vs_error update_method(vs_solver *solver) {
    solver->old = false;
    vs_scaled_update(&solver->run.scaled, solver->run.measurer);
    return solver->method->update(solver->state);
}

vs_error vs_solver_update(vs_solver *solver, const vs_problem *problem) {
    if (!solver || !problem)
        return VS_ERROR_ARGUMENT;
    double begin = vs_clock();
    if (!same_pattern(solver->run.problem, problem, solver->run.options.model))
        return vs_fail(solver->context, VS_ERROR_DATA,
                       "problem: the pattern differs from the prepared one; create a new solver");
    vs_error error = vs_method_run_update_measures(&solver->run, problem);
    solver->then_old = solver->sweeps_old = true;
    solver->old = solver->forest != NULL; // which does not need the method
    if (!error && !solver->old)
        error = update_method(solver);
    if (!error && solver->relaxed)
        error = vs_solver_update(solver->relaxed, problem);
    if (!error)
        error = vs_method_run_try_measuring(&solver->run);
    solver->prepare = vs_clock() - begin;
    return error;
}

static bool copy_finite(const double *from, int count, double *to) {
    for (int k = 0; k < count; k++) {
        if (!isfinite(from[k]))
            return false;
        to[k] = from[k];
    }
    return true;
}

static vs_error set_start(vs_solver *solver, const double *v, const double *g, const double *lambda) {
    vs_method_run *run = &solver->run;
    run->warm_v = run->warm_g = run->warm_lambda = false;
    if (v && !run->problem->local && !copy_finite(v, run->problem->n, run->start_v))
        return vs_fail(solver->context, VS_ERROR_DATA, "warm start: v is not finite");
    if (g && !copy_finite(g, run->problem->m_e, run->start_g))
        return vs_fail(solver->context, VS_ERROR_DATA, "warm start: g is not finite");
    if (lambda && !copy_finite(lambda, run->problem->m, run->start_lambda))
        return vs_fail(solver->context, VS_ERROR_DATA, "warm start: lambda is not finite");
    run->warm_v = v && !run->problem->local;
    run->warm_g = g != NULL;
    run->warm_lambda = lambda != NULL;
    return VS_OK;
}

vs_error vs_solver_warm_start(vs_solver *solver, const double *v, const double *g, const double *lambda) {
    if (!solver)
        return VS_ERROR_ARGUMENT;
    return solver->cold ? VS_OK : set_start(solver, v, g, lambda);
}

vs_error vs_solver_set_tolerance(vs_solver *solver, double tolerance) {
    if (!solver)
        return VS_ERROR_ARGUMENT;
    vs_error error = vs_tolerance_validate(tolerance, solver->context);
    if (error)
        return error;
    solver->run.options.tolerance = tolerance;
    if (solver->relaxed)
        solver->relaxed->run.options.tolerance = tolerance;
    if (solver->then)
        solver->then->run.options.tolerance = tolerance;
    return VS_OK;
}

vs_error vs_solver_set_tolerances(vs_solver *solver, double tolerance, double granular) {
    enum { PARTS = 3 };
    vs_solver *const parts[PARTS] = {solver, solver->relaxed, solver->then};
    for (int k = 0; k < PARTS; k++)
        if (parts[k])
            parts[k]->run.options.granular_tolerance = granular;
    return vs_solver_set_tolerance(solver, tolerance);
}

const vs_island_map *vs_solver_islands(const vs_solver *solver) {
    return &solver->run.mass.islands;
}

void vs_solver_require_sweeps(vs_solver *solver) {
    solver->run.sweeps = true;
}

// ---- solving ---------------------------------------------------------------------------------------

// Points that may already be the solution: rest (l = 0) or the unmodified warm start.
static vs_error try_simple_points(const vs_method_class *method, vs_method_run *run, bool *done) {
    *done = vs_measurer_overflows(run->measurer);
    vs_error error = vs_method_run_measure_rest(run);
    if (*done) { // no result can be evaluated
        vs_method_run_end(run, VS_STATUS_OVERFLOW, "");
        return error;
    }
    bool warm = run->warm_lambda && run->options.warm_start == VS_WARM_START_FULL && !method->evaluates_start;
    if (!error && warm && !vs_method_run_converged(run, &run->measures)) {
        memcpy(run->lambda, run->start_lambda, sizeof(double) * (size_t)run->problem->m);
        if (run->warm_g)
            memcpy(run->g, run->start_g, sizeof(double) * (size_t)run->problem->m_e);
        error = vs_method_run_measure(run);
    }
    if (!error && vs_method_run_converged(run, &run->measures)) {
        vs_iteration line = {0};
        vs_method_run_check(run, &line);
        *done = true;
    }
    return error;
}

// Before the method: points that may be the solution, and trees of joints. Rest costs nothing where no box excludes it.
static vs_error try_before(vs_solver *solver, bool *done) {
    vs_method_run *run = &solver->run;
    const bool first = !solver->forest || vs_method_run_may_rest(run);
    vs_error error = first ? try_simple_points(solver->method, run, done) : VS_OK;
    solver->by_forest = false;
    if (!error && !*done && solver->forest) {
        error = vs_forest_solve(solver->forest, done);
        solver->by_forest = *done;
    }
    if (!error && !*done && solver->old)
        error = update_method(solver);
    if (!error && !*done && !first)
        error = try_simple_points(solver->method, run, done);
    return error;
}

static void report(vs_solver *solver, vs_result *result, double seconds) {
    const vs_method_run *run = &solver->run;
    static const vs_counts none = {0};
    const vs_method_class *method = solver->method;
    const vs_counts *counts = method->counts ? method->counts(solver->state) : &none;
    *result = (vs_result){
        .status = run->status,
        .status_text = run->reason,
        .model = run->options.model,
        .method = method->name,
        .form = "impulse",
        .linear_solver = "none",
        .choice = method->purpose,
        .positive = -1,
        .negative = -1,
        .iterations = run->iterations,
        .factorizations = counts->factorizations,
        .triangular_solves = counts->solves,
        .cg_steps = counts->cg_steps,
        .regularization = counts->regularization,
        .measures = run->best,
        .times = {.prepare = solver->prepare,
                  .assemble = counts->assemble,
                  .factor = counts->factor,
                  .solve = counts->solve,
                  .other = seconds - counts->assemble - counts->factor - counts->solve,
                  .total = solver->prepare + seconds},
        .v = run->problem->local ? NULL : solver->v,
        .g = run->best_g,
        .lambda = run->best_lambda,
        .y = solver->y,
        .history = run->history,
        .history_count = run->history_count,
    };
    if (method->report)
        method->report(solver->state, result);
    if (solver->by_forest) {
        result->factorizations = solver->forest->stage.factorizations;
        result->stages = &solver->forest->stage;
        result->stage_count = 1;
    }
    if (solver->choice.why) {
        (void)snprintf(solver->why, sizeof solver->why, "auto chose %s: %s; %s", result->method, solver->choice.why,
                       result->choice);
        result->choice = solver->why;
    }
}

// Is auto's first choice none for this warm start, which was measured last? That of a structure at rest meets the tolerance
// within a factor of two, that of one in motion misses it by factors of 20 to 100 (walls, vaults, domes).
static bool is_for_another(const vs_solver *solver) {
    const vs_method_run *run = &solver->run;
    static const double MOVING = 5; // error over tolerance
    return solver->choice.still && run->warm_lambda && run->options.warm_start == VS_WARM_START_FULL &&
           run->measures.relative_error > MOVING * run->options.tolerance;
}

// Did auto's first choice fail, and is there time for another?
static bool needs_another(const vs_solver *solver) {
    const vs_method_run *run = &solver->run;
    bool another = solver->choice.first != solver->choice.then;
    bool failed = (run->status == VS_STATUS_INACCURATE && !run->rounded) || run->status == VS_STATUS_BREAKDOWN ||
                  run->status == VS_STATUS_ITERATION_LIMIT;
    return another && failed && vs_method_run_fits(run, LEAST_TIME * run->max_time);
}

// Iterations after which the fixed point on the slip speeds is given up: where it converges it takes a hundred, and a problem
// without a solution is to cost no more than the cascade spent on it.
enum { FIXED_POINT = 150 };

// Auto's second choice from the same start; returns its result if it is better.
static vs_error solve_by_another(vs_solver *solver, const double *v, const double *g, const double *lambda,
                                 vs_result *result) {
    const vs_method_run *run = &solver->run;
    vs_solver_options options = run->options;
    vs_error error = VS_OK;
    options.method = solver->choice.then;
    if (run->options.model == VS_MODEL_EXACT && options.method == VS_METHOD_IPM && run->options.exact.patience > 0)
        options.max_iterations = run->options.exact.patience < FIXED_POINT ? run->options.exact.patience : FIXED_POINT;
    if (!solver->then)
        error = vs_solver_create(run->problem, &options, &solver->then);
    else if (solver->then_old)
        error = vs_solver_update(solver->then, run->problem);
    if (error == VS_ERROR_UNSUPPORTED) // with these options the first choice is the only one
        return VS_OK;
    if (error)
        return error;
    assert(solver->then);
    error = set_start(solver->then, v, g, lambda);
    if (error)
        return error;
    solver->then_old = false;
    solver->then->run.sweeps = run->sweeps;
    vs_result then;
    solver->then->run.options.max_time = run->max_time > 0 ? fmax(run->max_time - vs_method_run_elapsed(run), 1e-9) : 0;
    error = vs_solver_solve(solver->then, &then);
    if (error)
        return error;
    bool better = then.status == VS_STATUS_CONVERGED || then.measures.relative_error < result->measures.relative_error;
    (void)snprintf(solver->why, sizeof solver->why, "auto chose %s: %s; after %d iterations %s: %s", result->method,
                   solver->choice.why, run->iterations, then.method, then.choice);
    then.choice = solver->why;
    then.times.prepare += result->times.prepare;
    then.times.other += result->times.total - result->times.prepare;
    then.times.total += result->times.total;
    if (better)
        *result = then;
    return VS_OK;
}

// Heavy bodies on light ones sink through them with a few sweeps per step, and with an error that is small beside the heavy
// ones' energy. In small problems of convex models iterations of the interior point method cost no more.
static bool is_small(const vs_method_run *run) {
    enum { ROWS = 100 };
    return run->options.model != VS_MODEL_EXACT && run->problem->m <= ROWS;
}

// Did a limit end auto's choice with little done? The cascade takes care of its islands; a method that the caller chose does
// what it does.
static bool needs_sweeps(const vs_solver *solver, const vs_result *result) {
    const vs_method_run *run = &solver->run;
    return solver->choice.why && vs_method_run_needs_least(run, result->status) && !run->problem->space &&
           run->problem->m > 0 && strcmp(result->method, vs_cascade_class.name) != 0 &&
           result->measures.relative_error > (is_small(run) ? ROUGH_SMALL : ROUGH);
}

// The other solver's impulses and what follows from them; status and report stay.
static void take_impulses(const vs_result *from, vs_result *result) {
    result->model = from->model;
    result->measures = from->measures;
    result->v = from->v;
    result->g = from->g;
    result->lambda = from->lambda;
    result->y = from->y;
    result->compliance = 0;
}

// A few sweeps or iterations from the best iterate: where it is rest, which is next to nothing, bodies would fall through each other.
static vs_error sweep_rest(vs_solver *solver, vs_result *result) {
    vs_solver_options options = solver->run.options;
    vs_error error = VS_OK;
    const bool small = is_small(&solver->run);
    options.method = small ? VS_METHOD_IPM : VS_METHOD_GAUSS_SEIDEL;
    options.max_time = 0;
    options.max_iterations = small ? VS_LEAST_ITERATIONS : VS_LEAST_SWEEPS;
    options.exact.fallback = VS_FALLBACK_LEAST_ERROR;
    if (!solver->sweeps)
        error = vs_solver_create(solver->run.problem, &options, &solver->sweeps);
    else if (solver->sweeps_old)
        error = vs_solver_update(solver->sweeps, solver->run.problem);
    if (error == VS_ERROR_UNSUPPORTED) // options of the method that ran out of time
        return VS_OK;
    if (!error)
        error = set_start(solver->sweeps, NULL, result->g, result->lambda);
    if (error)
        return error;
    solver->sweeps_old = false;
    vs_result swept;
    error = vs_solver_solve(solver->sweeps, &swept);
    if (error || !(swept.measures.relative_error < result->measures.relative_error))
        return error;
    take_impulses(&swept, result);
    result->iterations += swept.iterations;
    if (swept.status == VS_STATUS_CONVERGED)
        result->status = swept.status, result->status_text = swept.status_text;
    return VS_OK;
}

// Replaces an exact solution that did not reach the tolerance by the relaxed one; the status stays.
static vs_error return_relaxed(vs_solver *solver, vs_result *result) {
    vs_result relaxed;
    vs_error error = vs_solver_solve(solver->relaxed, &relaxed);
    if (error || relaxed.status != VS_STATUS_CONVERGED)
        return error;
    snprintf(solver->text, sizeof solver->text, "%.120s; returned is the solution of the relaxed model",
             result->status_text);
    result->status_text = solver->text;
    take_impulses(&relaxed, result);
    return VS_OK;
}

vs_error vs_solver_solve(vs_solver *solver, vs_result *result) {
    if (!solver || !result)
        return VS_ERROR_ARGUMENT;
    vs_method_run *run = &solver->run;
    double begin = vs_clock();
    vs_method_run_begin(run);
    if (solver->relaxed)
        run->max_time *= 1 - RELAXED_TIME;
    const vs_method_class *method = solver->method;
    if (method->begin)
        method->begin(solver->state);
    // Joints alone are linear: there is nothing to leave out.
    run->obliged = run->problem->m == 0 && !run->problem->space && run->options.max_iterations < 0;
    bool done = false;
    vs_error error = try_before(solver, &done);
    if (!error && !done && is_for_another(solver))
        vs_method_run_end(run, VS_STATUS_INACCURATE, "");
    else if (!error && !done)
        error = method->solve(solver->state);
    if (error)
        return error;
    bool limited = !done && method->velocities && method->velocities(solver->state, solver->v);
    // measures, v and y of the returned impulses
    if (limited) {
        error = vs_measure(run->measurer, run->best_g, run->best_lambda, NULL, NULL, &run->best);
        vs_method_run_contact_velocities(run, solver->v, run->best_lambda, solver->y);
    } else {
        error = vs_method_run_finish(run, solver->v, solver->y);
    }
    const double *v = run->warm_v ? run->start_v : NULL, *g = run->warm_g ? run->start_g : NULL,
                 *lambda = run->warm_lambda ? run->start_lambda : NULL;
    run->warm_v = run->warm_g = run->warm_lambda = false;
    report(solver, result, vs_clock() - begin);
    result->rounding_limited = limited;
    if (!error && needs_another(solver))
        error = solve_by_another(solver, v, g, lambda, result);
    if (!error && needs_sweeps(solver, result))
        error = sweep_rest(solver, result);
    if (!error && solver->relaxed && result->status != VS_STATUS_CONVERGED)
        error = return_relaxed(solver, result);
    return error;
}

// ---- contents of this build ------------------------------------------------------------------------

int vs_backend_count(void) {
    int count = 0;
    while (vs_linear_backends[count])
        count++;
    return count;
}

vs_backend_info vs_backend_at(int index) {
    if (index < 0 || index >= vs_backend_count())
        return (vs_backend_info){0};
    const vs_linear_backend *backend = vs_linear_backends[index];
    return (vs_backend_info){backend->name, backend->version, backend->licence, backend->purpose};
}

const char *vs_solver_blas(void) {
    return vs_blas_name();
}
