// The interior point's loop: measure the iterate, factor its Newton matrix, find a direction (correctors.c), go along
// it as far as the cones allow. One factorization per iteration.
#include "solver/ipm/ipm.h"

#include <math.h>
#include <string.h>

#include "solver/ipm/active_set.h"
#include "solver/ipm/active_set_correction.h"
#include "solver/ipm/correctors.h"
#include "solver/ipm/direction.h"
#include "solver/ipm/infeasible_joints.h"
#include "solver/ipm/starting_point.h"
#include "solver/kkt/newton_cg.h"
#include "solver/kkt/sparsified.h"

// Gap below which the active-set correction is tried, and factor for the next attempt.
static const double FINISH = 1e-5, FINISH_AGAIN = 1e-2;
static const int MANY = 25; // iterations: so many are rare
// Fraction of the step to the boundary: while the gap is large, and at most. A single contact that is left much closer
// to it than the others makes the next steps short: on piles of thousands it costs two iterations in fifteen.
static const double FRACTION = 0.98, FRACTION_MOST = 0.99;
// Residuals of the linear solves, over the gap. Along redundant contacts only W^2 is stiff, which is proportional to the
// gap: there TIGHT is the relative error of a step. Factors in single precision are for piles, which need less, and very
// different masses leave less than TIGHT asks for.
static const double LOOSE = 1e-2, TIGHT = 1e-3;
static const double SPARE = 1e-2; // least residual of a solve over the tolerance: joints alone are solved by one
enum { HALVINGS = 30 };           // of a step, before it counts as none

// ---- creation --------------------------------------------------------------------------------------

// Conjugate gradients are for large piles: single precision suffices, and no linear solver was requested by name.
static bool may_use_cg(const vs_ipm *ipm, const vs_linear_backend *backend) {
    const vs_scaled *problem = ipm->problem;
    const char *asked = ipm->run->options.linear_solver;
    return problem->identity && problem->m_e == 0 && !ipm->space && !problem->discs && backend->single &&
           ipm->newton.reduction == &vs_reduction_velocity && (!asked || strcmp(asked, "auto") == 0);
}

// Which pairs there are, and where they are in lifted vectors.
static vs_error create_pairs(vs_ipm *ipm, vs_arena *arena) {
    const vs_scaled *problem = ipm->problem;
    ipm->first = VS_NEW(arena, int, problem->cones + 1);
    if (!ipm->first)
        return VS_ERROR_MEMORY;
    for (int k = 0; k < problem->cones; k++) {
        ipm->first[k] = ipm->count;
        ipm->count += problem->kind[k] == VS_CONE_ROLLING ? vs_lifted_count(&problem->discs[k]) : 1;
    }
    ipm->first[problem->cones] = ipm->count;
    ipm->lift = VS_NEW(arena, int, ipm->count + 1);
    ipm->kind = VS_NEW(arena, vs_cone_kind, ipm->count);
    if (!ipm->lift || !ipm->kind)
        return VS_ERROR_MEMORY;
    int lifted = 0;
    for (int k = 0; k < problem->cones; k++)
        for (int p = ipm->first[k]; p < ipm->first[k + 1]; p++) {
            ipm->kind[p] = problem->kind[k] == VS_CONE_ROLLING ? VS_CONE_SECOND_ORDER : problem->kind[k];
            ipm->lift[p] = lifted;
            lifted += vs_cone_of(ipm->kind[p])->size;
            ipm->degree += vs_cone_of(ipm->kind[p])->degree;
        }
    ipm->lift[ipm->count] = lifted;
    return VS_OK;
}

