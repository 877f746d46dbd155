// One entry of voussoir compare, inside its own process: reads the file, solves, and measures the returned
// impulses with vs_measure() on the unscaled problem, whatever status the solver reports. Histories likewise.
#include "compare/entry.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/system/clock.h"
#include "compare/comparison.h"
#include "compare/options.h"
#include "compare/peer.h"
#include "voussoir/voussoir.h"

typedef struct bench {
    vs_context *context;
    vs_problem *problem;
    vs_measurer *measurer;
    vs_problem_info info;
    double *g, *lambda; // (m_e), (m), the impulses to measure
} bench;

// ---- the problem ------------------------------------------------------------------------------------------------

static void close_bench(bench *b) {
    vs_measurer_destroy(b->measurer);
    vs_problem_destroy(b->problem);
    vs_context_destroy(b->context);
    free(b->g);
    free(b->lambda);
}

static vs_error open_bench(const app_compare_options *o, const char *path, bench *b) {
    *b = (bench){0};
    vs_error error = vs_context_create(NULL, &b->context);
    if (error == VS_OK)
        error = vs_fclib_read(b->context, path, &b->problem);
    if (error == VS_OK)
        error = vs_measurer_create(b->problem, o->model, &b->measurer);
    if (error != VS_OK)
        return error;
    b->info = vs_problem_get_info(b->problem);
    b->g = calloc((size_t)b->info.m_e + 1, sizeof *b->g);
    b->lambda = calloc((size_t)b->info.m + 1, sizeof *b->lambda);
    return b->g && b->lambda ? VS_OK : VS_ERROR_MEMORY;
}

static vs_error measure(bench *b, vs_measures *measures) {
    return vs_measure(b->measurer, b->g, b->lambda, NULL, NULL, measures);
}

static void keep_impulses(bench *b, const vs_result *result) {
    if (result->g)
        memcpy(b->g, result->g, sizeof *b->g * (size_t)b->info.m_e);
    memcpy(b->lambda, result->lambda, sizeof *b->lambda * (size_t)b->info.m);
}

static void fail(const bench *b, vs_error error, app_compare_row *row) {
    const char *said = b->context ? vs_context_get_error_text(b->context) : "";
    (void)snprintf(row->status, sizeof row->status, "%s", error == VS_ERROR_UNSUPPORTED ? "unsupported" : "error");
    (void)snprintf(row->message, sizeof row->message, "%s", *said ? said : vs_error_name(error));
}

// ---- an entry ---------------------------------------------------------------------------------------------------

static vs_solver_options solver_options(const app_compare_options *o, const app_compare_task *t) {
    vs_solver_options options = vs_solver_options_default();
    options.model = o->model;
    options.method = t->solver.method;
    options.tolerance = t->tolerance;
    options.criterion = o->solved_by == APP_SOLVED_ENERGY ? VS_CRITERION_ENERGY : VS_CRITERION_BOTH;
    options.max_time = o->max_time;
    return options;
}

// Prepares and solves once; keeps times, counts and impulses.
static vs_error solve_once(bench *b, const vs_solver_options *options, app_compare_row *row) {
    vs_solver *solver = NULL;
    vs_result result;
    const double start = app_now();
    vs_error error = vs_solver_create(b->problem, options, &solver);
    const double prepared = app_now();
    if (error == VS_OK)
        error = vs_solver_solve(solver, &result);
    const double end = app_now();
    if (error == VS_OK) {
        keep_impulses(b, &result);
        row->iterations = result.iterations;
        row->factorizations = result.factorizations;
        row->seconds = end - start;
        row->prepare = prepared - start;
        (void)snprintf(row->status, sizeof row->status, "%s", vs_status_name(result.status));
        (void)snprintf(row->message, sizeof row->message, "%s", result.status_text ? result.status_text : "");
    }
    vs_solver_destroy(solver);
    return error;
}

// The fastest of several solves, which all give the same bits; no repetition beyond the time limit of one solve.
static vs_error solve_repeatedly(int times, bench *b, const vs_solver_options *options, app_compare_row *row) {
    const double start = app_now();
    vs_error error = solve_once(b, options, row);
    for (int k = 1; k < times && error == VS_OK; k++) {
        app_compare_row again;
        if (app_now() - start + row->seconds > options->max_time)
            break;
        error = solve_once(b, options, &again);
        if (error == VS_OK && again.seconds < row->seconds)
            *row = again;
    }
    return error;
}

