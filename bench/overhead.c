// overhead FILE… [--model relaxed|frictionless] [--repeat 3]
//
// What the solver costs beyond its linear solver:
//
//     ratio = (create + solve of the default solver) / (the bare backend: one analysis, the same factorizations of the
//                                                       same matrices, as many triangular solves after each)
//
// Two ways to measure it. Apart: the matrices are recorded from a solve (tape.h) and replayed on the bare backend
// (bare.h); measured solve and replay alternate, the least time of each counts. Beside: within one solve the bare
// backend repeats every call of the solver's backend; sums over the repetitions. Refinement solves count as the
// backend's work.
#include <math.h>
#include <stdlib.h>

#include "bare.h"
#include "bench.h"
#include "tape.h"

typedef struct replay {
    bench_time analyse, factor, solve;
} replay;

static bool replay_tape(const bench_tape *tape, void *const *values, replay *times) {
    bench_bare *bare = bench_bare_create(tape->context, tape->real, &tape->pattern);
    if (!bare)
        return false;
    *times = (replay){0};
    bool good = bench_bare_analyse(bare, &times->analyse);
    for (int k = 0; k < tape->factorizations && good; k++) {
        // A factorization that broke down in the solve breaks down here as well; no solves followed.
        bool factored = bench_bare_factor(bare, values[k], &times->factor);
        good = tape->solves[k] == 0 || (factored && bench_bare_solve(bare, tape->solves[k], &times->solve));
    }
    bench_bare_destroy(bare);
    return good;
}

static bench_time total(const replay *times) {
    bench_time sum = times->analyse;
    bench_add(&sum, times->factor);
    bench_add(&sum, times->solve);
    return sum;
}

// Sums of the times of solves with the bare backend beside.
static bool run_beside(const bench_tape *tape, const vs_problem *problem, const vs_solver_options *options, int repeat,
                       bench_time *solver, bench_time *engine) {
    *solver = tape->solver;
    *engine = tape->engine;
    bool good = true;
    for (int k = 1; k < repeat && good; k++) {
        bench_tape again;
        good = !bench_tape_record(&again, problem, options, tape->context);
        bench_add(solver, again.solver);
        bench_add(engine, again.engine);
        bench_tape_release(&again);
    }
    return good;
}

static bool compare(const char *path, const vs_problem *problem, const bench_tape *tape, void *const *values,
                    const vs_solver_options *options, int repeat) {
    bench_time solver = {INFINITY, INFINITY}, engine = solver;
    replay least = {.analyse = solver};
    vs_result result = {0};
    for (int k = 0; k < repeat; k++) {
        bench_solve solve;
        replay times;
        if (!bench_run(problem, options, tape->context, true, &solve) || !replay_tape(tape, values, &times))
            return false;
        if (solve.time.wall < solver.wall)
            result = solve.result;
        bench_least(&solver, solve.time);
        bench_least(&engine, total(&times));
        if (times.analyse.wall < least.analyse.wall)
            least = times;
    }
    bench_time beside, beside_engine;
    if (!run_beside(tape, problem, options, repeat, &beside, &beside_engine))
        return false;
    if (result.factorizations != tape->factorizations || result.triangular_solves != bench_tape_solves(tape))
        (void)fprintf(stderr, "%s: the recorded and the measured solve differ in work\n", path);
    double whole = total(&least).wall;
    printf("| %-34s | %-9s %-12s | %3d %3d %5lld | %8.4f | %8.4f | %2.0f + %2.0f + %2.0f | %5.3f | %5.3f %5.3f | %5.3f "
           "%5.3f "
           "|%s\n",
           bench_base_name(path), tape->form, tape->real->name, result.iterations, tape->factorizations,
           (long long)bench_tape_solves(tape), solver.wall, engine.wall, 100 * least.analyse.wall / whole,
           100 * least.factor.wall / whole, 100 * least.solve.wall / whole, result.times.factor / least.factor.wall,
           solver.wall / engine.wall, solver.processor / engine.processor, beside.wall / beside_engine.wall,
           beside.processor / beside_engine.processor, result.status == VS_STATUS_CONVERGED ? "" : " not converged");
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
    bench_tape tape;
    vs_error error = bench_tape_record(&tape, problem, &options, context);
    if (error)
        (void)fprintf(stderr, "%s: %s\n", path, vs_context_get_error_text(context));
    bool good = !error && tape.factorizations > 0;

    // The values in the backend's precision, before the clock runs.
    void **values = calloc((size_t)tape.factorizations + 1, sizeof *values);
    bench_bare *bare = good ? bench_bare_create(context, tape.real, &tape.pattern) : NULL;
    good = values && bare;
    for (int k = 0; k < tape.factorizations && good; k++)
        good = (values[k] = bench_bare_values(bare, tape.values[k])) != NULL;
    bench_bare_destroy(bare);
    good = good && compare(path, problem, &tape, values, &options, arguments->repeat);

    for (int k = 0; k < tape.factorizations && values; k++)
        free(values[k]);
    free(values);
    bench_tape_release(&tape);
    vs_problem_destroy(problem);
    vs_context_destroy(context);
    return good;
}

int main(int argc, char **argv) {
    bench_arguments arguments;
    if (!bench_parse(argc, argv, 3, &arguments))
        return 1;
    bench_print_head("Overhead of the solver over its linear solver", &arguments);
    printf(
        "| problem | form, backend | iterations, factorizations, triangular solves | solver, s | linear solver, s | "
        "analysis + "
        "factor + solve, %% | ratio of the factorizations alone | ratio apart: wall, processor | ratio beside: wall, "
        "processor |\n|---|---|---|---|---|---|---|---|---|\n");
    bool good = true;
    for (int k = 0; k < arguments.files; k++)
        good = measure(arguments.file[k], &arguments) && good;
    return good ? 0 : 2;
}