vs_error vs_ipm_create(vs_ipm *ipm, vs_method_run *run, const vs_reduction *reduction, const vs_linear_backend *backend,
                       vs_arena *arena) {
    memset(ipm, 0, sizeof *ipm);
    const vs_scaled *problem = &run->scaled;
    ipm->run = run;
    ipm->problem = problem;
    ipm->space = problem->problem->space;
    ipm->velocities = reduction->velocities;
    ipm->tolerance_factor = backend->single || problem->extreme ? LOOSE : TIGHT;
    if (create_pairs(ipm, arena))
        return VS_ERROR_MEMORY;
    int lifted = ipm->lift[ipm->count];
    ipm->degree = (int)vs_space_sum(ipm->space, ipm->degree);

    ipm->pairs = VS_NEW_ZERO(arena, vs_cone_pair, ipm->count);
    ipm->trial = VS_NEW_ZERO(arena, vs_cone_pair, ipm->count);
    int n = problem->n, m = problem->m, m_e = problem->m_e;
    const struct {
        double **array;
        int size;
    } parts[] = {{&ipm->v, n},        {&ipm->best_v, n},   {&ipm->dv, n},       {&ipm->r_d, n},
                 {&ipm->rhs_d, n},    {&ipm->g, m_e},      {&ipm->dg, m_e},     {&ipm->r_e, m_e},
                 {&ipm->rhs_e, m_e},  {&ipm->x, m},        {&ipm->dl, m},       {&ipm->Ddv, m},
                 {&ipm->r_c, m},      {&ipm->rhs_c, m},    {&ipm->r_z, lifted}, {&ipm->r_z_keep, lifted},
                 {&ipm->sum, lifted}, {&ipm->dlt, lifted}, {&ipm->dyt, lifted}};
    for (size_t k = 0; k < sizeof parts / sizeof *parts; k++) {
        *parts[k].array = VS_NEW_ZERO(arena, double, parts[k].size);
        if (!*parts[k].array)
            return VS_ERROR_MEMORY;
    }
    ipm->keep = VS_NEW_ZERO(arena, double, n + m_e + 2 * (int64_t)lifted);
    ipm->carries = VS_NEW(arena, bool, problem->cones);
    if (!ipm->pairs || !ipm->trial || !ipm->keep || !ipm->carries)
        return VS_ERROR_MEMORY;
    if (vs_ipm_can_finish(ipm)) {
        ipm->correction = VS_NEW(arena, vs_correction, 1);
        if (!ipm->correction || vs_correction_create(ipm->correction, problem->cones, arena))
            return VS_ERROR_MEMORY;
    }
    vs_error error = vs_newton_create(&ipm->newton, problem, reduction, backend, arena);
    ipm->newton.residual_least = fmin(ipm->newton.residual_least, SPARE * run->options.tolerance);
    if (error || !may_use_cg(ipm, backend))
        return error;
    error = vs_newton_allow_sparsified(&ipm->newton, arena);
    if (!error)
        error = vs_newton_allow_cg(&ipm->newton, arena);
    return error;
}

void vs_ipm_release(vs_ipm *ipm) {
    vs_newton_release(&ipm->newton);
}

void vs_ipm_update(vs_ipm *ipm) {
    vs_newton_update(&ipm->newton);
}

// ---- iterations ------------------------------------------------------------------------------------

// Moves all pairs and g; shortens the step while a pair would leave its cone. False: no step possible.
static bool advance(vs_ipm *ipm, double *step) {
    const vs_scaled *problem = ipm->problem;
    for (int halving = 0; halving < HALVINGS; halving++) {
        bool inside = true;
        memcpy(ipm->trial, ipm->pairs, sizeof(vs_cone_pair) * (size_t)ipm->count);
        for (int k = 0; k < ipm->count && inside; k++)
            inside = vs_cone_of(ipm->kind[k])
                         ->advance(ipm->trial + k, *step, ipm->dlt + ipm->lift[k], *step, ipm->dyt + ipm->lift[k]);
        if (vs_space_any(ipm->space, !inside)) {
            *step *= .5;
            continue;
        }
        for (int k = 0; k < problem->cones; k++)
            if (problem->kind[k] == VS_CONE_BOX)
                ipm->x[problem->row[k]] += *step * ipm->dlt[ipm->lift[ipm->first[k]]] / ipm->pairs[ipm->first[k]].eta;
        vs_cone_pair *swap = ipm->pairs;
        ipm->pairs = ipm->trial;
        ipm->trial = swap;
        for (int k = 0; k < problem->m_e; k++)
            ipm->g[k] += *step * ipm->dg[k];
        for (int k = 0; k < problem->n && ipm->velocities; k++)
            ipm->v[k] += *step * ipm->dv[k];
        return true;
    }
    return false;
}

bool vs_ipm_velocities(const vs_ipm *ipm, double *v) {
    if (!ipm->velocities || !ipm->best_balanced)
        return false;
    vs_scaled_v_undo(ipm->problem, ipm->best_v, v);
    return true;
}

