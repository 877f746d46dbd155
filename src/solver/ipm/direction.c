// Residuals and directions of the interior point.
//
//     W dl~ + W^-1 dy = -(z \ r_z),   dy = D dv + E dl + r_c      (dl~ lifted: a box row counts twice)
//
// dy is computed from the linear equation, which keeps the residual r_c at roundoff; the complementarity would not. Of
// the two slacks of a box row the stiffer one follows from the difference for the same reason.
#include "solver/ipm/direction.h"

#include <float.h>
#include <math.h>
#include <string.h>

// x of a box row is updated incrementally; near a bound, and after a start, it follows from the slack.
static void place_in_box(const vs_cone_pair *pair, double lo, double hi, double *x) {
    double slack = fmin(pair->lambda[0], pair->lambda[1]);
    bool carried = fabs(lo + pair->lambda[0] - *x) <= 1e-8 * (hi - lo);
    if (!carried || slack <= 1e-3 * fabs(*x))
        *x = pair->lambda[0] <= pair->lambda[1] ? lo + pair->lambda[0] : hi - pair->lambda[1];
}

// x of the pairs, and the gap.
static void gather(vs_ipm *ipm) {
    const vs_scaled *problem = ipm->problem;
    double gap = 0;
    for (int k = 0; k < problem->cones; k++) {
        const vs_cone_pair *pair = ipm->pairs + k;
        int row = problem->row[k], rows = problem->row[k + 1] - row;
        for (int i = 0; i < rows && problem->kind[k] != VS_CONE_BOX; i++)
            ipm->x[row + i] = pair->lambda[i];
        if (problem->kind[k] == VS_CONE_BOX)
            place_in_box(pair, problem->lo[row], problem->hi[row], ipm->x + row);
        gap += pair->gap;
    }
    ipm->gap = vs_space_sum(ipm->space, gap) / (ipm->degree > 0 ? ipm->degree : 1);
}

// sum |A_ij||x_i| added to t
static void add_sizes(const vs_rows *A, const double *x, double *t) {
    for (int g = 0; g < A->groups; g++) {
        const double *value = A->x + A->value[g];
        for (int row = A->row[g]; row < A->row[g + 1]; row++)
            for (int64_t c = A->start[g]; c < A->start[g + 1]; c++)
                t[A->col[c]] += fabs(*value++ * x[row]);
    }
}

static const double SUMS = 8; // roundings of a sum of impulses, in epsilons: of its terms and of adding them

// The energy error due to rounding the impulses to doubles, relative to the islands' energies: no iterate can do better.
static double rounding(const vs_ipm *ipm) {
    const vs_scaled *problem = ipm->problem;
    double *t = ipm->newton.wide_n;
    if (!problem->extreme)
        return 0; // the measure is accurate enough
    for (int j = 0; j < problem->n; j++)
        t[j] = fabs(problem->c[j]);
    vs_space_assemble_begin(ipm->space, problem->n, t);
    add_sizes(&problem->D, ipm->x, t);
    add_sizes(&problem->C, ipm->g, t);
    vs_space_assemble_end(ipm->space, t);
    return .5 * SUMS * SUMS * DBL_EPSILON * DBL_EPSILON * vs_space_dot(ipm->space, problem->n, t, t);
}

static vs_error measure_impulses(vs_ipm *ipm) {
    vs_run *run = ipm->run;
    const vs_scaled *problem = ipm->problem;
    vs_scaled_lambda_undo(problem, ipm->x, run->lambda);
    vs_scaled_g_undo(problem, ipm->g, run->g);
    run->rounding = rounding(ipm);
    return vs_run_measure(run);
}