void app_compare_solve(const app_compare_options *o, const app_compare_task *t, app_compare_row *row) {
    *row = (app_compare_row){.iterations = -1, .factorizations = -1, .seconds = NAN, .prepare = NAN};
    bench b;
    vs_error error = open_bench(o, t->path, &b);
    bool found = false;
    if (error == VS_OK && t->solver.peer) {
        found = app_peer_solve(o, t, b.problem, b.g, b.lambda, row);
    } else if (error == VS_OK) {
        const vs_solver_options options = solver_options(o, t);
        error = solve_repeatedly(o->repeat, &b, &options, row);
        found = error == VS_OK;
    }
    if (found)
        error = measure(&b, &row->measures);
    row->measured = found && error == VS_OK;
    if (error != VS_OK)
        fail(&b, error, row);
    close_bench(&b);
}

// ---- histories ---------------------------------------------------------------------------------------------------

// The solver's own history; a long one is thinned out logarithmically.
static void keep_lines(const vs_result *result, app_compare_trace *trace) {
    const double most = result->history_count > 1 ? (double)(result->history_count - 1) : 1;
    int last = -1;
    for (int k = 0; k < APP_COMPARE_LINES; k++) {
        int at = (int)lround(pow(most, (double)k / (APP_COMPARE_LINES - 1)));
        at = k == 0 ? 0 : at;
        at = at <= last ? last + 1 : at;
        if (at >= result->history_count)
            break;
        const vs_iteration *i = &result->history[at];
        trace->line[trace->lines++] =
            (app_compare_point){i->iteration, i->seconds, i->energy_error, i->natural_map_relative, NAN, NAN};
        last = at;
    }
}

// Solves with at most `most` iterations and measures the result. Returns the iterations done, -1: failed.
static int cut_short(bench *b, vs_solver_options options, int most, app_compare_point *point, vs_measures *measures) {
    app_compare_row row = {.iterations = -1};
    options.max_iterations = most;
    if (solve_once(b, &options, &row) != VS_OK || measure(b, measures) != VS_OK)
        return -1;
    *point = (app_compare_point){row.iterations,
                                 row.seconds - row.prepare,
                                 measures->energy_error,
                                 measures->natural_map_relative,
                                 measures->fischer_burmeister,
                                 measures->natural_residual};
    return row.iterations;
}

// The residuals of the literature are not part of a history: the solve is repeated with growing iteration limits
// and its result measured each time, as long as there is time.
static void keep_points(bench *b, const vs_solver_options *options, int iterations, app_compare_trace *trace) {
    const double start = app_now(), most = iterations > 1 ? iterations : 1;
    int last = 0;
    for (int k = 0; k < APP_COMPARE_POINTS && last < iterations; k++) {
        int at = (int)lround(pow(most, (double)k / (APP_COMPARE_POINTS - 1)));
        at = at <= last ? last + 1 : at;
        vs_measures measures;
        app_compare_point point;
        const int done = cut_short(b, *options, at, &point, &measures);
        trace->energy_scale = done >= 0 ? measures.energy_scale : trace->energy_scale;
        const bool news = done > 0 && (trace->points == 0 || done > trace->point[trace->points - 1].iteration);
        if (news)
            trace->point[trace->points++] = point;
        // A method that stops before its limit is done.
        if (done < at || app_now() - start + 2 * point.seconds > options->max_time)
            break;
        last = at;
    }
}

void app_compare_trace_one(const app_compare_options *o, const app_compare_task *t, app_compare_trace *trace) {
    const vs_solver_options options = solver_options(o, t);
    vs_solver *solver = NULL;
    vs_result result;
    bench b;
    vs_error error = open_bench(o, t->path, &b);
    if (error == VS_OK)
        error = vs_solver_create(b.problem, &options, &solver);
    if (error == VS_OK)
        error = vs_solver_solve(solver, &result);
    if (error == VS_OK) {
        trace->energy_scale = result.measures.energy_scale;
        const int iterations = result.iterations;
        keep_lines(&result, trace);
        vs_solver_destroy(solver);
        solver = NULL;
        keep_points(&b, &options, iterations, trace);
    }
    trace->complete = error == VS_OK;
    vs_solver_destroy(solver);
    close_bench(&b);
}
