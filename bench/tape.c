// Recording what passes between the interior point and its linear solver; see tape.h. It times nothing.
#include "tape.h"

#include <stdlib.h>
#include <string.h>

#include "solver/kkt/form_choice.h"
#include "solver/ipm/ipm.h"

// ---- the recording backend -------------------------------------------------------------------------

static bench_tape *tape_of(const vs_linear_solver *solver) {
    return (bench_tape *)(void *)solver->backend; // the recorder is the tape's first field
}

static vs_error create(vs_linear_solver *solver, const vs_linear_pattern *pattern) {
    bench_tape *tape = tape_of(solver);
    bench_time begin = bench_now();
    vs_linear_pattern *copy = &tape->pattern;
    *copy = *pattern;
    copy->p = VS_COPY(&tape->arena, int64_t, pattern->p, pattern->n + 1);
    copy->i = VS_COPY(&tape->arena, int, pattern->i, pattern->p[pattern->n]);
    copy->group = pattern->groups > 0 ? VS_COPY(&tape->arena, int, pattern->group, pattern->groups + 1) : NULL;
    copy->order = pattern->order ? VS_COPY(&tape->arena, int, pattern->order, pattern->n) : NULL;
    if (!copy->p || !copy->i || (pattern->groups > 0 && !copy->group) || (pattern->order && !copy->order))
        return VS_ERROR_MEMORY;
    tape->bare = bench_bare_create(solver->context, tape->real, copy);
    if (!tape->bare || !bench_bare_analyse(tape->bare, &tape->engine))
        return VS_ERROR_MEMORY;
    bench_add(&tape->extra, bench_since(begin));
    vs_linear_solver *inner;
    vs_error error = vs_linear_solver_create(solver->context, tape->real, pattern, &inner);
    solver->state = inner;
    if (!error)
        solver->report = inner->report;
    return error;
}

static vs_error grow(bench_tape *tape) {
    int room = tape->room > 0 ? 2 * tape->room : 64;
    double **values = VS_NEW(&tape->arena, double *, room);
    int64_t *solves = VS_NEW_ZERO(&tape->arena, int64_t, room);
    if (!values || !solves)
        return VS_ERROR_MEMORY;
    if (tape->room > 0) {
        memcpy(values, tape->values, sizeof *values * (size_t)tape->room);
        memcpy(solves, tape->solves, sizeof *solves * (size_t)tape->room);
    }
    tape->values = values;
    tape->solves = solves;
    tape->room = room;
    return VS_OK;
}

static vs_error keep_values(bench_tape *tape, const double *x, int64_t nonzeros) {
    if (tape->factorizations == tape->room && grow(tape))
        return VS_ERROR_MEMORY;
    double *copy = VS_COPY(&tape->arena, double, x, nonzeros);
    if (!copy)
        return VS_ERROR_MEMORY;
    tape->values[tape->factorizations++] = copy;
    return VS_OK;
}

// The bare backend breaks down where the real one does; that is the solver's business.
static void factor_bare(bench_tape *tape, void *values) {
    bench_time begin = bench_now();
    (void)bench_bare_factor(tape->bare, values, &tape->engine);
    bench_add(&tape->extra, bench_since(begin));
}

static void solve_bare(bench_tape *tape) {
    bench_time begin = bench_now();
    (void)bench_bare_solve(tape->bare, 1, &tape->engine);
    bench_add(&tape->extra, bench_since(begin));
}

// The second one finds warm caches: the two alternate.
static vs_error factor(vs_linear_solver *solver, const double *x) {
    bench_tape *tape = tape_of(solver);
    vs_linear_solver *inner = solver->state;
    bench_time begin = bench_now();
    void *values = bench_bare_values(tape->bare, x);
    if (!values || keep_values(tape, x, solver->nonzeros)) {
        free(values);
        return VS_ERROR_MEMORY;
    }
    bench_add(&tape->extra, bench_since(begin));
    bool first = tape->factorizations % 2 == 1;
    if (first)
        factor_bare(tape, values);
    vs_error error = vs_linear_solver_factor(inner, x);
    solver->report = inner->report;
    if (!first)
        factor_bare(tape, values);
    free(values);
    return error;
}

static vs_error solve(vs_linear_solver *solver, double *x) {
    bench_tape *tape = tape_of(solver);
    bool first = tape->solves[tape->factorizations - 1]++ % 2 == 1;
    if (first)
        solve_bare(tape);
    vs_error error = vs_linear_solver_solve(solver->state, x);
    if (!first)
        solve_bare(tape);
    return error;
}

static void destroy(vs_linear_solver *solver) {
    vs_linear_solver_destroy(solver->state);
}

// ---- recording -------------------------------------------------------------------------------------

static void set_recorder(bench_tape *tape, const vs_linear_backend *real) {
    tape->real = real;
    tape->recorder = *real;
    tape->recorder.create = create;
    tape->recorder.factor = factor;
    tape->recorder.solve = solve;
    tape->recorder.solve_many = NULL;
    tape->recorder.destroy = destroy;
}

// The same parts in the same order as vs_solver_create() and vs_solver_solve().
vs_error bench_tape_record(bench_tape *tape, const vs_problem *problem, const vs_solver_options *options,
                           vs_context *context) {
    memset(tape, 0, sizeof *tape);
    tape->context = context;
    vs_arena_init(&tape->arena, context);
    vs_arena arena;
    vs_arena_init(&arena, context);
    vs_choice choice;
    vs_ipm ipm = {0};
    bench_time begin = bench_now();
    vs_method_run *run = VS_NEW_ZERO(&arena, vs_method_run, 1);
    if (!run)
        return VS_ERROR_MEMORY;
    vs_error error = vs_method_run_create(run, problem, options, &arena);
    if (!error)
        error = vs_choose(&run->scaled, options, context, &choice);
    if (!error) {
        set_recorder(tape, choice.backend);
        tape->form = choice.reduction->name;
        error = vs_ipm_create(&ipm, run, choice.reduction, &tape->recorder, &arena);
    }
    if (!error) {
        vs_method_run_begin(run);
        error = vs_ipm_solve(&ipm);
        tape->iterations = run->iterations;
    }
    tape->solver = bench_since(begin);
    tape->solver.wall -= tape->extra.wall;
    tape->solver.processor -= tape->extra.processor;
    vs_ipm_release(&ipm);
    vs_method_run_release(run);
    vs_arena_release(&arena);
    return error;
}

void bench_tape_release(bench_tape *tape) {
    bench_bare_destroy(tape->bare);
    tape->bare = NULL;
    vs_arena_release(&tape->arena);
}

int64_t bench_tape_solves(const bench_tape *tape) {
    int64_t sum = 0;
    for (int k = 0; k < tape->factorizations; k++)
        sum += tape->solves[k];
    return sum;
}
