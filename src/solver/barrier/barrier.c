// A primal-dual log-barrier method on the impulses (Fang 2014), for comparison with the interior point of ipm.c.
//
//     minimise 1/2 l'N l + r'l   subject to   c(l) <= 0        c as in barrier_constraints.h, multipliers p
//
//     r_d    = N l + r + B'p = 0          r_cent = -p c - 1/t = 0
//
// One Newton step of these per stage, t = FACTOR constraints / gap, gap = -c'p (the surrogate gap); the step is limited
// to 0.99 of the step to the boundary and reduced further while |(r_d, r_cent)| would grow too much (Boyd and
// Vandenberghe 2004, algorithm 11.2, as in Fang 2014).
//
// Difference from the book: there the residual must decrease in every stage. Here B'p is bilinear. A contact that opens
// with slip goes to the apex of its cone, where grad c = 0, and y_T = -p l_T requires l_T to decrease and p to increase
// by the same factor: a full Newton step is wrong by about y_T, and a monotone residual then allows only steps of a few
// per cent, hundreds of them. So it may grow by GROWTH: a pile of spheres takes 50 to 70 stages instead of 200 and
// more, as many as Fang 2014 reports.
//
// Compared with ipm.c it lacks predictor and correctors; a scaling that treats l and y alike, so that p of opening
// contacts grows as 1 / |l| and r_d never becomes small however good l is; and slacks. c is a difference of values of
// l, and when mu l_n - |l_T| of sliding contacts has decreased to the rounding of l, steps decrease to zero: on piles
// with sqrt(energy error / e0) of 1e-10 to 1e-12. It needs an objective: N symmetric.
#include <math.h>
#include <string.h>

#include "solver/barrier/barrier_system.h"
#include "solver/impulse/operator.h"
#include "solver/impulse/evaluation.h"
#include "solver/method.h"

static const double FACTOR = 10;        // Boyd and Vandenberghe's mu
static const double FRACTION = .99;     // of the step to the boundary
static const double GROWTH = 2;         // largest growth of the residual in a stage
static const double BACK = .5;          // a step with more is reduced by this factor
static const double LEAST_IMPULSE = 1;  // normal, of the start: 1 has the energy of the free motion
static const double LEAST_START = 1e-6; // error of a warm start, at least
static const double ROUNDING = 1e-10;   // relative asymmetry of N that counts as rounding
enum { BACKTRACKS = 40, MOST = 200 };   // reductions of a step; stages

typedef struct barrier_state {
    vs_method_run *run;
    vs_impulse_run impulses;
    vs_barrier_limits limits;
    vs_barrier_system system;
    double *l, *dl, *y, *dy;  // (rows) y = N l + r, dy = N dl
    double *r_d, *l_try;      // (rows)
    double *p, *dp, *c, *r_g; // (constraints)
    double *p_try, *c_try;    // (constraints)
    double gap, t;
    vs_pace pace; // of the stages
} barrier_state;

// ---- life ------------------------------------------------------------------------------------------

static vs_error create(void *state, vs_method_run *run, vs_arena *arena) {
    barrier_state *s = state;
    s->run = run;
    if (run->problem->asymmetry > ROUNDING)
        return vs_fail(run->context, VS_ERROR_UNSUPPORTED,
                       "method: barrier minimizes an energy, which does not exist for an unsymmetric problem; use ipm");
    vs_error error = vs_impulse_run_create(&s->impulses, run, arena);
    if (!error)
        error = vs_barrier_limits_create(&s->limits, s->impulses.problem, arena);
    if (error)
        return error;
    double **rows[] = {&s->l, &s->dl, &s->y, &s->dy, &s->r_d, &s->l_try};
    double **constraints[] = {&s->p, &s->dp, &s->c, &s->r_g, &s->p_try, &s->c_try};
    for (int k = 0; k < 6; k++) {
        *rows[k] = VS_NEW_ZERO(arena, double, s->impulses.problem->rows);
        *constraints[k] = VS_NEW_ZERO(arena, double, s->limits.count);
        if (!*rows[k] || !*constraints[k])
            return VS_ERROR_MEMORY;
    }
    return vs_barrier_system_create(&s->system, &s->impulses, &s->limits, arena);
}

