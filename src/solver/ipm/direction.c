// Residuals and directions of the interior point.
//
//     W dl~ + W^-1 dy = -(z \ r_z),   dy = D dv + E dl + r_c      (dl~ lifted: a box row counts twice)
//
// dy is taken from the linear equation, which keeps the residual r_c at roundoff; taking it from the complementarity
// would not. Of a box row's two slacks the stiffer follows from the difference for the same reason.
#include <math.h>
#include <string.h>

#include "solver/ipm/ipm.h"

// Measures run->g, run->lambda; r_c against the pairs' y, or against y = 0 without pairs.
static vs_error measure_residuals(vs_ipm *ipm, const vs_cone_pair *pairs) {
    const vs_scaled *problem = ipm->problem;
    vs_run *run = ipm->run;
    vs_error error = vs_run_measure(run);
    if (error)
        return error;

    for (int k = 0; k < problem->cones; k++) {
        for (int row = problem->row[k], i = 0; row < problem->row[k + 1]; row++, i++) {
            double y = 0;
            if (pairs)
                y = problem->kind[k] == VS_CONE_BOX ? pairs[k].y[0] - pairs[k].y[1] : pairs[k].y[i];
            ipm->r_c[row] = run->y[problem->source[row]] / (problem->S[row] * problem->root_e0) - y;
        }
    }
    const vs_problem *user = run->problem;
    if (problem->m_e > 0)
        vs_rows_multiply(&user->C, 1, run->v, 0, ipm->r_e, run->context);
    for (int k = 0; k < problem->m_e; k++) {
        double residual = ipm->r_e[k] - user->b_e[k] + user->E_e[k] * run->g[k];
        ipm->r_e[k] = residual / (problem->S_e[k] * problem->root_e0);
    }
    return VS_OK;
}

vs_error vs_ipm_residuals_at_origin(vs_ipm *ipm) {
    return measure_residuals(ipm, NULL);
}

vs_error vs_ipm_residuals(vs_ipm *ipm) {
    const vs_scaled *problem = ipm->problem;
    vs_run *run = ipm->run;
    double *x = ipm->rhs_c, gap = 0;
    for (int k = 0; k < problem->cones; k++) {
        const vs_cone_pair *pair = ipm->pairs + k;
        int row = problem->row[k], rows = problem->row[k + 1] - row;
        for (int i = 0; i < rows; i++)
            x[row + i] = pair->lambda[i];
        if (problem->kind[k] == VS_CONE_BOX)
            x[row] = pair->lambda[0] <= pair->lambda[1] ? problem->lo[row] + pair->lambda[0] : problem->hi[row] - pair->lambda[1];
        gap += pair->gap;
    }
    ipm->gap = gap / (ipm->degree > 0 ? ipm->degree : 1);
    vs_scaled_lambda_undo(problem, x, run->lambda);
    vs_scaled_g_undo(problem, ipm->g, run->g);
    return measure_residuals(ipm, ipm->pairs);
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

// The two slack velocities of a box row: their difference is `row`; the softer one from the complementarity.
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

    double residual, total = ipm->gap * ipm->degree;
    double tolerance = ipm->tolerance_factor * fmin(total, 1);
    vs_error error = vs_newton_solve(&ipm->newton, ipm->rhs_e, ipm->rhs_c, tolerance, ipm->dg, ipm->dl, ipm->Ddv,
                                     &line->refinements, &residual);
    if (error)
        return error;

    for (int k = 0; k < problem->cones; k++) {
        const vs_cone *cone = vs_cone_of(problem->kind[k]);
        const vs_cone_pair *pair = ipm->pairs + k;
        int row = problem->row[k], lift = ipm->lift[k];
        double dl[3], dy[3];
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
    return step;
}
