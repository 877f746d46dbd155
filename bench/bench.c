// Arguments, files and one timed solve; see bench.h.
#include "bench.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "linalg/blas.h"

static bool parse_option(const char *name, const char *value, bench_arguments *arguments) {
    if (strcmp(name, "--repeat") == 0)
        arguments->repeat = atoi(value);
    else if (strcmp(name, "--limit") == 0)
        arguments->limit = atof(value);
    else if (strcmp(name, "--model") == 0 && strcmp(value, "frictionless") == 0)
        arguments->model = VS_MODEL_FRICTIONLESS;
    else if (strcmp(name, "--model") != 0 || strcmp(value, "relaxed") != 0)
        return false;
    return arguments->repeat >= 1 && arguments->limit >= 0;
}

bool bench_parse(int argc, char **argv, int repeat_default, bench_arguments *arguments) {
    *arguments = (bench_arguments){.model = VS_MODEL_RELAXED, .repeat = repeat_default};
    arguments->file = (const char **)argv;
    bool good = true;
    for (int k = 1; k < argc && good; k++) {
        if (strncmp(argv[k], "--", 2) != 0) {
            arguments->file[arguments->files++] = argv[k];
        } else {
            good = k + 1 < argc && parse_option(argv[k], argv[k + 1], arguments);
            k++;
        }
    }
    if (good && arguments->files > 0)
        return true;
    (void)fprintf(stderr, "usage: FILE… [--model relaxed|frictionless] [--repeat N] [--limit SECONDS]\n");
    return false;
}

void bench_print_head(const char *title, const bench_arguments *arguments) {
    char date[16];
    time_t now = time(NULL);
    struct tm parts;
    (void)strftime(date, sizeof date, "%Y-%m-%d", gmtime_r(&now, &parts));
    printf("# %s\n\n%s; BLAS: %s; model: %s; minimum of %d.\n\n", title, date, vs_blas_name(),
           arguments->model == VS_MODEL_FRICTIONLESS ? "frictionless" : "relaxed", arguments->repeat);
}

const char *bench_base_name(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

bool bench_read(const char *path, vs_context **context, vs_problem **problem) {
    *problem = NULL;
    vs_error error = vs_context_create(NULL, context);
    if (!error)
        error = vs_fclib_read(*context, path, problem);
    if (!error)
        return true;
    (void)fprintf(stderr, "%s: %s\n", path, *context ? vs_context_get_error_text(*context) : vs_error_name(error));
    vs_context_destroy(*context);
    *context = NULL;
    return false;
}

bench_time bench_now(void) {
    struct timespec t;
    (void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (bench_time){vs_clock(), (double)t.tv_sec + 1e-9 * (double)t.tv_nsec};
}

bench_time bench_since(bench_time begin) {
    bench_time now = bench_now();
    return (bench_time){now.wall - begin.wall, now.processor - begin.processor};
}

void bench_add(bench_time *sum, bench_time part) {
    sum->wall += part.wall;
    sum->processor += part.processor;
}

void bench_least(bench_time *least, bench_time time) {
    least->wall = fmin(least->wall, time.wall);
    least->processor = fmin(least->processor, time.processor);
}

bool bench_run(const vs_problem *problem, const vs_solver_options *options, vs_context *context, bool loud,
               bench_solve *solve) {
    vs_solver *solver = NULL;
    bench_time begin = bench_now();
    vs_error error = vs_solver_create(problem, options, &solver);
    if (!error)
        error = vs_solver_solve(solver, &solve->result);
    solve->time = bench_since(begin);
    if (error && loud)
        (void)fprintf(stderr, "%s\n", vs_context_get_error_text(context));
    vs_solver_destroy(solver);
    solve->result.status_text = solve->result.choice = "";
    solve->result.v = solve->result.g = solve->result.lambda = solve->result.y = NULL;
    solve->result.history = NULL;
    return !error;
}