// r_d = H v + c - C'g - D'x
static void balance(vs_ipm *ipm) {
    const vs_scaled *problem = ipm->problem;
    for (int j = 0; j < problem->n; j++)
        ipm->r_d[j] = problem->c[j] + (problem->identity ? ipm->v[j] : 0);
    if (!problem->identity)
        vs_sparse_multiply_t(&problem->H, 1, ipm->v, 1, ipm->r_d); // symmetric
    vs_space_assemble_begin(ipm->space, problem->n, ipm->r_d);
    vs_rows_multiply_t_add(&problem->C, -1, ipm->g, ipm->r_d);
    vs_rows_multiply_t_add(&problem->D, -1, ipm->x, ipm->r_d);
    vs_space_assemble_end(ipm->space, ipm->r_d);
}

// Stores v of a new best iterate, and whether its impulses balance v to their rounding.
static void keep_velocities(vs_ipm *ipm) {
    const vs_scaled *problem = ipm->problem;
    if (!ipm->run->improved)
        return;
    double square = vs_space_dot(ipm->space, problem->n, ipm->r_d, ipm->r_d);
    ipm->best_balanced = .5 * square <= 64 * ipm->run->rounding;
    memcpy(ipm->best_v, ipm->v, sizeof(double) * (size_t)problem->n);
}

// Contact and joint velocities of the state v, or of the impulses as measured.
static void find_velocities(vs_ipm *ipm, bool state) {
    const vs_scaled *problem = ipm->problem;
    vs_run *run = ipm->run;
    if (state) {
        vs_rows_multiply(&problem->D, 1, ipm->v, 0, ipm->r_c, run->context);
        for (int k = 0; k < problem->m; k++)
            ipm->r_c[k] += problem->E[k] * ipm->x[k] - problem->b[k];
        vs_rows_multiply(&problem->C, 1, ipm->v, 0, ipm->r_e, run->context);
        for (int k = 0; k < problem->m_e; k++)
            ipm->r_e[k] += problem->E_e[k] * ipm->g[k] - problem->b_e[k];
        return;
    }
    const vs_problem *user = run->problem;
    for (int k = 0; k < problem->m; k++)
        ipm->r_c[k] = run->y[problem->source[k]] / (problem->S[k] * problem->unit_row[k]);
    if (problem->m_e > 0)
        vs_rows_multiply(&user->C, 1, run->v, 0, ipm->r_e, run->context);
    for (int k = 0; k < problem->m_e; k++) {
        double residual = ipm->r_e[k] - user->b_e[k] + user->E_e[k] * run->g[k];
        ipm->r_e[k] = residual / (problem->S_e[k] * problem->unit_joint[k]);
    }
}

vs_error vs_ipm_residuals_of_impulses(vs_ipm *ipm) {
    vs_error error = measure_impulses(ipm);
    if (!error)
        find_velocities(ipm, false);
    return error;
}

vs_error vs_ipm_settle(vs_ipm *ipm) {
    gather(ipm);
    vs_error error = measure_impulses(ipm);
    if (!error && ipm->velocities)
        vs_scaled_v(ipm->problem, ipm->run->v, ipm->v);
    return error;
}

vs_error vs_ipm_residuals(vs_ipm *ipm) {
    const vs_scaled *problem = ipm->problem;
    gather(ipm);
    vs_error error = measure_impulses(ipm);
    if (error)
        return error;
    if (ipm->velocities) {
        balance(ipm);
        keep_velocities(ipm);
    }
    find_velocities(ipm, ipm->velocities);
    for (int k = 0; k < problem->cones; k++) {
        const vs_cone_pair *pair = ipm->pairs + k;
        int row = problem->row[k];
        if (problem->kind[k] == VS_CONE_BOX)
            ipm->r_c[row] -= pair->y[0] - pair->y[1];
        else
            for (int i = 0; i < problem->row[k + 1] - row; i++)
                ipm->r_c[row + i] -= pair->y[i];
    }
    return VS_OK;
}

