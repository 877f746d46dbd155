// forms FILE… [--model relaxed|frictionless] [--repeat 3] [--limit 60]
//
// Seconds (create and solve, processor time) of every form and backend that can solve the problem: what the rule in
// src/solver/kkt/form_choice.c rests on. A cell: least seconds, iterations; "-": not possible or not tried (a dense
// factor of too many unknowns, KLU where a symmetric backend will do); "!": the tolerance was not met. One that took
// longer than three seconds is not repeated, one that took longer than the limit is given up.
#include <math.h>
#include <string.h>

#include "bench.h"

enum { DENSE_MOST = 1200 }; // unknowns

static const struct {
    vs_form form;
    const char *name;
} forms[] = {{VS_FORM_VELOCITY, "velocity"}, {VS_FORM_AUGMENTED, "augmented"}, {VS_FORM_IMPULSE, "impulse"}};

// Unknowns of the matrix to factor.
static int unknowns(const vs_problem_info *info, vs_form form, vs_model model) {
    int m = model == VS_MODEL_FRICTIONLESS ? info->contacts : info->m;
    return info->m_e + (form == VS_FORM_VELOCITY ? 0 : m) + (form == VS_FORM_IMPULSE ? 0 : info->n);
}

static void print_cell(const vs_problem *problem, vs_context *context, vs_form form, const char *engine,
                       const bench_arguments *arguments) {
    vs_problem_info info = vs_problem_get_info(problem);
    vs_solver_options options = vs_solver_options_default();
    options.model = arguments->model;
    options.form = form;
    options.linear_solver = engine;
    options.max_time = arguments->limit;
    bool skip = strcmp(engine, "lapack") == 0 && unknowns(&info, form, arguments->model) > DENSE_MOST;
    skip = skip || (strcmp(engine, "klu") == 0 && !info.local);
    bench_solve best = {.time = {INFINITY, INFINITY}};
    for (int k = 0; k < arguments->repeat && !skip; k++) {
        bench_solve solve;
        if (!bench_run(problem, &options, context, false, &solve))
            break;
        if (solve.time.processor < best.time.processor)
            best = solve;
        if (solve.time.processor > 3)
            break;
    }
    if (isinf(best.time.processor))
        printf(" - |");
    else
        printf(" %s%.4g (%d) |", best.result.status == VS_STATUS_CONVERGED ? "" : "!", best.time.processor,
               best.result.iterations);
    (void)fflush(stdout);
}

static bool measure(const char *path, const bench_arguments *arguments) {
    vs_context *context;
    vs_problem *problem;
    if (!bench_read(path, &context, &problem))
        return false;
    vs_problem_info info = vs_problem_get_info(problem);
    for (size_t f = 0; f < sizeof forms / sizeof *forms; f++) {
        if (info.local && forms[f].form != VS_FORM_IMPULSE)
            continue;
        printf("| %s | %s | %s, %d |", bench_base_name(path),
               arguments->model == VS_MODEL_FRICTIONLESS ? "frictionless" : "relaxed", forms[f].name,
               unknowns(&info, forms[f].form, arguments->model));
        for (int k = 0; k < vs_backend_count(); k++)
            print_cell(problem, context, forms[f].form, vs_backend_at(k).name, arguments);
        printf("\n");
    }
    vs_problem_destroy(problem);
    vs_context_destroy(context);
    return true;
}

int main(int argc, char **argv) {
    bench_arguments arguments;
    if (!bench_parse(argc, argv, 3, &arguments))
        return 1;
    if (arguments.limit == 0)
        arguments.limit = 60;
    bench_print_head("Forms and backends: seconds (iterations)", &arguments);
    printf("| problem | model | form, unknowns |");
    const int backends = vs_backend_count();
    for (int k = 0; k < backends; k++)
        printf(" %s |", vs_backend_at(k).name);
    printf("\n|---|---|---|");
    for (int k = 0; k < backends; k++)
        printf("---|");
    printf("\n");
    bool good = true;
    for (int k = 0; k < arguments.files; k++)
        good = measure(arguments.file[k], &arguments) && good;
    return good ? 0 : 2;
}
