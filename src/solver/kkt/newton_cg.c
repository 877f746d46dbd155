// Conjugate gradients in place of factorizations. Far from the solution the systems need few digits and are well
// conditioned; the cost of a step of conjugate gradients grows linearly with the problem, that of a factorization with
// its square. Each system may take as many steps as cost the same as its factorization. One that takes half of them is
// the last: the number about doubles from system to system. Counts decide, not clocks: the bits of a result do not
// depend on timing.
#include "solver/kkt/newton_cg.h"

#include "base/clock.h"
#include "solver/kkt/factorization.h"
#include "solver/kkt/sparsified.h"

// Gap, relative, below which it is not tried: with body-sized blocks a thousand steps and more.
static const double LEAST_GAP = 3e-3;
// ns per number that a step reads, in single precision: .35 from the cache, .55 for 100 000 spheres
// (bench/results/scale.md).
static const double NUMBER = .5;
// Fraction of the steps that cost as much as a factorization: a system that needs more is the last one.
static const double LAST = .5;
// Fraction of the tolerance that conjugate gradients must reach.
static const double SHARE = .5;

vs_error vs_newton_allow_cg(vs_newton *newton, vs_arena *arena) {
    newton->cg = VS_NEW_ZERO(arena, vs_block_cg, 1);
    return newton->cg ? vs_block_cg_create(newton->cg, newton->context, &newton->pattern, arena) : VS_ERROR_MEMORY;
}

void vs_newton_try_cg(vs_newton *newton, bool yes, double gap) {
    bool cheap = !newton->by_cg || newton->cg_left >= (1 - LAST) * newton->cg_most;
    newton->by_cg = yes && newton->cg && gap >= LEAST_GAP && cheap;
}

bool vs_newton_begin_cg(vs_newton *newton) {
    newton->solved = false;
    if (!newton->by_cg)
        return false;
    double begin = vs_clock();
    newton->by_cg = vs_block_cg_set(newton->cg, newton->x);
    newton->counts.assemble += vs_clock() - begin;
    newton->cg_most = vs_newton_factor_cost(newton) / (NUMBER * vs_block_cg_work(newton->cg));
    newton->cg_left = newton->cg_most;
    return newton->by_cg;
}

static bool solve_by_cg(vs_newton *newton, double *x) {
    int steps;
    double begin = vs_clock(), tolerance = SHARE * newton->tolerance / newton->fgmres.residual;
    bool solved = vs_block_cg_solve(newton->cg, x, tolerance, (int)newton->cg_left, &steps);
    newton->counts.solve += vs_clock() - begin;
    newton->counts.cg_steps += steps;
    newton->cg_left -= steps;
    return solved;
}

vs_error vs_newton_backend_solve(vs_newton *newton, double *x) {
    if (newton->by_cg) {
        if (solve_by_cg(newton, x))
            return VS_OK;
        newton->by_cg = false;
        vs_error error = vs_newton_factor_assembled(newton);
        if (error)
            return error;
    }
    double begin = vs_clock();
    vs_error error = vs_newton_solve_matrix(newton, x);
    newton->counts.solve += vs_clock() - begin;
    newton->counts.solves++;
    return error;
}
