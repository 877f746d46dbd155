// The stages of the cascade that sweep over an island: Gauss-Seidel with Anderson acceleration, accelerated (Nesterov)
// Gauss-Seidel and the proximal point method around sweeps on large islands, and Gauss-Seidel until a time budget ends. No
// factorizations, but for the last digits of gauss-seidel-newton.
#include <limits.h>
#include <math.h>
#include <string.h>

#include "solver/coulomb/cascade_stage.h"
#include "solver/coulomb/semismooth_newton.h"
#include "solver/impulse/one_contact.h"
#include "solver/impulse/operator.h"
#include "solver/impulse/evaluation.h"
#include "solver/impulse/group_law.h"
#include "solver/splitting/accelerated_sweeps.h"
#include "solver/splitting/packed_sweep.h"
#include "solver/splitting/proximal_sweeps.h"
#include "solver/splitting/sweep_course.h"

static const double WARM = .1;   // error below which the start is a warm one; that of rest is 1
static const double NEAR = 1e-6; // error from which Newton's method finishes what sweeps began
enum {
    NEWTON_LEAST = 10, // iterations: with time for fewer, Newton's method is not begun
    UNCLOCKED = 64     // groups relaxed between two readings of the clock
};

// ---- sweeping ----------------------------------------------------------------------------------------

// Is the island's share of the time used up, apart from one more sweep, one evaluation and the return to the best
// iterate?
static bool is_share_over(void *user) {
    vs_progress *progress = user;
    progress->unclocked += progress->island->groups;
    if (progress->unclocked < UNCLOCKED)
        return false;
    double now = vs_method_run_elapsed(progress->run), last = now - progress->clock;
    progress->unclocked = 0;
    progress->clock = now;
    return now + 3 * last > progress->deadline;
}

static bool record_sweeps(void *user, double error, int sweeps) {
    vs_progress *progress = user;
    vs_progress_record(progress, error, sweeps);
    return progress->stopped;
}

// Sweeps from `start`, at most so many, to an error.
static vs_stage_end sweep(vs_accelerated_sweeps *method, vs_progress *progress, const double *start, int most,
                          double error) {
    const vs_method_run *run = progress->run;
    double *l = progress->work[VS_SWEEP_WORK], *y = progress->work[VS_SWEEP_WORK + 1];
    int left = run->obliged ? INT_MAX : run->max_iterations - run->iterations;
    vs_sweeper sweeper = {
        .problem = progress->island, .omega = 1, .v = progress->velocities, .packed = progress->packed};
    vs_sweep_outcome outcome;
    vs_sweep_limits limits = {.both = progress->both,
                              .tolerance = error,
                              .sweeps = left < most ? left : most,
                              .most = left,
                              .stop = record_sweeps,
                              .late = run->max_time > 0 && !run->obliged ? is_share_over : NULL,
                              .user = progress};
    memmove(l, start, sizeof(double) * (size_t)progress->island->rows);
    method(&sweeper, &limits, l, y, progress->work, &outcome);
    vs_progress_accept(progress, l, y, outcome.error);
    progress->reason = outcome.stalled ? "the rate of convergence is too slow" : "the sweeps were used up";
    return vs_progress_solved(progress) ? VS_STAGE_SOLVED : progress->stopped ? VS_STAGE_STOPPED : VS_STAGE_FAILED;
}

// ---- stages ------------------------------------------------------------------------------------------

// An island of one contact: the local solver alone. False if it found no solution to the tolerance.
static bool solve_one_contact(vs_progress *progress) {
    const vs_impulse_problem *island = progress->island;
    double *l = progress->work[VS_SWEEP_WORK], *y = progress->work[VS_SWEEP_WORK + 1];
    vs_one_contact_solve(island->A, 3, island->r, island->mu[0], l);
    vs_impulse_project(island, l);
    vs_impulse_velocities(island, l, y);
    double error = vs_impulse_error(island, progress->both, l, y);
    vs_progress_accept(progress, l, y, error);
    vs_progress_record(progress, error, 1);
    return vs_progress_solved(progress);
}

// Until over-relaxation makes no more progress: proximal-sweeps follow.
static void brief_packed_sweeps(vs_sweeper *sweeper, const vs_sweep_limits *limits, double *l, double *y,
                                double *const *work, vs_sweep_outcome *outcome) {
    vs_sweep_limits brief = *limits;
    brief.brief = true;
    vs_packed_sweeps(sweeper, &brief, l, y, work, outcome);
}

// Over contacts in packs; the other stages that sweep use the packs that there are.
vs_stage_end vs_stage_packed_gauss_seidel(vs_cascade *c, int k, int iterations) {
    vs_progress *progress = &c->progress;
    (void)k;
    progress->reason = "contacts cannot be packed";
    if (!progress->packed)
        return VS_STAGE_FAILED;
    vs_packed_load(progress->packed, progress->start, vs_progress_is_loose(progress));
    return sweep(vs_progress_is_loose(progress) ? brief_packed_sweeps : vs_packed_sweeps, progress, progress->start,
                 iterations, progress->tolerance);
}

