// The alternating direction method of multipliers: the linear law y = N l + r and the cones alternate, with a penalty
// R between them. N + E + R is factored once, and again only when the penalty changes.
//
//     z = P(w),  ybar = R (z - w)                    impulses in their sets, velocities in the duals: z'ybar = 0
//     (N + E + R) l = R z + ybar - r - s             s = (mu |ybar_T|, 0, …) if exact, else 0
//     w <- w + alpha (l - z)                         alpha = 1.6
//
// This is ADMM with over-relaxation, written in the single variable w = z - ybar / R (then known as
// Douglas-Rachford splitting). For the relaxed model it converges for every R > 0, unsymmetric N included; for exact
// friction, with s from the last velocities, in practice. Steps are accelerated (anderson.h); one that does not reduce
// the change of w is reverted.
//
// Joints are free rows: z = w, ybar = 0, and R is a small proximal term that redundant joints need.
// R = rho everywhere else, and rho moves towards |change of ybar| / |change of z|: both then converge equally.
//
// The system is the Newton system of the interior point with R in place of W^2, so its assembly, forms (velocity,
// augmented, impulse) and backends are used here.
//
// Exact friction may keep the iteration near a point that is almost a solution, depending on the path. So when there is
// no more progress it continues, or restarts, with another penalty or without acceleration: a few attempts. The convex
// models get one more with a fixed penalty.
//
// Boyd et al. 2011; Acary et al. 2018; Carpentier et al. 2024.
#include "solver/first_order/admm.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/elementary.h"
#include "base/vector.h"
#include "solver/impulse/operator.h"
#include "solver/impulse/group_law.h"
#include "solver/method.h"

static const double RELAXATION = 1.6;
static const double JOINT = 1e-6; // proximal term of joints
static const double CHANGE = 3;   // factor by which rho must be wrong to justify a factorization
// rho; redundant contacts, whose impulses move freely, would pull it to 0
static const double LEAST_CONVEX = .01, LEAST_EXACT = .1, MOST = 100;
enum {
    MEMORY = 10,      // steps of the acceleration
    ADAPT = 20,       // iterations before rho is first checked; later after as many as there were
    PATIENCE = 200,   // iterations without a tenth less error, and half of an attempt's, that end it
    SMALL_MOST = 3000 // unknowns up to which LDL solves faster than backends that factor faster
};

typedef struct attempt {
    double rho; // initial; diagonal blocks of N have about unit size
    bool accelerate, afresh, adapt;
} attempt;

static const attempt convex_attempts[] = {{.1, true, true, true}, {.1, true, false, false}};
static const attempt exact_attempts[] = {
    {.1, true, true, true},   {.1, false, true, true},   {1, true, true, true},
    {1, false, false, false}, {.1, false, false, false},
};
enum {
    CONVEX_ATTEMPTS = sizeof convex_attempts / sizeof *convex_attempts,
    EXACT_ATTEMPTS = sizeof exact_attempts / sizeof *exact_attempts
};

// ---- life ------------------------------------------------------------------------------------------

// Solves with one factor dominate, not factorizations: for these LDL and CHOLMOD beat MUMPS. A factor in single
// precision would have to be refined in every iteration.
static vs_error choose(vs_admm *a, vs_method_run *run) {
    const vs_scaled *problem = &run->scaled;
    vs_choice *choice = &a->choice;
    vs_solver_options options = run->options;
    vs_error error = vs_choose(problem, &options, run->context, choice);
    bool asked = options.linear_solver && strcmp(options.linear_solver, "auto") != 0;
    if (!error && asked && choice->backend->single)
        return vs_fail(run->context, VS_ERROR_UNSUPPORTED,
                       "linear_solver: %s factors in single precision, which admm does not refine; use mumps or auto",
                       choice->backend->name);
    if (error || asked || !problem->symmetric || choice->backend->dense)
        return error;
    bool impulse = choice->reduction == &vs_reduction_impulse, velocity = choice->reduction == &vs_reduction_velocity;
    bool definite = impulse ? !problem->local : velocity && problem->m_e == 0;
    int unknowns = problem->m_e + (impulse ? 0 : problem->n) + (velocity ? 0 : problem->m);
    const char *large = definite && vs_linear_backend_find("cholmod") ? "cholmod"
                        : vs_linear_backend_find("mumps")             ? "mumps"
                                                                      : "ldl";
    choice->backend = vs_linear_backend_find(unknowns <= SMALL_MOST ? "ldl" : large);
    snprintf(choice->text, sizeof choice->text, "%s form; %s: fast solves with one factor", choice->reduction->name,
             choice->backend->name);
    return VS_OK;
}

