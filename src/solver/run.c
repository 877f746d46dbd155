// Evaluation of iterates: measure on the unscaled problem, keep the best, check the limits. See run.h.
#include "solver/run.h"

#include <limits.h>
#include <math.h>
#include <string.h>

#include "base/clock.h"
#include "base/context.h"
#include "solver/tolerance.h"

// If the error does not decrease by a tenth in this many iterations, a method must stop. While the error still rises to
// the scale of the solution (very different masses), a gap that halves is progress as well. Once the energy error is
// the rounding of the impulses, velocities still improve by an order or more per iteration: a few more.
enum { PATIENCE = 15, ROUNDED = 10 };
enum { WARM_TRIAL = 24 }; // iterations of a trial from a warm start: where it is the better method, it is near

// ---- the time budget -------------------------------------------------------------------------------

// A budget is processor time of the calling thread: time taken by other processes does not count, and the same budget
// gives nearly the same result on a busy machine. But the caller waits for the result: wall time counts beyond this
// grace, which matters for budgets of seconds. Several threads: wall time alone.
static const double GRACE = .1; // s
static const char OUT_OF_TIME[] = "out of time; returned is the best iterate (least error)";

static void start_clock(vs_method_run *run) {
    run->begun = vs_clock();
    run->begun_thread = run->options.max_time > 0 ? vs_thread_clock() : 0;
}

double vs_method_run_elapsed(const vs_method_run *run) {
    double wall = vs_clock() - run->begun;
    double here =
        vs_context_threads(run->context) > 1 ? wall : fmax(vs_thread_clock() - run->begun_thread, wall - GRACE);
    return vs_space_max(run->problem->space, here);
}

bool vs_method_run_fits(const vs_method_run *run, double seconds) {
    return run->max_time <= 0 || run->obliged || vs_method_run_elapsed(run) + seconds + run->reserve <= run->max_time;
}

bool vs_method_run_late(vs_method_run *run, vs_pace *pace, bool first, double guess) {
    if (run->max_time <= 0 || run->obliged)
        return false;
    double now = vs_method_run_elapsed(run);
    if (!first)
        pace->seconds = now - pace->begun;
    pace->begun = now;
    if (now + (pace->seconds > 0 ? pace->seconds : guess) + run->reserve <= run->max_time)
        return false;
    if (run->history_count == 0) { // even the first part does not fit: the result is the start
        vs_iteration line = {.energy_error = run->best.energy_error,
                             .natural_map_relative = run->best.natural_map_relative};
        if (vs_method_run_note(run, &line))
            return true;
    }
    vs_method_run_end(run, VS_STATUS_TIME_LIMIT, OUT_OF_TIME);
    return true;
}

vs_error vs_method_run_try_measuring(vs_method_run *run) {
    if (!(run->options.max_time > 0))
        return VS_OK;
    vs_measures measures;
    start_clock(run);
    vs_error error = vs_measure(run->measurer, run->best_g, run->best_lambda, run->v, run->y, &measures);
    run->measuring = vs_method_run_elapsed(run);
    return error;
}

// ---- life ------------------------------------------------------------------------------------------

vs_error vs_method_run_create(vs_method_run *run, const vs_problem *problem, const vs_solver_options *options,
                              vs_arena *arena) {
    memset(run, 0, sizeof *run);
    run->context = problem->context;
    run->problem = problem;
    run->options = *options;
    run->most_iterations = INT_MAX;
    run->boxes = vs_space_any(problem->space, problem->lo != NULL);
    int n = problem->local ? 0 : problem->n, m = problem->m, m_e = problem->m_e;
    double **arrays[] = {&run->y, &run->lambda, &run->best_lambda, &run->start_lambda,
                         &run->g, &run->best_g, &run->start_g};
    int sizes[] = {m, m, m, m, m_e, m_e, m_e};
    for (int k = 0; k < 7; k++) {
        *arrays[k] = VS_NEW_ZERO(arena, double, sizes[k]);
        if (!*arrays[k])
            return VS_ERROR_MEMORY;
    }
    // large arrays are not touched before they are needed
    run->v = VS_NEW(arena, double, n);
    run->start_v = VS_NEW(arena, double, n);
    run->history = VS_NEW(arena, vs_iteration, VS_HISTORY_MOST);
    if (!run->v || !run->start_v || !run->history)
        return VS_ERROR_MEMORY;
    vs_error error = vs_mass_model_create(&run->mass, problem, options->model, arena);
    if (!error)
        error = vs_measurer_borrow(&run->mass, &run->measurer);
    if (!error)
        error = vs_scaled_create(&run->scaled, &run->mass, run->measurer, arena);
    return error;
}

void vs_method_run_release(vs_method_run *run) {
    vs_measurer_destroy(run->measurer);
    run->measurer = NULL;
    vs_mass_model_release(&run->mass);
}