static void release(void *state) {
    vs_barrier_system_release(&((barrier_state *)state)->system);
}

static vs_error update(void *state) {
    barrier_state *s = state;
    vs_error error = vs_impulse_run_update(&s->impulses);
    if (!error)
        vs_barrier_system_update(&s->system);
    return error;
}

static void begin(void *state) {
    ((barrier_state *)state)->system.counts = (vs_counts){0};
}

// ---- a stage ---------------------------------------------------------------------------------------

// From rest or a warm start, moved inside by its error (1 for rest); multipliers on the central path of the gap between
// the impulses and their velocities. A smaller gap would be far ahead of r_d: from the gap 1 large piles do not
// converge.
static void start(barrier_state *s) {
    vs_impulse_run_start(&s->impulses, s->l);
    vs_impulse_velocities(s->impulses.problem, s->l, s->y);
    double error = fmax(fmin(vs_impulse_error(s->impulses.problem, false, s->l, s->y), 1), LEAST_START);
    vs_barrier_push(&s->limits, error * LEAST_IMPULSE, 1 - .5 * error, s->l);
    vs_barrier_values(&s->limits, s->l, s->c);
    vs_impulse_velocities(s->impulses.problem, s->l, s->y);
    double gap = 0;
    for (int k = s->impulses.problem->joints; k < s->impulses.problem->rows; k++)
        gap += fabs(s->l[k] * s->y[k]);
    gap = fmax(gap, error);
    for (int i = 0; i < s->limits.count; i++)
        s->p[i] = -gap / (s->c[i] * s->limits.count);
}

// y, gap and t of l, p.
static void settle(barrier_state *s) {
    vs_impulse_velocities(s->impulses.problem, s->l, s->y);
    s->gap = 0;
    for (int i = 0; i < s->limits.count; i++)
        s->gap -= s->c[i] * s->p[i];
    s->t = s->gap > 0 ? FACTOR * s->limits.count / s->gap : 1;
}

// |(r_d, r_cent)| of l, p, c where N l + r = y + step dy; leaves r_d.
static double residual(barrier_state *s, const double *l, const double *p, const double *c, double step) {
    double sum = 0;
    for (int k = 0; k < s->impulses.problem->rows; k++)
        s->r_d[k] = s->y[k] + step * s->dy[k];
    vs_barrier_gradient_add(&s->limits, l, p, s->r_d);
    for (int k = 0; k < s->impulses.problem->rows; k++)
        sum += s->r_d[k] * s->r_d[k];
    for (int i = 0; i < s->limits.count; i++) {
        double r_cent = -p[i] * c[i] - 1 / s->t;
        sum += r_cent * r_cent;
    }
    return sqrt(sum);
}

// Direction dl, dp at l, p; returns the residual there.
static vs_error find_direction(barrier_state *s, double *size) {
    memset(s->dy, 0, sizeof(double) * (size_t)s->impulses.problem->rows);
    *size = residual(s, s->l, s->p, s->c, 0);
    for (int i = 0; i < s->limits.count; i++)
        s->r_g[i] = s->c[i] + 1 / (s->t * s->p[i]);
    vs_error error = vs_barrier_system_factor(&s->system, s->l, s->c, s->p);
    if (!error)
        error = vs_barrier_system_solve(&s->system, s->r_d, s->r_g, s->dl, s->dp);
    if (!error)
        vs_impulse_multiply(s->impulses.problem, s->dl, s->dy);
    return error;
}

