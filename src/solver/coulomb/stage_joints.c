// The stage of the cascade for mechanisms: the joints are eliminated (impulse/joint_elimination.h), the small dense
// problem that is left, in contacts, limits, dry friction and motors, is solved by other stages, and the joint impulses
// follow from its solution. Rounding of the elimination is refined on the island itself, by which the result is
// evaluated.
//
// From the warm start Newton's method usually takes one or two factorizations of the small matrix.
#include <string.h>

#include "base/clock.h"
#include "solver/coulomb/cascade_data.h"
#include "solver/coulomb/jointless.h"
#include "solver/impulse/evaluation.h"
#include "solver/impulse/operator.h"

enum { PASSES = 3 }; // of refinement
// Part of the patience that the other stages have left if the reduced problem was not solved. It usually has no solution
// then: overlaps that the mechanism cannot leave (recovery_guard.h).
static const double LEFT = .1;

// What is tried on the reduced problem, and for how many iterations. The proximal point method comes first with a few for the
// last digits after the sweeps: where it takes more, the central path takes fewer.
enum { LAST_DIGITS = 6 };
static const struct trial {
    vs_stage_function *run;
    int iterations;
} TRIALS[] = {
    {vs_stage_firm_newton, 30},  {vs_stage_gauss_seidel, 400},  {vs_stage_proximal_point, LAST_DIGITS},
    {vs_stage_central_path, 60}, {vs_stage_proximal_point, 40}, {vs_stage_proximal_point_restart, 40},
};
enum { TRIALS_COUNT = sizeof TRIALS / sizeof TRIALS[0] };

// ---- the reduced problem ---------------------------------------------------------------------------

// Solves it from `start` with c->progress on it for that time. The best iterate is in r->lambda.
static vs_stage_end solve_reduced(vs_cascade *c, int k, vs_jointless *r, const double *start, int iterations) {
    vs_progress *progress = &c->progress;
    const vs_progress outer = *progress;
    const vs_impulse_problem *reduced = &r->elimination.reduced;
    vs_stage_end outcome = VS_STAGE_FAILED;
    progress->island = reduced;
    progress->system = &r->system;
    progress->packed = NULL;
    progress->start = start;
    progress->l = r->lambda, progress->y = r->y;
    memmove(r->lambda, start, sizeof(double) * (size_t)reduced->rows);
    vs_impulse_velocities(reduced, r->lambda, r->y);
    progress->error = vs_impulse_error(reduced, progress->both, r->lambda, r->y);
    if (vs_progress_solved(progress))
        outcome = VS_STAGE_SOLVED;
    for (int t = 0; t < TRIALS_COUNT && outcome == VS_STAGE_FAILED; t++)
        outcome = TRIALS[t].run(c, k, TRIALS[t].iterations < iterations ? TRIALS[t].iterations : iterations);
    progress->island = outer.island, progress->system = outer.system, progress->packed = outer.packed;
    progress->start = outer.start, progress->l = outer.l, progress->y = outer.y, progress->error = outer.error;
    return outcome;
}

// ---- the island ------------------------------------------------------------------------------------

// The joint impulses of r->lambda, refined once, and the velocities of all.
static void expand(vs_jointless *r, const vs_impulse_problem *island) {
    vs_joint_elimination_expand(&r->elimination, r->lambda, r->l);
    vs_impulse_velocities(island, r->l, r->v);
    vs_joint_elimination_correct(&r->elimination, r->v, r->l);
    vs_impulse_velocities(island, r->l, r->v);
}

static vs_error prepare(vs_cascade *c, int k) {
    vs_error error =
        c->jointless[k] ? VS_OK : vs_jointless_create(&c->shared, c->progress.island, c->arena, &c->jointless[k]);
    if (error)
        return error;
    double begin = vs_clock();
    vs_joint_elimination_update(&c->jointless[k]->elimination);
    c->counts.factorizations++;
    c->counts.factor += vs_clock() - begin;
    return VS_OK;
}

// used: factorizations of this stage, which the cascade will add to those spent.
static void shorten_patience(vs_cascade *c, int k, int used) {
    const int spent = (int)((1 - LEFT) * c->run->options.exact.patience) - used;
    c->spent[k] = spent > c->spent[k] ? spent : c->spent[k];
}

vs_stage_end vs_stage_joint_elimination(vs_cascade *c, int k, int iterations) {
    vs_progress *progress = &c->progress;
    const vs_impulse_problem *island = progress->island;
    const int before = c->counts.factorizations;
    if (vs_progress_late(progress, true))
        return VS_STAGE_STOPPED;
    progress->failure = prepare(c, k);
    if (progress->failure)
        return VS_STAGE_STOPPED;
    vs_jointless *r = c->jointless[k];
    const double *start = progress->start + r->elimination.factor.rows;
    for (int pass = 0; pass < PASSES; pass++) {
        vs_stage_end outcome = solve_reduced(c, k, r, start, iterations);
        if (progress->failure)
            return VS_STAGE_STOPPED;
        expand(r, island);
        (void)vs_progress_evaluate_own(progress, r->l, r->v, 1);
        if (vs_progress_solved(progress))
            return VS_STAGE_SOLVED;
        if (outcome == VS_STAGE_STOPPED)
            return outcome;
        if (outcome == VS_STAGE_FAILED)
            break;
        progress->reason = "rounding or contradicting joints remain";
        vs_joint_elimination_shift(&r->elimination, r->lambda, r->v);
        start = r->lambda;
    }
    shorten_patience(c, k, c->counts.factorizations - before);
    return progress->stopped ? VS_STAGE_STOPPED : VS_STAGE_FAILED;
}