static vs_error create(void *state, vs_method_run *run, vs_arena *arena) {
    vs_admm *a = state;
    vs_error error = choose(a, run);
    if (!error)
        error = vs_impulse_run_create(&a->impulses, run, arena);
    if (!error)
        error = vs_newton_create(&a->newton, &run->scaled, a->choice.reduction, a->choice.backend, arena);
    if (!error)
        error = vs_anderson_create(&a->anderson, a->impulses.problem->rows, MEMORY, arena);
    if (error)
        return error;
    double **arrays[] = {&a->R, &a->w, &a->f, &a->z, &a->y, &a->l, &a->next, &a->last, &a->last_y};
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++) {
        *arrays[k] = VS_NEW_ZERO(arena, double, a->impulses.problem->rows);
        if (!*arrays[k])
            return VS_ERROR_MEMORY;
    }
    a->right = VS_NEW(arena, double, a->newton.unknowns);
    return a->right ? VS_OK : VS_ERROR_MEMORY;
}

static void release(void *state) {
    vs_newton_release(&((vs_admm *)state)->newton);
}

static vs_error update(void *state) {
    vs_admm *a = state;
    vs_newton_update(&a->newton);
    return vs_impulse_run_update(&a->impulses);
}

// ---- the linear system -----------------------------------------------------------------------------

// N + E + R. The system's rows are those of scaled.h, l' = scale l; it adds delta to M and to the joints' corner.
static vs_error factor(vs_admm *a) {
    vs_newton *newton = &a->newton;
    const vs_impulse_problem *problem = a->impulses.problem;
    newton->delta = JOINT;
    for (int g = 0; g < problem->joints; g++)
        a->R[g] = JOINT;
    for (int g = problem->joints; g < problem->groups; g++) {
        int cone = g - problem->joints, rows = problem->row[g + 1] - problem->row[g];
        vs_lifted_block *lifted = vs_newton_lifted(newton, cone);
        double *T = lifted ? lifted->T : newton->T + 9 * cone, *M = lifted ? lifted->M : newton->M + 9 * cone;
        int ld = lifted ? rows : 3;
        memset(T, 0, sizeof *T * (size_t)(ld * ld));
        memset(M, 0, sizeof *M * (size_t)(ld * ld));
        for (int k = problem->row[g]; k < problem->row[g + 1]; k++) {
            int diagonal = (ld + 1) * (k - problem->row[g]);
            double scale = problem->row_scale[k];
            a->R[k] = a->rho;
            T[diagonal] = 1;
            M[diagonal] = (problem->E[k] + a->rho) / (scale * scale) - newton->delta;
        }
    }
    double begin = vs_clock();
    newton->reduction->assemble(newton);
    double assembled = vs_clock();
    vs_error error = vs_linear_solver_factor(newton->solver, newton->x);
    newton->counts.assemble += assembled - begin;
    newton->counts.factor += vs_clock() - assembled;
    newton->counts.factorizations++;
    return error;
}

// (N + E + R) l = l, the right-hand side in, the impulses out
static vs_error solve_linear(vs_admm *a, double *l) {
    vs_newton *newton = &a->newton;
    const vs_impulse_problem *problem = a->impulses.problem;
    bool saddle = newton->reduction->velocities;
    int n = saddle ? newton->problem->n : 0;
    double *x = a->right, sign = saddle ? -1 : 1;
    memset(x, 0, sizeof(double) * (size_t)n);
    for (int k = 0; k < problem->rows; k++)
        x[n + k] = l[k] / problem->row_scale[k];
    vs_error error = newton->reduction->precondition(newton, x);
    for (int k = 0; k < problem->rows; k++)
        l[k] = sign * x[n + k] / problem->row_scale[k];
    return error;
}

// ---- the iteration ---------------------------------------------------------------------------------

// z and ybar of w
static void split(vs_admm *a) {
    const vs_impulse_problem *problem = a->impulses.problem;
    memcpy(a->z, a->w, sizeof(double) * (size_t)problem->rows);
    vs_impulse_project(problem, a->z);
    for (int k = 0; k < problem->rows; k++)
        a->y[k] = a->R[k] * (a->z[k] - a->w[k]);
}

// w of z and ybar, after R has changed: the history of the old one is dropped.
static void combine(vs_admm *a) {
    const vs_impulse_problem *problem = a->impulses.problem;
    for (int k = 0; k < problem->rows; k++)
        a->w[k] = a->z[k] - (k < problem->joints ? 0 : a->y[k] / a->R[k]);
    vs_anderson_forget(&a->anderson);
    a->accelerated = false;
    a->dz = a->dy = 0;
}

// f of w
static vs_error evaluate(vs_admm *a) {
    const vs_impulse_problem *problem = a->impulses.problem;
    for (int k = 0; k < problem->rows; k++)
        a->l[k] = a->R[k] * a->z[k] + a->y[k] - problem->r[k];
    for (int g = problem->joints; g < problem->groups && problem->exact; g++) {
        const double *y = a->y + problem->row[g];
        if (problem->law[g] == VS_LAW_FRICTION)
            a->l[problem->row[g]] -= problem->mu[g] * vs_hypot(y[1], y[2]);
        else if (problem->law[g] == VS_LAW_ROLLING)
            a->l[problem->row[g]] -= vs_discs_slip(&problem->discs[g], y);
    }
    vs_error error = solve_linear(a, a->l);
    for (int k = 0; k < problem->rows; k++)
        a->f[k] = RELAXATION * (a->l[k] - a->z[k]);
    return error;
}

