// The Newton system: scaling of the cones' blocks, factorization with bounded regularization, refined solves.
// The three reductions are in reduction_augmented.c, reduction_velocity.c and reduction_impulse.c.
#include "solver/kkt/newton.h"

#include <math.h>
#include <string.h>

#include "base/clock.h"
#include "solver/kkt/factorization.h"
#include "solver/kkt/newton_cg.h"
#include "solver/kkt/newton_operator.h"
#include "solver/kkt/sparsified.h"

// FGMRES steps in all, and between restarts. Late systems with a single-precision factor need 2 to 8.
enum { RESTART = 30, MOST_STEPS = 60 };

static const double LEAST_RESIDUAL = 1e-10; // relative, of any solve
static const double MOST_RESIDUAL = 0.1;    // relative, at most
static const double JOINT_RESIDUAL = 1e-5;  // relative, at most when there are joints

// ---- creation --------------------------------------------------------------------------------------

static vs_error create_lifted(vs_newton *newton, vs_arena *arena) {
    const vs_scaled *problem = newton->problem;
    int count = 0;
    newton->lifted_of = VS_NEW(arena, int, problem->cones);
    if (!newton->lifted_of)
        return VS_ERROR_MEMORY;
    for (int k = 0; k < problem->cones; k++)
        newton->lifted_of[k] = problem->kind[k] == VS_CONE_ROLLING ? count++ : -1;
    newton->lifted = VS_NEW_ZERO(arena, vs_lifted_block, count);
    for (int k = 0; k < problem->cones && newton->lifted; k++)
        if (newton->lifted_of[k] >= 0)
            newton->lifted[newton->lifted_of[k]].rows = problem->row[k + 1] - problem->row[k];
    return newton->lifted ? VS_OK : VS_ERROR_MEMORY;
}

vs_error vs_newton_create(vs_newton *newton, const vs_scaled *problem, const vs_reduction *reduction,
                          const vs_linear_backend *backend, vs_arena *arena) {
    memset(newton, 0, sizeof *newton);
    newton->context = arena->context;
    newton->problem = problem;
    newton->reduction = reduction;
    // Single precision has 7 digits, of which the scaled matrix needs most. In double precision delta must stay below
    // W^2 of the contacts that carry, which falls with the gap: along redundant contacts nothing else is stiff, and
    // refinement gains only the fraction W^2 / delta of its step there. Weights of at most 1 / delta = 1e12 round by
    // 1e-4 of the bodies' own inertia, 1, which still gives a safe sign.
    newton->delta_least = backend->single ? 1e-6 : 1e-12;
    newton->residual_least = LEAST_RESIDUAL;
    // Very different masses need weights of their ratio, which are harmless in velocity space.
    if (problem->extreme && reduction == &vs_reduction_velocity && !backend->single) {
        newton->delta_least = 1e-30;
        newton->residual_least = 1e-12;
    }
    newton->space = problem->problem->space;
    newton->joints = vs_space_any(newton->space, problem->m_e > 0);
    newton->delta = newton->delta_least;
    newton->T = VS_NEW_ZERO(arena, double, 9 * ((int64_t)problem->cones + problem->ghost_cones));
    newton->M = VS_NEW_ZERO(arena, double, 9 * (int64_t)problem->cones);
    newton->M_inverse = VS_NEW_ZERO(arena, double, 9 * (int64_t)problem->cones);
    if (problem->discs && create_lifted(newton, arena))
        return VS_ERROR_MEMORY;
    newton->unknowns = (reduction->velocities ? problem->n : 0) + problem->m_e + problem->m;
    newton->right = VS_NEW_ZERO(arena, double, newton->unknowns + problem->ghosts);
    newton->step = VS_NEW_ZERO(arena, double, newton->unknowns);
    newton->wide_n = VS_NEW_ZERO(arena, double, problem->n);
    newton->wide_m = VS_NEW_ZERO(arena, double, vs_scaled_extended_rows(problem));
    newton->D_times = VS_NEW_ZERO(arena, double, problem->m);
    if (!newton->T || !newton->M || !newton->M_inverse || !newton->right || !newton->step || !newton->wide_n ||
        !newton->wide_m || !newton->D_times)
        return VS_ERROR_MEMORY;
    int most = (int)vs_space_max(newton->space, newton->unknowns), restart = most < RESTART ? most : RESTART;
    vs_error error = vs_fgmres_init(&newton->fgmres, newton->unknowns, restart > 0 ? restart : 1, arena);
    newton->fgmres.space = newton->space;
    newton->fgmres.owned = reduction->velocities ? vs_space_owned(newton->space, problem->n) : 0;
    newton->fgmres.shared = reduction->velocities ? problem->n : 0;
    if (!error)
        error = reduction->create(newton, arena);
    if (error)
        return error;
    newton->x = VS_NEW_ZERO(arena, double, newton->pattern.p[newton->pattern.n]);
    newton->check = VS_NEW(arena, double, 3 * (int64_t)newton->pattern.n);
    if (!newton->x || !newton->check)
        return VS_ERROR_MEMORY;
    reduction->update(newton);
    return vs_linear_solver_create(newton->context, backend, &newton->pattern, &newton->solver);
}

