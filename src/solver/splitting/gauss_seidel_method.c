// Projected block Gauss-Seidel and SOR behind method.h, on the whole problem in impulses. One iteration visits every
// group once:
//
//     forward     in the order of the problem
//     symmetric   forward and backward in turn
//     coloured    by colours, over threads: contacts of one colour share no body
//
// With omega = 1 the objective of the relaxed and the frictionless model decreases with every visit, and the iterates
// converge for every positive semidefinite N for which there is a solution; so does SOR, 0 < omega < 2, without
// friction (Mangasarian 1977).
// For exact friction there is no such guarantee (Jean 1999).
#include <stdio.h>

#include "solver/impulse/impulse_run.h"
#include "solver/method.h"
#include "solver/splitting/sweep.h"

typedef struct gauss_seidel_state {
    vs_impulse_run impulses;
    vs_colouring colouring; // coloured sweeps only
    vs_split split;         // distributed only
    vs_sweeper sweeper;
    double *l; // (rows; distributed also ghosts)
    char choice[128];
} gauss_seidel_state;

static void describe(gauss_seidel_state *s) {
    static const char *const orders[] = {"forward", "forward and backward in turn"};
    const vs_sweeper *sweeper = &s->sweeper;
    if (sweeper->order == VS_SWEEP_COLOURED)
        snprintf(s->choice, sizeof s->choice, "sweeps by %d colours and %d groups one by one; relaxation %g",
                 s->colouring.colours, sweeper->problem->groups - s->colouring.start[VS_COLOURS_MOST], sweeper->omega);
    else
        snprintf(s->choice, sizeof s->choice, "sweeps %s; relaxation %g", orders[sweeper->order == VS_SWEEP_SYMMETRIC],
                 sweeper->omega);
}

static vs_error create_split(gauss_seidel_state *s, vs_arena *arena) {
    if (!vs_split_exists(s->impulses.problem))
        return vs_fail(
            arena->context, VS_ERROR_UNSUPPORTED,
            "method: gauss-seidel on several processes needs a mass matrix in blocks of bodies; use a serial run");
    s->sweeper.split = &s->split;
    return vs_split_create(&s->split, s->impulses.problem, arena);
}

static vs_error create(void *state, vs_method_run *run, vs_arena *arena) {
    gauss_seidel_state *s = state;
    const vs_solver_options *options = &run->options;
    vs_error error = vs_impulse_run_create(&s->impulses, run, arena);
    if (!error && options->gauss_seidel.sweep == VS_SWEEP_COLOURED)
        error = vs_colouring_create(&s->colouring, s->impulses.problem, arena);
    if (error)
        return error;
    s->sweeper = (vs_sweeper){.problem = s->impulses.problem,
                              .order = options->gauss_seidel.sweep,
                              .colouring = &s->colouring,
                              .omega = options->gauss_seidel.relaxation > 0 ? options->gauss_seidel.relaxation : 1,
                              .v = VS_NEW(arena, double, s->impulses.problem->n)};
    s->l = VS_NEW_ZERO(arena, double, (int64_t)s->impulses.problem->rows + run->scaled.ghosts);
    if (vs_space_any(run->problem->space, !s->l || !s->sweeper.v))
        return VS_ERROR_MEMORY;
    describe(s);
    return run->problem->space ? create_split(s, arena) : VS_OK;
}

static vs_error update(void *state) {
    gauss_seidel_state *s = state;
    vs_error error = vs_impulse_run_update(&s->impulses);
    if (!error && s->sweeper.split)
        vs_split_update(&s->split);
    return error;
}

static vs_error solve(void *state) {
    gauss_seidel_state *s = state;
    vs_error error;
    s->sweeper.sweeps = 0;
    vs_impulse_run_start(&s->impulses, s->l);
    do
        vs_sweeper_sweep(&s->sweeper, s->l);
    while (!vs_impulse_run_check(&s->impulses, s->l, &error));
    return error;
}

static void report(const void *state, vs_result *result) {
    result->choice = ((const gauss_seidel_state *)state)->choice;
}

const vs_method_class vs_gauss_seidel_class = {
    .name = "gauss-seidel",
    .purpose = "projected block Gauss-Seidel, SOR: one contact after the other; robust, a few digits",
    .models = VS_SOLVES_ALL,
    .rolling = true,
    .distributed = true,
    .most = 1000000,
    .size = sizeof(gauss_seidel_state),
    .create = create,
    .update = update,
    .solve = solve,
    .report = report,
};
