// scaling FILE… [--model relaxed|frictionless] [--repeat 1]
//
// How a solve grows with the size, for files given from small to large: iterations, nonzeros and flops of a factor,
// seconds per factorization and in total, and between neighbours the exponent p of x ~ n^p (n velocities). Exponents do
// not depend on the machine's speed; those of times still depend on its caches.
#include <math.h>

#include "bench.h"

enum { QUANTITIES = 6 };

typedef struct row {
    double n;                 // velocities; local form: rows
    double value[QUANTITIES]; // iterations, nonzeros, flops, s per factorization, s per triangular solve, s in total
} row;

static bool measure(const char *path, const bench_arguments *arguments, row *out) {
    vs_context *context;
    vs_problem *problem;
    if (!bench_read(path, &context, &problem))
        return false;
    vs_solver_options options = vs_solver_options_default();
    options.model = arguments->model;
    options.max_time = arguments->limit;
    bench_solve best = {.time = {INFINITY, INFINITY}};
    bool good = true;
    for (int k = 0; k < arguments->repeat && good; k++) {
        bench_solve solve;
        good = bench_run(problem, &options, context, true, &solve);
        if (good && solve.time.wall < best.time.wall)
            best = solve;
    }
    const vs_result *r = &best.result;
    if (good) {
        vs_problem_info info = vs_problem_get_info(problem);
        double each = r->factorizations > 0 ? r->times.factor / r->factorizations : 0;
        double triangular = r->triangular_solves > 0 ? r->times.solve / (double)r->triangular_solves : 0;
        *out = (row){.n = info.local ? info.m : info.n,
                     .value = {r->iterations, (double)r->fill, r->flops, each, triangular, best.time.wall}};
        printf("| %-16s | %6d | %6d | %-9s %-12s | %3d | %9.3e | %8.2e | %8.5f | %8.5f | %8.4f |%s\n",
               bench_base_name(path), info.n, info.contacts, r->form, r->linear_solver, r->iterations, (double)r->fill,
               r->flops, each, triangular, best.time.wall, r->status == VS_STATUS_CONVERGED ? "" : " not converged");
        (void)fflush(stdout);
    }
    vs_problem_destroy(problem);
    vs_context_destroy(context);
    return good;
}

static void print_exponents(const row *a, const row *b) {
    double p[QUANTITIES];
    for (int k = 0; k < QUANTITIES; k++)
        p[k] = log(b->value[k] / a->value[k]) / log(b->n / a->n);
    printf("| exponent | x%.2f | | | %.2f | %.2f | %.2f | %.2f | %.2f | %.2f |\n", b->n / a->n, p[0], p[1], p[2], p[3],
           p[4], p[5]);
}

int main(int argc, char **argv) {
    bench_arguments arguments;
    if (!bench_parse(argc, argv, 1, &arguments))
        return 1;
    bench_print_head("Growth with the size", &arguments);
    printf("| problem | n | contacts | form, backend | iterations | nonzeros of the factor | flops per factorization | "
           "s per "
           "factorization | s per triangular solve | s in total |\n|---|---|---|---|---|---|---|---|---|---|\n");
    row first = {0}, last = {0};
    for (int k = 0; k < arguments.files; k++) {
        row now;
        if (!measure(arguments.file[k], &arguments, &now))
            return 2;
        if (k > 0 && now.n > last.n)
            print_exponents(&last, &now);
        first = k == 0 ? now : first;
        last = now;
    }
    if (arguments.files > 2 && last.n > first.n) {
        printf("\nFrom the first to the last:\n\n");
        printf("| | n | contacts | form, backend | iterations | nonzeros | flops | factorization | triangular solve | "
               "all |\n"
               "|---|---|---|---|---|---|---|---|---|---|\n");
        print_exponents(&first, &last);
    }
    return 0;
}
