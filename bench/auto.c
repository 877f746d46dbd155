// auto FILE METHOD MODEL [--limit 1] [--tolerances 1e-2,1e-4,1e-8] [--repeat 1]
//
// Cost of one method on one problem at several tolerances, in processor time of this thread: the data behind the rule
// of `auto` (auto.sh, results/auto.md). One line of comma-separated values per tolerance:
//
//     file, method, model, tolerance, contacts, rows, velocities, local, met, prepare ms, solve ms, iterations,
//     sqrt(energy error / e0)
//
// --limit: a solve is stopped after so many seconds. --repeat: the least time of so many counts (one if above 50 ms).
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "bench.h"

static const double LONG = .05; // s

static double thread_time(void) {
    struct timespec t;
    (void)clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static bool choose(const char *method, const char *model, vs_solver_options *options) {
    int k = 0;
    while (k < vs_method_count() && strcmp(vs_method_at(k).name, method) != 0)
        k++;
    options->method = (vs_method)k;
    options->model = VS_MODEL_RELAXED;
    while (options->model < VS_MODEL_EXACT && strcmp(vs_model_name(options->model), model) != 0)
        options->model++;
    return k < vs_method_count() && strcmp(vs_model_name(options->model), model) == 0;
}

static vs_error run(const char *path, const vs_problem *problem, const vs_solver_options *options, const char *method,
                    int repeat) {
    vs_solver *solver = NULL;
    vs_result result = {.status = VS_STATUS_BREAKDOWN};
    vs_error error = VS_OK;
    double prepare = INFINITY, solve = INFINITY;
    for (int k = 0; k < repeat && !error; k++) {
        vs_solver_destroy(solver);
        double begin = thread_time();
        error = vs_solver_create(problem, options, &solver);
        double prepared = thread_time();
        if (!error)
            error = vs_solver_solve(solver, &result);
        solve = fmin(solve, thread_time() - prepared);
        prepare = fmin(prepare, prepared - begin);
        if (solve > LONG)
            break;
    }
    vs_problem_info info = vs_problem_get_info(problem);
    if (!error)
        printf("%s,%s,%s,%g,%d,%d,%d,%d,%d,%.3f,%.3f,%d,%.2e\n", bench_base_name(path), method,
               vs_model_name(options->model), options->tolerance, info.contacts, info.m + info.m_e,
               info.local ? 0 : info.n, info.local, result.status == VS_STATUS_CONVERGED, 1e3 * prepare, 1e3 * solve,
               result.iterations, sqrt(result.measures.energy_error / fmax(result.measures.energy_scale, 1e-300)));
    (void)fflush(stdout);
    vs_solver_destroy(solver);
    return error;
}

int main(int argc, char **argv) {
    const char *tols = "1e-2,1e-4,1e-8";
    int repeat = 1;
    vs_solver_options options = vs_solver_options_default();
    options.max_time = 1;
    for (int k = 4; k + 1 < argc; k += 2) {
        if (strcmp(argv[k], "--limit") == 0)
            options.max_time = atof(argv[k + 1]);
        else if (strcmp(argv[k], "--tolerances") == 0)
            tols = argv[k + 1];
        else if (strcmp(argv[k], "--repeat") == 0)
            repeat = atoi(argv[k + 1]);
    }
    if (argc < 4 || !choose(argv[2], argv[3], &options)) {
        (void)fprintf(stderr, "usage: auto FILE METHOD MODEL [--limit SECONDS] [--tolerances T,T,…]\n");
        return 1;
    }
    vs_context *context = NULL;
    vs_problem *problem = NULL;
    if (!bench_read(argv[1], &context, &problem))
        return 2;
    vs_error error = VS_OK;
    for (const char *at = tols; at && !error; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL) {
        options.tolerance = atof(at);
        error = run(argv[1], problem, &options, argv[2], repeat);
    }
    if (error)
        (void)fprintf(stderr, "%s, %s: %s\n", argv[1], argv[2], vs_context_get_error_text(context));
    vs_problem_destroy(problem);
    vs_context_destroy(context);
    return error ? 3 : 0;
}