// The proximal point method around packed sweeps.
static void proximal_packed_sweeps(vs_sweeper *sweeper, const vs_sweep_limits *limits, double *l, double *y,
                                   double *const *work, vs_sweep_outcome *outcome) {
    vs_proximal_sweeps proximal;
    vs_proximal_sweeps_pack(&proximal, sweeper, work);
    vs_proximal_sweeps_solve(&proximal, limits, l, y, work, outcome);
    vs_packed_pull(sweeper->packed, 0, proximal.centre);
}

vs_stage_end vs_stage_proximal_sweeps(vs_cascade *c, int k, int iterations) {
    vs_progress *progress = &c->progress;
    (void)k;
    progress->reason = "contacts cannot be packed";
    if (!progress->packed)
        return VS_STAGE_FAILED;
    progress->reason = "momentum is better for a small tolerance";
    if (!vs_progress_is_loose(progress))
        return VS_STAGE_FAILED;
    return sweep(proximal_packed_sweeps, progress, progress->l, iterations, progress->tolerance);
}

// From the best iterate, with less over-relaxation and momentum in the end.
vs_stage_end vs_stage_packed_gauss_seidel_near(vs_cascade *c, int k, int iterations) {
    vs_progress *progress = &c->progress;
    (void)k;
    if (!vs_progress_is_rough(progress))
        return VS_STAGE_FAILED;
    return sweep(vs_packed_sweeps, progress, progress->l, iterations, progress->tolerance);
}

static vs_accelerated_sweeps *choose_long_sweeps(const vs_progress *progress) {
    return progress->packed ? vs_packed_sweeps : vs_nesterov_sweeps;
}

vs_stage_end vs_stage_gauss_seidel(vs_cascade *c, int k, int iterations) {
    vs_progress *progress = &c->progress;
    const vs_impulse_problem *island = progress->island;
    (void)k;
    progress->reason = "contacts in packs were swept";
    if (progress->packed)
        return VS_STAGE_FAILED;
    if (island->groups == 1 && island->law[0] == VS_LAW_FRICTION && solve_one_contact(progress))
        return VS_STAGE_SOLVED;
    progress->reason = "joints alone are linear";
    if (island->contacts == 0)
        return VS_STAGE_FAILED;
    if (iterations > VS_STAGE_MASONRY_SWEEPS && progress->error < WARM && vs_cascade_is_masonry(island))
        iterations = VS_STAGE_MASONRY_SWEEPS;
    return sweep(vs_anderson_sweeps, progress, progress->start, iterations, progress->tolerance);
}

// Where there is no time for Newton's method, the remaining time goes to sweeps.
vs_stage_end vs_stage_time_limited_gauss_seidel(vs_cascade *c, int k, int iterations) {
    vs_progress *progress = &c->progress;
    int contacts = progress->island->contacts;
    (void)k;
    progress->reason = "there is time for Newton's method";
    if (contacts == 0 || vs_method_run_fits(progress->run, vs_linear_system_predict(progress->system, NEWTON_LEAST)))
        return VS_STAGE_FAILED;
    vs_accelerated_sweeps *method = contacts < VS_STAGE_LARGE ? vs_anderson_sweeps : choose_long_sweeps(progress);
    return sweep(method, progress, progress->l, iterations, progress->tolerance);
}

// Joints alone need no sweeps: one factorization is all that there is to do.
vs_stage_end vs_stage_least_sweeps(vs_cascade *c, int k, int iterations) {
    vs_progress *progress = &c->progress;
    if (progress->island->contacts == 0)
        return vs_stage_linear(c, k, vs_stages[VS_STAGE_LINEAR].iterations);
    return sweep(vs_anderson_sweeps, progress, progress->l, iterations, progress->tolerance);
}

vs_stage_end vs_stage_accelerated_gauss_seidel(vs_cascade *c, int k, int iterations) {
    vs_progress *progress = &c->progress;
    (void)k;
    return sweep(choose_long_sweeps(progress), progress, progress->l, iterations, progress->tolerance);
}

vs_stage_end vs_stage_gauss_seidel_newton(vs_cascade *c, int k, int iterations) {
    vs_progress *progress = &c->progress;
    (void)k;
    vs_stage_end outcome =
        sweep(choose_long_sweeps(progress), progress, progress->l, iterations, fmax(NEAR, progress->tolerance));
    if (outcome == VS_STAGE_FAILED && progress->error <= NEAR)
        outcome = vs_semismooth_solve(&vs_semismooth_polish, progress, progress->l);
    if (outcome == VS_STAGE_FAILED && progress->error <= NEAR)
        outcome = sweep(choose_long_sweeps(progress), progress, progress->l, iterations, progress->tolerance);
    return outcome;
}
