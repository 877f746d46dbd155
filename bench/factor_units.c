// factor_units FILE… [--model relaxed|frictionless] [--repeat 3]
//
// The whole solve in multiples of one factorization:
//
//     units = (create + solve of the default solver) / (one bare double-precision factorization by MUMPS)
//
// of the first Newton matrix in augmented form, all cones at lambda = y (W = 1), in the solver's order and without
// pivoting. Its analysis is not counted. The matrix is factored once in every iteration of the solve, from its progress
// callback, and that time is subtracted: both sides of the ratio see the same state of the machine. The repetition with
// the least ratio counts. It is reported until the gap was 1e-8 of the energy without impulses, and in total: the
// default tolerance requires more, 1e-16 of that energy as the error of the velocities.
#include <math.h>
#include <stdlib.h>

#include "bare.h"
#include "bench.h"
#include "linalg/backend/backend.h"
#include "solver/ipm/ipm.h"

typedef struct first_matrix {
    vs_arena arena;
    vs_method_run *run;
    vs_newton newton;
    vs_cone_pair *pairs; // (cones)
} first_matrix;

// The scaled problem and its Newton matrix at W = 1, factored once to have its values.
static vs_error make_first(first_matrix *first, const vs_problem *problem, const vs_solver_options *options,
                           vs_context *context) {
    *first = (first_matrix){0};
    vs_arena_init(&first->arena, context);
    first->run = VS_NEW_ZERO(&first->arena, vs_method_run, 1);
    if (!first->run)
        return VS_ERROR_MEMORY;
    vs_error error = vs_method_run_create(first->run, problem, options, &first->arena);
    if (error)
        return error;
    const vs_scaled *scaled = &first->run->scaled;
    first->pairs = VS_NEW_ZERO(&first->arena, vs_cone_pair, scaled->cones);
    if (!first->pairs)
        return VS_ERROR_MEMORY;
    for (int k = 0; k < scaled->cones; k++) {
        double unit[3] = {1, scaled->kind[k] == VS_CONE_BOX ? 1 : 0, 0};
        vs_cone_of(scaled->kind[k])->set(first->pairs + k, unit, unit);
    }
    error = vs_newton_create(&first->newton, scaled, &vs_reduction_augmented, &vs_backend_mumps, &first->arena);
    return error ? error : vs_newton_factor(&first->newton, first->pairs);
}

static void release_first(first_matrix *first) {
    vs_newton_release(&first->newton);
    if (first->run)
        vs_method_run_release(first->run);
    vs_arena_release(&first->arena);
}

// Data of the progress callback.
typedef struct beside {
    bench_bare *bare;
    void *values;
    int count;       // factorizations done
    bench_time time; // theirs
    bench_time begin;
    double reached; // s of the solver until the gap was GAP; 0: not yet
} beside;

static const double GAP = 1e-8;

static bool factor_beside(void *user, const vs_iteration *iteration) {
    beside *b = user;
    if (b->reached == 0 && iteration->gap <= GAP)
        b->reached = bench_since(b->begin).wall - b->time.wall;
    b->count++;
    return bench_bare_factor(b->bare, b->values, &b->time);
}

typedef struct outcome {
    vs_result result;
    bench_time solve, unit;
    double reached;
} outcome;

static bool solve_once(const vs_problem *problem, bench_bare *bare, void *values, vs_solver_options options,
                       vs_context *context, outcome *out) {
    beside b = {.bare = bare, .values = values, .begin = bench_now()};
    options.progress = factor_beside;
    options.progress_user = &b;
    bench_solve solve;
    if (!bench_run(problem, &options, context, true, &solve) || b.count == 0)
        return false;
    out->result = solve.result;
    out->solve = (bench_time){solve.time.wall - b.time.wall, solve.time.processor - b.time.processor};
    out->unit = (bench_time){b.time.wall / b.count, b.time.processor / b.count};
    out->result.times.other -= b.time.wall;
    out->reached = b.reached > 0 ? b.reached : out->solve.wall;
    return true;
}

static double units(const outcome *o) {
    return o->solve.processor / o->unit.processor;
}

static bool compare(const char *path, const vs_problem *problem, bench_bare *bare, void *values,
                    const vs_solver_options *options, vs_context *context, int repeat) {
    outcome best = {.solve = {INFINITY, INFINITY}, .unit = {1, 1}};
    bench_time analysis = {0};
    bool good = bench_bare_analyse(bare, &analysis);
    for (int k = 0; k < repeat && good; k++) {
        outcome now;
        good = solve_once(problem, bare, values, *options, context, &now);
        if (good && units(&now) < units(&best))
            best = now;
    }
    if (!good)
        return false;
    const vs_result *r = &best.result;
    const vs_times *t = &r->times;
    double unit = best.unit.wall;
    printf("| %-16s | %-9s %-12s | %3d %3d %5lld | %8.4f | %8.4f | %lld | %.1f + %.1f + %.1f + %.1f + %.1f | %6.2f "
           "| %6.2f | %6.2f |%s\n",
           bench_base_name(path), r->form, r->linear_solver, r->iterations, r->factorizations,
           (long long)r->triangular_solves, best.solve.wall, unit, (long long)bench_bare_fill(bare), t->prepare / unit,
           t->assemble / unit, t->factor / unit, t->solve / unit, t->other / unit, best.reached / unit,
           best.solve.wall / unit, units(&best), r->status == VS_STATUS_CONVERGED ? "" : " not converged");
    (void)fflush(stdout);
    return true;
}

static bool measure(const char *path, const bench_arguments *arguments) {
    vs_context *context;
    vs_problem *problem;
    if (!bench_read(path, &context, &problem))
        return false;
    vs_solver_options options = vs_solver_options_default();
    options.model = arguments->model;
    first_matrix first;
    vs_error error = VS_ERROR_UNSUPPORTED;
    bool local = vs_problem_get_info(problem).local;
    if (local)
        (void)fprintf(stderr, "%s: a local problem has no augmented form\n", path);
    else if ((error = make_first(&first, problem, &options, context)))
        (void)fprintf(stderr, "%s: %s\n", path, vs_context_get_error_text(context));

    bench_bare *bare = error ? NULL : bench_bare_create(context, &vs_backend_mumps, &first.newton.pattern);
    void *values = bare ? bench_bare_values(bare, first.newton.x) : NULL;
    bool good = values && compare(path, problem, bare, values, &options, context, arguments->repeat);

    free(values);
    bench_bare_destroy(bare);
    if (!local)
        release_first(&first);
    vs_problem_destroy(problem);
    vs_context_destroy(context);
    return good;
}

int main(int argc, char **argv) {
    bench_arguments arguments;
    if (!bench_parse(argc, argv, 3, &arguments))
        return 1;
    bench_print_head("A solve in multiples of one double-precision factorization", &arguments);
    printf("| problem | form, backend | iterations, factorizations, triangular solves | solve, s | unit, s | nonzeros "
           "of its "
           "factor | prepare + assemble + factor + solve + other | units to a gap of 1e-8 | units, wall | units, "
           "processor "
           "|\n|---|---|---|---|---|---|---|---|---|---|\n");
    bool good = true;
    for (int k = 0; k < arguments.files; k++)
        good = measure(arguments.file[k], &arguments) && good;
    return good ? 0 : 2;
}