// No contacts: one linear system gives the joints' impulses (Mangoni, thesis, eq 4.27).
static vs_error solve_joints(vs_ipm *ipm) {
    vs_iteration line = {0};
    memset(ipm->g, 0, sizeof(double) * (size_t)ipm->problem->m_e);
    vs_error error = vs_ipm_settle(ipm);
    if (!error)
        error = vs_newton_factor(&ipm->newton, ipm->pairs);
    for (int round = 0; round < 5 && !error; round++) {
        error = vs_ipm_residuals(ipm);
        if (error || vs_method_run_check(ipm->run, &line))
            return error;
        error = vs_ipm_direction(ipm, ipm->r_z, &line);
        for (int k = 0; k < ipm->problem->m_e; k++)
            ipm->g[k] += ipm->dg[k];
        for (int k = 0; k < ipm->problem->n && ipm->velocities; k++)
            ipm->v[k] += ipm->dv[k];
        ipm->run->iterations++;
    }
    vs_method_run_end(ipm->run, VS_STATUS_INACCURATE, "the joints' linear system could not be solved to the tolerance");
    vs_ipm_blame_joints(ipm);
    return error;
}

// Is there no time for another iteration?
static bool is_late(vs_ipm *ipm, bool first) {
    double guess = vs_linear_solver_guess(ipm->newton.solver, 2 * (2 + VS_IPM_CORRECTORS));
    return vs_method_run_late(ipm->run, &ipm->pace, first, vs_space_max(ipm->space, guess));
}

// The whole iteration, from the starting point of the run.
static vs_error iterate(vs_ipm *ipm) {
    vs_method_run *run = ipm->run;
    int begun = run->iterations;
    if (is_late(ipm, true))
        return VS_OK;
    vs_newton_begin(&ipm->newton);
    vs_newton_try_cg(&ipm->newton, run->max_time <= 0, INFINITY); // with a time budget iterations must be predictable
    vs_error error = vs_ipm_start(ipm);
    if (!error)
        error = vs_ipm_settle(ipm);
    ipm->finish_below = ipm->correction ? FINISH : 0;
    vs_iteration line = {0};
    while (!error) {
        error = vs_ipm_residuals(ipm);
        line.gap = ipm->gap * ipm->degree;
        if (error || vs_method_run_check(run, &line))
            break;
        if (ipm->gap * ipm->degree < ipm->finish_below) {
            bool done;
            error = vs_ipm_finish(ipm, &done);
            if (error || done)
                break;
            ipm->finish_below *= FINISH_AGAIN;
            error = vs_ipm_residuals(ipm);
            if (error)
                break;
        }
        // So many iterations are rare; inconsistent joints are one reason.
        if (run->iterations == MANY && vs_ipm_blame_joints(ipm))
            return VS_OK;
        if (is_late(ipm, run->iterations == begun))
            break;
        line = (vs_iteration){0};
        vs_newton_try_cg(&ipm->newton, ipm->newton.by_cg, ipm->gap * ipm->degree);
        error = vs_newton_factor(&ipm->newton, ipm->pairs);
        if (error)
            break;
        line.regularization = ipm->newton.delta;
        double step;
        error = vs_ipm_find_direction(ipm, &line, &step);
        if (error)
            break;
        // Stay away from the boundary, less so as the gap closes; a direction that never reaches it is taken fully.
        double total = ipm->gap * ipm->degree, fraction = fmin(fmax(FRACTION, 1 - total), FRACTION_MOST);
        step = step < 1 ? fraction * step : 1;
        if (!advance(ipm, &step)) {
            vs_method_run_end(run, VS_STATUS_INACCURATE,
                              "the step length decreased to zero; returned is the best iterate (least error)");
            break;
        }
        line.step_primal = line.step_dual = step;
        run->iterations++;
    }
    if (error == VS_ERROR_NUMERICAL) {
        vs_method_run_end(run, VS_STATUS_BREAKDOWN,
                          "the Newton matrix could not be factored; returned is the best iterate (least error)");
        error = VS_OK;
    }
    return error;
}

// The tolerance was not met, and neither limits nor rounding are the reason.
static bool gave_up(const vs_method_run *run) {
    return run->status == VS_STATUS_BREAKDOWN || (run->status == VS_STATUS_INACCURATE && !run->rounded);
}

vs_error vs_ipm_solve(vs_ipm *ipm) {
    vs_method_run *run = ipm->run;
    ipm->best_balanced = false;
    if (ipm->degree == 0)
        return solve_joints(ipm);
    vs_error error = iterate(ipm);
    // A start near the boundary may have been the reason.
    if (!error && (run->warm_lambda || run->warm_v) && gave_up(run)) {
        run->warm_lambda = run->warm_g = run->warm_v = false;
        vs_method_run_again(run);
        error = iterate(ipm);
    }
    vs_ipm_blame_joints(ipm);
    return error;
}