vs_error vs_method_run_update_measures(vs_method_run *run, const vs_problem *problem) {
    run->problem = problem;
    vs_error error = vs_mass_model_update(&run->mass, problem);
    return error ? error : vs_measurer_update(run->measurer);
}

vs_error vs_method_run_update(vs_method_run *run, const vs_problem *problem) {
    vs_error error = vs_method_run_update_measures(run, problem);
    if (!error)
        vs_scaled_update(&run->scaled, run->measurer);
    return error;
}

bool vs_method_run_needs_least(const vs_method_run *run, vs_status status) {
    bool counted = run->sweeps && run->options.max_iterations != 0; // without any, the question is about the start
    return status == VS_STATUS_TIME_LIMIT || (status == VS_STATUS_ITERATION_LIMIT && counted);
}

void vs_method_run_forget(vs_method_run *run) {
    run->best.relative_error = INFINITY;
    run->best_excess = INFINITY;
}

void vs_method_run_again(vs_method_run *run) {
    run->since_best = 0;
    run->least = INFINITY;
    run->last_gap = 0;
    run->rounded_for = 0;
}

void vs_method_run_begin(vs_method_run *run) {
    run->max_iterations = run->options.max_iterations >= 0 ? run->options.max_iterations : run->most_iterations;
    if (run->trial && run->warm_lambda && run->max_iterations > WARM_TRIAL)
        run->max_iterations = WARM_TRIAL;
    start_clock(run);
    run->max_time = run->options.max_time;
    run->reserve = run->measuring;
    run->obliged = false;
    run->iterations = 0;
    run->history_count = 0;
    run->stage = "";
    vs_method_run_again(run);
    vs_method_run_forget(run);
    run->rounding = 0;
    run->improved = run->rests = false;
    run->status = VS_STATUS_INACCURATE;
    run->reason = "";
}

// ---- measuring -------------------------------------------------------------------------------------

// Rotational rows are scaled to lengths, and back.
static void project_rolling(const vs_method_run *run, int contact, double *l) {
    double ell[VS_DISCS_ROWS], x[VS_DISCS_ROWS] = {0};
    const vs_discs d = vs_mass_model_discs(&run->mass, contact, ell);
    for (int k = 0; k < d.rows; k++)
        x[k] = l[k] / ell[k];
    vs_discs_project(&d, x, x);
    for (int k = 0; k < d.rows; k++)
        l[k] = x[k] * ell[k];
}

// The nearest point of the cones: an iterate may be outside by roundoff.
static void project_impulses(vs_method_run *run) {
    const vs_problem *problem = run->problem;
    for (int i = 0; i < problem->contacts; i++) {
        double *l = run->lambda + problem->row[i];
        switch (problem->kind[i]) {
        case VS_CONE_SECOND_ORDER:
            vs_friction_project(run->options.model == VS_MODEL_FRICTIONLESS ? 0 : problem->mu[i], l, l);
            break;
        case VS_CONE_ROLLING:
        case VS_CONE_ELLIPTIC:
            project_rolling(run, i, l);
            break;
        case VS_CONE_NONNEG:
            l[0] = fmax(l[0], 0);
            break;
        case VS_CONE_BOX:
            for (int row = problem->row[i]; row < problem->row[i + 1]; row++)
                run->lambda[row] = fmin(fmax(run->lambda[row], problem->lo[row]), problem->hi[row]);
        }
    }
}

// An error of the strict islands, and that of all: those of granular islands count by the ratio of the tolerances.
static double weighted(const vs_method_run *run, double strict, double all) {
    return fmax(strict, all * (run->options.tolerance / vs_granular_tolerance(&run->options)));
}

// Keeps the evaluated iterate if it is the best.
static void keep(vs_method_run *run) {
    // Energy due to rounding of the impulses does not distinguish iterates: the later one is better.
    const double error = weighted(run, run->measures.strict_error, run->measures.relative_error),
                 excess = fmax(0, error * error - run->rounding);
    bool rounded = excess == 0 && run->rounding > 0;
    run->rounded_for = rounded ? run->rounded_for + 1 : 0;
    run->improved = excess < run->best_excess || rounded || vs_method_run_converged(run, &run->measures);
    if (run->improved) {
        run->best = run->measures;
        run->best_excess = excess;
        run->rounded = rounded;
        run->rests = false;
        memcpy(run->best_g, run->g, sizeof(double) * (size_t)run->problem->m_e);
        memcpy(run->best_lambda, run->lambda, sizeof(double) * (size_t)run->problem->m);
    }
}

vs_error vs_method_run_measure(vs_method_run *run) {
    project_impulses(run);
    vs_error error = vs_measurer_evaluate(run->measurer, run->g, run->lambda, run->v, run->y, &run->measures);
    if (!error)
        keep(run);
    return error;
}