void vs_newton_release(vs_newton *newton) {
    vs_linear_solver_destroy(newton->solver);
    newton->solver = NULL;
    vs_newton_release_sparsified(newton);
}

void vs_newton_update(vs_newton *newton) {
    newton->delta = newton->delta_least;
    newton->reduction->update(newton);
}

// ---- factorization ---------------------------------------------------------------------------------

// out = f1 q1 q1' + f2 q2 q2' + f3 q3 q3' in the frame of a second-order pair (see cone.h).
static void from_spectrum(const vs_cone_pair *pair, double f1, double f2, double f3, double *out) {
    double c = pair->d[0], s = pair->d[1], sum = (f1 + f2) / 2, difference = (f1 - f2) / 2;
    out[0] = sum;
    out[1] = out[3] = difference * c;
    out[2] = out[6] = difference * s;
    out[4] = sum * c * c + f3 * s * s;
    out[8] = sum * s * s + f3 * c * c;
    out[5] = out[7] = (sum - f3) * c * s;
}

// T = (W^2 + 1)^-1/2 and M = T (W^2 + E) T of one cone.
static void scale_cone(vs_cone_kind kind, const vs_cone_pair *pair, const double *E, double *T, double *M) {
    if (kind != VS_CONE_SECOND_ORDER) {
        double square = pair->eta * pair->eta;
        if (kind == VS_CONE_BOX)
            square += pair->theta * pair->theta;
        T[0] = 1 / sqrt(1 + square);
        M[0] = square / (1 + square) + E[0] * T[0] * T[0];
        return;
    }
    double e1 = pair->eta * pair->theta, e2 = pair->eta / pair->theta, e3 = pair->eta;
    e1 *= e1, e2 *= e2, e3 *= e3;
    from_spectrum(pair, 1 / sqrt(1 + e1), 1 / sqrt(1 + e2), 1 / sqrt(1 + e3), T);
    from_spectrum(pair, e1 / (1 + e1), e2 / (1 + e2), e3 / (1 + e3), M);
    for (int k = 0; k < 3; k++)
        for (int i = 0; i < 3 && E[k] != 0; i++)
            for (int j = 0; j < 3; j++)
                M[3 * i + j] += T[3 * i + k] * E[k] * T[3 * k + j];
}

