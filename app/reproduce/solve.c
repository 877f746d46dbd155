// Solves of the entries, timed by the processor.
#define _GNU_SOURCE
#include "reproduce/solve.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <time.h>

#include "cli/system/interrupt.h"
#include "reproduce/entry.h"

double app_repro_cpu(void) {
    struct timespec t;
    (void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// l'(y + r)/2 with y = N l + r, r = y of rest.
static vs_error measure(const vs_problem *problem, vs_model model, const double *g, const double *lambda,
                        app_repro_solved *solved) {
    const vs_problem_info info = vs_problem_get_info(problem);
    const size_t m = (size_t)info.m + 1, m_e = (size_t)info.m_e + 1;
    double *rest = calloc(m, sizeof *rest), *y = calloc(m, sizeof *y), *r = calloc(m, sizeof *r);
    double *no_g = calloc(m_e, sizeof *no_g);
    vs_measurer *measurer = NULL;
    vs_error error = rest && y && r && no_g ? vs_measurer_create(problem, model, &measurer) : VS_ERROR_MEMORY;
    if (!error)
        error = vs_measure(measurer, no_g, rest, NULL, r, &solved->measures);
    if (!error)
        error = vs_measure(measurer, g, lambda, NULL, y, &solved->measures);
    solved->objective = 0;
    for (int k = 0; !error && k < info.m; k++)
        solved->objective += .5 * lambda[k] * (y[k] + r[k]);
    const vs_measures *s = &solved->measures;
    solved->error = fmax(s->relative_error, s->natural_map_relative);
    vs_measurer_destroy(measurer);
    free(rest);
    free(y);
    free(r);
    free(no_g);
    return error;
}

static bool in_time(void *user, const vs_iteration *iteration) {
    (void)iteration;
    return app_repro_cpu() < *(const double *)user && !app_interrupted();
}

bool app_repro_solve(app_repro *r, const vs_problem *problem, const vs_solver_options *requested, double limit,
                     app_repro_solved *solved) {
    vs_solver_options options = *requested;
    vs_solver *solver = NULL;
    vs_result result;
    *solved = (app_repro_solved){.objective = NAN, .error = NAN};
    const double start = app_repro_cpu();
    double end = limit > 0 ? start + limit : INFINITY;
    options.progress = in_time;
    options.progress_user = &end;
    vs_error error = vs_solver_create(problem, &options, &solver);
    if (error == VS_ERROR_UNSUPPORTED)
        return true;
    if (!error)
        error = vs_solver_solve(solver, &result);
    solved->seconds = app_repro_cpu() - start;
    if (!error) {
        solved->supported = true;
        solved->status = result.status;
        solved->iterations = result.iterations;
        error = measure(problem, options.model, result.g, result.lambda, solved);
        const double energy = solved->measures.relative_error;
        solved->reached = (options.criterion == VS_CRITERION_ENERGY ? energy : solved->error) <= options.tolerance;
    }
    vs_solver_destroy(solver);
    return app_repro_check(r, error);
}