// Moves along the direction; false if no step is possible.
static bool advance(barrier_state *s, double size, double *taken) {
    double step = 1;
    for (int i = 0; i < s->limits.count; i++)
        if (s->dp[i] < 0)
            step = fmin(step, -s->p[i] / s->dp[i]);
    step = vs_barrier_step(&s->limits, s->l, s->dl, s->c, step);
    step = step < 1 ? FRACTION * step : 1;
    for (int round = 0; round < BACKTRACKS; round++) {
        if (round > 0)
            step *= BACK;
        for (int k = 0; k < s->impulses.problem->rows; k++)
            s->l_try[k] = s->l[k] + step * s->dl[k];
        for (int i = 0; i < s->limits.count; i++)
            s->p_try[i] = s->p[i] + step * s->dp[i];
        if (!vs_barrier_values(&s->limits, s->l_try, s->c_try) ||
            residual(s, s->l_try, s->p_try, s->c_try, step) > GROWTH * size)
            continue;
        memcpy(s->l, s->l_try, sizeof(double) * (size_t)s->impulses.problem->rows);
        memcpy(s->p, s->p_try, sizeof(double) * (size_t)s->limits.count);
        memcpy(s->c, s->c_try, sizeof(double) * (size_t)s->limits.count);
        *taken = step;
        return true;
    }
    return false;
}

// ---- the loop --------------------------------------------------------------------------------------

// Is there no time for another stage?
static bool is_late(barrier_state *s) {
    double guess = s->system.solver ? vs_linear_solver_guess(s->system.solver, 4) : 0;
    return vs_method_run_late(s->run, &s->pace, s->run->iterations == 0, guess);
}

static vs_error solve(void *state) {
    barrier_state *s = state;
    vs_method_run *run = s->run;
    vs_iteration line = {0};
    start(s);
    vs_error error = VS_OK;
    while (!error) {
        settle(s);
        line.gap = s->gap;
        error = vs_impulse_run_measure(&s->impulses, s->l);
        if (error || vs_method_run_check(run, &line))
            break;
        if (is_late(s))
            break;
        line = (vs_iteration){0};
        double size;
        int64_t solves = s->system.counts.solves;
        error = find_direction(s, &size);
        if (error)
            break;
        line.regularization = s->system.delta;
        line.refinements = (int)(s->system.counts.solves - solves);
        if (!advance(s, size, &line.step_primal)) {
            vs_method_run_end(run, VS_STATUS_INACCURATE,
                              "the step length decreased to zero; returned is the best iterate (least error)");
            break;
        }
        line.step_dual = line.step_primal;
        line.sigma = 1 / FACTOR;
        run->iterations++;
    }
    if (error == VS_ERROR_NUMERICAL) {
        vs_method_run_end(run, VS_STATUS_BREAKDOWN,
                          "the barrier's matrix could not be factored; returned is the best iterate (least error)");
        return VS_OK;
    }
    return error || run->status == VS_STATUS_TIME_LIMIT ? error : vs_barrier_system_check(&s->system);
}

// ---- the method ------------------------------------------------------------------------------------

static const vs_counts *counts(const void *state) {
    return &((const barrier_state *)state)->system.counts;
}

static void report(const void *state, vs_result *result) {
    const vs_barrier_system *system = &((const barrier_state *)state)->system;
    result->form = system->way == VS_BARRIER_AUGMENTED ? "augmented" : "impulse";
    result->linear_solver = system->name;
    result->choice = system->choice;
    if (!system->solver)
        return;
    const vs_linear_report *linear = &system->solver->report;
    result->fill = linear->fill;
    result->flops = linear->flops;
    result->positive = linear->positive;
    result->negative = linear->negative;
    result->backward_error = linear->backward_error;
}

const vs_method_class vs_barrier_class = {
    .name = "barrier",
    .purpose = "log barrier interior point on the impulses, for comparison: moderate accuracy",
    .models = VS_SOLVES_CONVEX,
    .most = MOST,
    .size = sizeof(barrier_state),
    .create = create,
    .release = release,
    .update = update,
    .begin = begin,
    .solve = solve,
    .counts = counts,
    .report = report,
};