vs_error vs_newton_factor(vs_newton *newton, const vs_cone_pair *pairs) {
    const vs_scaled *problem = newton->problem;
    double begin = vs_clock();
    for (int k = 0; k < problem->cones; k++) {
        vs_lifted_block *lifted = vs_newton_lifted(newton, k);
        const double *E = problem->E + problem->row[k];
        if (lifted)
            vs_lifted_scale(lifted, &problem->discs[k], pairs, E);
        else
            scale_cone(problem->kind[k], pairs, E, newton->T + 9 * k, newton->M + 9 * k);
        pairs += lifted ? vs_lifted_count(&problem->discs[k]) : 1;
    }
    newton->delta = fmax(newton->delta_least, newton->delta / 10);
    newton->counts.assemble += vs_clock() - begin;
    vs_newton_assemble(newton);
    vs_newton_weigh(newton);
    return vs_newton_begin_cg(newton) ? VS_OK : vs_newton_factor_assembled(newton);
}

vs_error vs_newton_check(vs_newton *newton) {
    return newton->by_cg || !newton->solver->factored ? VS_OK : vs_newton_check_matrix(newton);
}

// ---- solves ----------------------------------------------------------------------------------------

vs_error vs_newton_solve(vs_newton *newton, vs_newton_rhs rhs, double tolerance, vs_newton_step *step) {
    const vs_scaled *problem = newton->problem;
    int n = newton->reduction->velocities ? problem->n : 0, m_e = problem->m_e, m = problem->m;
    double begin = vs_clock(), inside = newton->counts.solve;

    for (int k = 0; k < n; k++)
        newton->right[k] = rhs.d ? rhs.d[k] : 0;
    if (m_e > 0)
        memcpy(newton->right + n, rhs.e, sizeof(double) * (size_t)m_e);
    vs_newton_scale_rows_t(newton, rhs.c, newton->right + n + m_e);

    // Below the contribution of the regularization in directions without stiffness (redundant contacts) a smaller
    // residual would only cause large moves along them: there the regularized step, a proximal one, is better.
    double size = 0;
    for (int k = 0; k < newton->unknowns; k++)
        if (k < newton->fgmres.owned || k >= n)
            size += newton->right[k] * newton->right[k];
    size = vs_space_sum(newton->space, size);
    tolerance = fmax(tolerance, newton->residual_least * sqrt(size));
    // Residuals of nearly dependent joints are amplified by the inverse of their least eigenvalue.
    tolerance = fmin(tolerance, (newton->joints ? JOINT_RESIDUAL : MOST_RESIDUAL) * sqrt(size));

    newton->tolerance = tolerance;
    int most = newton->steps_most > 0 && newton->steps_most < MOST_STEPS ? newton->steps_most : MOST_STEPS;
    vs_fgmres_outcome outcome;
    vs_error error =
        vs_fgmres_solve(&newton->fgmres, newton->reduction->apply, newton->reduction->precondition, newton,
                        newton->right, newton->step, newton->solved && newton->by_cg, tolerance, most, &outcome);
    newton->solved = true;
    if (error)
        return error;
    step->refinements += outcome.iterations;

    // Back to impulses: the reductions with velocities have the unknowns (dv, -dg, -T^-1 dl), the impulse form (dg,
    // T^-1 dl).
    double sign = newton->reduction->velocities ? -1 : 1;
    for (int k = 0; k < m_e; k++)
        step->dg[k] = sign * newton->step[n + k];
    vs_newton_scale_rows(newton, newton->step + n + m_e, step->dl);
    for (int k = 0; k < m; k++)
        step->dl[k] *= sign;
    if (newton->reduction->velocities) {
        memcpy(step->dv, newton->step, sizeof(double) * (size_t)n);
        vs_rows_multiply(&problem->D, 1, newton->step, 0, step->Ddv, newton->context);
    } else {
        double *impulses = newton->right, *velocities = newton->wide_m;
        memcpy(impulses, newton->step, sizeof(double) * (size_t)m_e);
        memcpy(impulses + m_e, step->dl, sizeof(double) * (size_t)m);
        vs_scaled_extend(problem, impulses);
        vs_rows_multiply(&newton->delassus.N, 1, impulses, 0, velocities, newton->context);
        memcpy(step->Ddv, velocities + m_e, sizeof(double) * (size_t)m);
    }
    newton->counts.refine += vs_clock() - begin - (newton->counts.solve - inside);
    return VS_OK;
}
