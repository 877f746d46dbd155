// Projected block Gauss-Seidel and SOR behind method.h, on the whole problem in impulses. One iteration visits every
// group once:
//
//     forward     in the order of the problem
//     symmetric   there and back in turn
//     coloured    by colours, over threads: contacts of one colour share no body
//
// With omega = 1 the objective of the relaxed and the frictionless model falls with every visit, and the iterates
// converge for every positive semidefinite N for which there is a solution; so does SOR, 0 < omega < 2, without
// friction (O. Mangasarian, Solution of symmetric linear complementarity problems by iterative methods, JOTA 22, 1977).
// For exact friction there is no such guarantee (M. Jean, The non-smooth contact dynamics method, CMAME 177, 1999).
#include "solver/method.h"
#include "solver/splitting/sweeps.h"

#include <stdio.h>

typedef struct gauss_seidel_state {
    vs_dual dual;
    vs_colouring colouring; // coloured sweeps only
    double *l, *v;          // (rows), (n)
    char choice[128];
} gauss_seidel_state;

// The velocities carried gather roundoff with every visit: summed anew after this many iterations.
enum { CARRY_EVERY = 32 };

static double find_omega(const vs_run *run) {
    return run->options.relaxation > 0 ? run->options.relaxation : 1;
}

static void describe(gauss_seidel_state *s) {
    static const char *const orders[] = {"forward", "forward and backward in turn"};
    const vs_run *run = s->dual.run;
    if (run->options.sweep == VS_SWEEP_COLOURED)
        snprintf(s->choice, sizeof s->choice, "sweeps by %d colours and %d groups one by one; relaxation %g",
                 s->colouring.colours, s->dual.groups - s->colouring.start[VS_COLOURS_MOST], find_omega(run));
    else
        snprintf(s->choice, sizeof s->choice, "sweeps %s; relaxation %g",
                 orders[run->options.sweep == VS_SWEEP_SYMMETRIC], find_omega(run));
}

static vs_error create(void *state, vs_run *run, vs_arena *arena) {
    gauss_seidel_state *s = state;
    vs_error error = vs_dual_create(&s->dual, run, arena);
    if (!error && run->options.sweep == VS_SWEEP_COLOURED)
        error = vs_colouring_create(&s->colouring, &s->dual, arena);
    if (error)
        return error;
    s->l = VS_NEW(arena, double, s->dual.rows);
    s->v = VS_NEW(arena, double, s->dual.n);
    if (!s->l || !s->v)
        return VS_ERROR_MEMORY;
    describe(s);
    return VS_OK;
}

static vs_error update(void *state) {
    return vs_dual_update(&((gauss_seidel_state *)state)->dual);
}

static void sweep(gauss_seidel_state *s, int iteration, double omega) {
    switch (s->dual.run->options.sweep) {
    case VS_SWEEP_COLOURED:
        vs_sweep_coloured(&s->dual, &s->colouring, omega, s->l, s->v);
        break;
    case VS_SWEEP_SYMMETRIC:
        if (iteration % 2)
            vs_sweep_backward(&s->dual, omega, s->l, s->v);
        else
            vs_sweep_forward(&s->dual, omega, s->l, s->v);
        break;
    default:
        vs_sweep_forward(&s->dual, omega, s->l, s->v);
    }
}

static vs_error solve(void *state) {
    gauss_seidel_state *s = state;
    vs_error error;
    double omega = find_omega(s->dual.run);
    vs_dual_start(&s->dual, s->l);
    for (int k = 0;; k++) {
        if (k % CARRY_EVERY == 0)
            vs_dual_carry(&s->dual, s->l, s->v);
        sweep(s, k, omega);
        if (vs_dual_judge(&s->dual, s->l, &error))
            return error;
    }
}

static void report(const void *state, vs_result *result) {
    result->choice = ((const gauss_seidel_state *)state)->choice;
}

const vs_method_class vs_gauss_seidel_class = {
    .name = "gauss-seidel",
    .purpose = "projected block Gauss-Seidel, SOR: one contact after the other; robust, a few digits",
    .models = VS_SOLVES_ALL,
    .most = 1000000,
    .size = sizeof(gauss_seidel_state),
    .create = create,
    .update = update,
    .solve = solve,
    .report = report,
};