// sum = -(z \ r_z) of one cone; adds W sum to the rows' right-hand side.
static void take_complementarity(vs_ipm *ipm, int k, const double *r_z, double *sum) {
    const vs_scaled *problem = ipm->problem;
    const vs_cone *cone = vs_cone_of(problem->kind[k]);
    const vs_cone_pair *pair = ipm->pairs + k;
    double t[3], *rhs = ipm->rhs_c + problem->row[k];
    cone->divide(pair, r_z, sum);
    for (int i = 0; i < cone->size; i++)
        sum[i] = -sum[i];
    cone->apply(pair, 1, sum, t);
    rhs[0] += problem->kind[k] == VS_CONE_BOX ? t[0] - t[1] : t[0];
    for (int i = 1; i < cone->rows; i++)
        rhs[i] += t[i];
}

// The two slack velocities of a box row: their difference is `row`; the softer one follows from the complementarity.
static void split_box(const vs_cone_pair *pair, const double *dl, double row, const double *sum, double *dy) {
    if (pair->eta <= pair->theta) {
        dy[0] = pair->eta * (sum[0] - pair->eta * dl[0]);
        dy[1] = dy[0] - row;
    } else {
        dy[1] = pair->theta * (sum[1] - pair->theta * dl[1]);
        dy[0] = dy[1] + row;
    }
}

vs_error vs_ipm_direction(vs_ipm *ipm, const double *r_z, vs_iteration *line) {
    const vs_scaled *problem = ipm->problem;
    for (int k = 0; k < problem->m_e; k++)
        ipm->rhs_e[k] = -ipm->r_e[k];
    for (int k = 0; k < problem->m; k++)
        ipm->rhs_c[k] = -ipm->r_c[k];
    for (int k = 0; k < problem->cones; k++)
        take_complementarity(ipm, k, r_z + ipm->lift[k], ipm->sum + ipm->lift[k]);

    for (int j = 0; j < problem->n && ipm->velocities; j++)
        ipm->rhs_d[j] = -ipm->r_d[j];
    vs_newton_rhs rhs = {ipm->velocities ? ipm->rhs_d : NULL, ipm->rhs_e, ipm->rhs_c};
    vs_newton_step step = {ipm->dv, ipm->dg, ipm->dl, ipm->Ddv, 0};
    // The gap is an energy, a residual the square root of one. Below one the gap itself: the remainder must not stop
    // the next step.
    double gap = ipm->gap * ipm->degree, tolerance = ipm->tolerance_factor * (gap > 1 ? sqrt(gap) : gap);
    vs_error error = vs_newton_solve(&ipm->newton, rhs, tolerance, &step);
    line->refinements += step.refinements;
    if (error)
        return error;

    for (int k = 0; k < problem->cones; k++) {
        const vs_cone *cone = vs_cone_of(problem->kind[k]);
        const vs_cone_pair *pair = ipm->pairs + k;
        int row = problem->row[k], lift = ipm->lift[k];
        double dl[3] = {0}, dy[3] = {0};
        for (int i = 0; i < cone->rows; i++) {
            dl[i] = ipm->dl[row + i];
            dy[i] = ipm->Ddv[row + i] + problem->E[row + i] * dl[i] + ipm->r_c[row + i];
        }
        if (problem->kind[k] == VS_CONE_BOX) {
            dl[1] = -dl[0];
            split_box(pair, dl, dy[0], ipm->sum + lift, dy);
        }
        cone->direct(pair, dl, dy, ipm->sum + lift, ipm->dlt + lift, ipm->dyt + lift);
    }
    return VS_OK;
}

double vs_ipm_step(const vs_ipm *ipm) {
    const vs_scaled *problem = ipm->problem;
    double step = 1;
    for (int k = 0; k < problem->cones; k++) {
        const vs_cone *cone = vs_cone_of(problem->kind[k]);
        step = cone->step(ipm->pairs + k, ipm->dlt + ipm->lift[k], step);
        step = cone->step(ipm->pairs + k, ipm->dyt + ipm->lift[k], step);
    }
    return vs_space_min(ipm->space, step);
}