bool vs_method_run_may_rest(const vs_method_run *run) {
    const vs_problem *problem = run->problem;
    for (int i = 0; i < problem->contacts && run->boxes; i++)
        for (int row = problem->row[i]; row < problem->row[i + 1] && problem->kind[i] == VS_CONE_BOX; row++)
            if (!(problem->lo[row] <= 0 && problem->hi[row] >= 0))
                return false;
    return true;
}

vs_error vs_method_run_measure_rest(vs_method_run *run) {
    memset(run->lambda, 0, sizeof(double) * (size_t)run->problem->m);
    memset(run->g, 0, sizeof(double) * (size_t)run->problem->m_e);
    if (run->boxes && (run->problem->space || !vs_method_run_may_rest(run)))
        return vs_method_run_measure(run);
    vs_measurer_evaluate_rest(run->measurer, &run->measures);
    keep(run);
    run->rests = run->improved;
    return VS_OK;
}

vs_error vs_method_run_finish(vs_method_run *run, double *v, double *y) {
    if (!run->improved || run->rests)
        return vs_measure(run->measurer, run->best_g, run->best_lambda, v, y, &run->best);
    // The iterate measured last is the best: its velocities are known.
    if (!run->problem->local)
        memcpy(v, run->v, sizeof(double) * (size_t)run->problem->n);
    memcpy(y, run->y, sizeof(double) * (size_t)run->problem->m);
    return vs_measurer_complete(run->measurer, run->best_g, run->best_lambda, &run->best);
}

void vs_method_run_contact_velocities(const vs_method_run *run, const double *v, const double *lambda, double *y) {
    const vs_problem *problem = run->problem;
    vs_rows_multiply(&problem->D, 1, v, 0, y, problem->context);
    for (int k = 0; k < problem->m; k++)
        y[k] += problem->E[k] * lambda[k] - problem->b[k];
}

double vs_method_run_error(const vs_method_run *run, const vs_measures *measures) {
    const bool both = run->options.criterion == VS_CRITERION_BOTH;
    return fmax(weighted(run, measures->strict_error, measures->relative_error),
                both ? weighted(run, measures->strict_map, measures->natural_map_relative) : 0);
}

bool vs_method_run_converged(const vs_method_run *run, const vs_measures *measures) {
    return !vs_measurer_overflows(run->measurer) && vs_measures_meet_options(measures, &run->options);
}

// ---- progress and end -----------------------------------------------------------------------------

bool vs_method_run_note(vs_method_run *run, vs_iteration *line) {
    line->iteration = run->iterations;
    line->seconds = vs_clock() - run->begun;
    line->stage = run->stage;
    if (run->history_count < VS_HISTORY_MOST)
        run->history[run->history_count++] = *line;
    bool stopped = run->options.progress && !run->options.progress(run->options.progress_user, line);
    if (vs_space_any(run->problem->space, stopped))
        vs_method_run_end(run, VS_STATUS_STOPPED, "stopped by the caller; returned is the best iterate (least error)");
    else if (!vs_method_run_fits(run, 0))
        vs_method_run_end(run, VS_STATUS_TIME_LIMIT, OUT_OF_TIME);
    else if (run->iterations >= run->max_iterations && !run->obliged)
        vs_method_run_end(run, VS_STATUS_ITERATION_LIMIT,
                          "out of iterations; returned is the best iterate (least error)");
    else
        return false;
    return true;
}

bool vs_method_run_check(vs_method_run *run, vs_iteration *line) {
    const vs_measures *measures = &run->measures;
    line->energy_error = measures->energy_error;
    line->natural_map_relative = measures->natural_map_relative;
    double error = vs_method_run_error(run, measures);
    run->since_best++;
    if (error < .9 * run->least) {
        run->least = error;
        run->since_best = 0;
    } else if (line->gap < .5 * run->last_gap && line->gap > run->options.tolerance * run->options.tolerance) {
        run->since_best = 0;
    }
    run->last_gap = line->gap;
    bool stop = vs_method_run_note(run, line);
    if (vs_method_run_converged(run, measures))
        vs_method_run_end(run, VS_STATUS_CONVERGED, "");
    else if (!stop && (run->since_best > PATIENCE || run->rounded_for > ROUNDED))
        vs_method_run_end(run, VS_STATUS_INACCURATE, "no more progress; returned is the best iterate (least error)");
    else
        return stop;
    return true;
}

void vs_method_run_end(vs_method_run *run, vs_status status, const char *reason) {
    run->status = status;
    run->reason = reason;
    if (run->rounded && status == VS_STATUS_INACCURATE)
        run->reason = "as accurate as double precision allows: the remaining energy error is rounding of the impulses";
    if (vs_measurer_overflows(run->measurer)) {
        run->status = VS_STATUS_OVERFLOW;
        run->reason = "energies of an island are out of the range of doubles (1e-280 to 1e300 J): choose other units";
    }
    if (vs_method_run_converged(run, &run->best)) {
        run->status = VS_STATUS_CONVERGED;
        run->reason = "the tolerance is met";
    }
}