// Starts an attempt: from the starting point, or with the present z and ybar.
static vs_error begin_attempt(vs_admm *a) {
    const vs_impulse_problem *problem = a->impulses.problem;
    const attempt *now = (problem->exact ? exact_attempts : convex_attempts) + a->attempt;
    a->rho = now->rho;
    a->accelerate = now->accelerate;
    a->begun = a->impulses.run->iterations;
    a->adapt_at = now->adapt ? a->begun + ADAPT : INT_MAX;
    vs_error error = factor(a);
    vs_impulse_run_start(&a->impulses, now->afresh ? a->z : a->next); // also resets the progress
    if (now->afresh) {
        vs_impulse_velocities(problem, a->z, a->y);
        vs_impulse_exact(problem, a->y);
    }
    combine(a);
    split(a);
    return error;
}

// Another attempt if this one makes no more progress; another rho if this one is wrong.
static vs_error adapt(vs_admm *a) {
    const vs_impulse_problem *problem = a->impulses.problem;
    int now = a->impulses.run->iterations;
    for (int k = problem->joints; k < problem->rows; k++) {
        double dz = a->z[k] - a->last[k], dy = a->y[k] - a->last_y[k];
        a->dz += dz * dz;
        a->dy += dy * dy;
    }
    if (!vs_method_run_fits(a->impulses.run, vs_linear_solver_guess(a->newton.solver, 1)))
        return VS_OK;
    int gain = a->impulses.last_gain > a->begun ? a->impulses.last_gain : a->begun;
    int attempts = problem->exact ? EXACT_ATTEMPTS : CONVEX_ATTEMPTS;
    if (a->attempt < attempts - 1 && now - gain > PATIENCE && now - gain > (now - a->begun) / 2) {
        a->attempt++;
        return begin_attempt(a);
    }
    if (now < a->adapt_at)
        return VS_OK;
    double least = problem->exact ? LEAST_EXACT : LEAST_CONVEX;
    double rho = fmin(fmax(sqrt(a->dy / fmax(a->dz, 1e-300)), least), MOST);
    a->adapt_at = a->begun + 2 * (now - a->begun);
    a->dz = a->dy = 0;
    if (rho < CHANGE * a->rho && rho > a->rho / CHANGE)
        return VS_OK;
    a->rho = rho;
    vs_error error = factor(a);
    combine(a);
    return error;
}

// The next w, from w and f
static void advance(vs_admm *a) {
    size_t bytes = sizeof(double) * (size_t)a->impulses.problem->rows;
    double size = vs_vector_norm(a->impulses.problem->rows, a->f);
    memcpy(a->last, a->z, bytes);
    memcpy(a->last_y, a->y, bytes);
    if (a->accelerated && !(size <= a->before)) {
        // back to the start of the acceleration, and a plain step from there
        memcpy(a->w, a->anderson.S, bytes);
        vs_anderson_forget(&a->anderson);
        a->accelerated = false;
        return;
    }
    for (int k = 0; k < a->impulses.problem->rows; k++)
        a->next[k] = a->w[k] + a->f[k];
    if (a->accelerate) {
        vs_anderson_observe(&a->anderson, a->w, a->next);
        vs_anderson_extrapolate(&a->anderson, a->next);
        a->accelerated = a->anderson.count > 0;
        a->before = size;
    }
    memcpy(a->w, a->next, bytes);
}

static vs_error solve(void *state) {
    vs_admm *a = state;
    a->attempt = 0;
    if (vs_method_run_late(a->impulses.run, &(vs_pace){0}, true, vs_linear_solver_guess(a->newton.solver, 1)))
        return VS_OK;
    vs_error error = begin_attempt(a);
    while (!error) {
        error = evaluate(a);
        if (error)
            break;
        advance(a);
        split(a);
        if (vs_impulse_run_check(&a->impulses, a->z, &error))
            break;
        error = adapt(a);
    }
    if (error != VS_ERROR_NUMERICAL)
        return error;
    vs_method_run_end(a->impulses.run, VS_STATUS_BREAKDOWN, "a factorization or a solve with it failed");
    return VS_OK;
}

static void begin(void *state) {
    ((vs_admm *)state)->newton.counts = (vs_counts){0};
}

static const vs_counts *counts(const void *state) {
    return &((const vs_admm *)state)->newton.counts;
}

static void report(const void *state, vs_result *result) {
    const vs_admm *a = state;
    const vs_linear_report *linear = &a->newton.solver->report;
    result->form = a->choice.reduction->name;
    result->linear_solver = a->choice.backend->name;
    result->choice = a->choice.text;
    result->fill = linear->fill;
    result->flops = linear->flops;
    result->positive = linear->positive;
    result->negative = linear->negative;
}

const vs_method_class vs_admm_class = {
    .name = "admm",
    .purpose =
        "alternating direction method with a cached factorization: relaxed and exact friction at medium accuracy",
    .models = VS_SOLVES_ALL,
    .rolling = true,
    .most = 1000000,
    .size = sizeof(vs_admm),
    .create = create,
    .release = release,
    .update = update,
    .begin = begin,
    .solve = solve,
    .counts = counts,
    .report = report,
};
