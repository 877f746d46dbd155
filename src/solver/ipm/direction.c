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

#include "solver/kkt/lifted_block.h"

// x of a box row is updated incrementally; near a bound, and after a start, it follows from the slack.
static void place_in_box(const vs_cone_pair *pair, double lo, double hi, double *x) {
    double slack = fmin(pair->lambda[0], pair->lambda[1]);
    bool carried = fabs(lo + pair->lambda[0] - *x) <= 1e-8 * (hi - lo);
    if (!carried || slack <= 1e-3 * fabs(*x))
        *x = pair->lambda[0] <= pair->lambda[1] ? lo + pair->lambda[0] : hi - pair->lambda[1];
}

// x of a lifted cone: l_n from its first disc, whose mu l_n is a part of the pair as those of the others are.
static void gather_lifted(const vs_discs *d, const vs_cone_pair *pairs, double *x) {
    for (int p = 0; p < vs_lifted_count(d); p++) {
        const double rows[3] = {0, pairs[p].lambda[1], pairs[p].lambda[2]};
        if (p == 0)
            memset(x, 0, sizeof(double) * (size_t)d->rows);
        vs_lifted_add_to_rows(d, p, rows, x);
    }
    x[0] = pairs[0].lambda[0] / vs_lifted_mu(d, 0);
}

// x of the pairs, and the gap.
static void gather(vs_ipm *ipm) {
    const vs_scaled *problem = ipm->problem;
    double gap = 0;
    for (int k = 0; k < problem->cones; k++) {
        const vs_cone_pair *pair = ipm->pairs + ipm->first[k];
        int row = problem->row[k], rows = problem->row[k + 1] - row;
        if (problem->kind[k] == VS_CONE_ROLLING) {
            gather_lifted(&problem->discs[k], pair, ipm->x + row);
            for (int p = 0; p < ipm->first[k + 1] - ipm->first[k]; p++)
                gap += pair[p].gap;
            continue;
        }
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

static const double ROUNDED = 64; // of mu l_n of the discs of a lifted cone, in epsilons: no difference
static const double SUMS = 8;     // roundings of a sum of impulses, in epsilons: of its terms and of adding them

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
    vs_method_run *run = ipm->run;
    const vs_scaled *problem = ipm->problem;
    vs_scaled_lambda_undo(problem, ipm->x, run->lambda);
    vs_scaled_g_undo(problem, ipm->g, run->g);
    run->rounding = rounding(ipm);
    return vs_method_run_measure(run);
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
    vs_method_run *run = ipm->run;
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
        const vs_cone_pair *pair = ipm->pairs + ipm->first[k];
        int row = problem->row[k];
        if (problem->kind[k] == VS_CONE_ROLLING)
            for (int p = 0; p < ipm->first[k + 1] - ipm->first[k]; p++) {
                const double minus[3] = {-pair[p].y[0], -pair[p].y[1], -pair[p].y[2]};
                vs_lifted_add_to_rows(&problem->discs[k], p, minus, ipm->r_c + row);
            }
        else if (problem->kind[k] == VS_CONE_BOX)
            ipm->r_c[row] -= pair->y[0] - pair->y[1];
        else
            for (int i = 0; i < problem->row[k + 1] - row; i++)
                ipm->r_c[row + i] -= pair->y[i];
    }
    return VS_OK;
}

// G l - s of pair p of a lifted cone k: what linear solves left of it in mu l_n, of which every disc has its own. Rounding
// is no difference: W would enlarge it.
static void find_offset(const vs_ipm *ipm, int k, int p, double *off) {
    const double s = ipm->pairs[p].lambda[0];
    off[0] = vs_lifted_mu(&ipm->problem->discs[k], p - ipm->first[k]) * ipm->x[ipm->problem->row[k]] - s;
    if (fabs(off[0]) <= ROUNDED * DBL_EPSILON * s)
        off[0] = 0;
    off[1] = off[2] = 0;
}

// sum = -(z \ r_z) of pair p of cone k; adds W sum to the rows' right-hand side.
static void take_complementarity(vs_ipm *ipm, int k, int p, const double *r_z, double *sum) {
    const vs_scaled *problem = ipm->problem;
    const vs_cone *cone = vs_cone_of(ipm->kind[p]);
    const vs_cone_pair *pair = ipm->pairs + p;
    double t[3], *rhs = ipm->rhs_c + problem->row[k];
    cone->divide(pair, r_z, sum);
    for (int i = 0; i < cone->size; i++)
        sum[i] = -sum[i];
    cone->apply(pair, 1, sum, t);
    if (problem->kind[k] == VS_CONE_ROLLING) {
        double off[3];
        find_offset(ipm, k, p, off);
        cone->apply(pair, 2, off, off);
        for (int i = 0; i < 3; i++)
            t[i] -= off[i];
        vs_lifted_add_to_rows(&problem->discs[k], p - ipm->first[k], t, rhs);
        return;
    }
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

// The scaled directions of the pairs of a lifted cone k: W ds = A T u + W (G l - s) of the scaled unknowns u = T^-1 dl,
// which loses nothing (lifted_block.h); W^-1 dz from the complementarity.
static void direct_lifted(vs_ipm *ipm, int k) {
    const vs_scaled *problem = ipm->problem;
    const vs_lifted_block *block = vs_newton_lifted(&ipm->newton, k);
    const double *u = ipm->newton.step + (ipm->velocities ? problem->n : 0) + problem->m_e + problem->row[k];
    double sign = ipm->velocities ? -1 : 1; // the system's unknowns are -u where it has velocities
    for (int p = ipm->first[k]; p < ipm->first[k + 1]; p++) {
        const double *row = block->scaled + 3 * (p - ipm->first[k]) * block->rows;
        double off[3], *dlt = ipm->dlt + ipm->lift[p], *dyt = ipm->dyt + ipm->lift[p];
        find_offset(ipm, k, p, off);
        vs_cone_second_order.apply(ipm->pairs + p, 1, off, off);
        for (int i = 0; i < 3; i++, row += block->rows) {
            dlt[i] = off[i];
            for (int j = 0; j < block->rows; j++)
                dlt[i] += sign * row[j] * u[j];
            dyt[i] = ipm->sum[ipm->lift[p] + i] - dlt[i];
        }
    }
}

vs_error vs_ipm_direction(vs_ipm *ipm, const double *r_z, vs_iteration *line) {
    const vs_scaled *problem = ipm->problem;
    for (int k = 0; k < problem->m_e; k++)
        ipm->rhs_e[k] = -ipm->r_e[k];
    for (int k = 0; k < problem->m; k++)
        ipm->rhs_c[k] = -ipm->r_c[k];
    for (int k = 0; k < problem->cones; k++)
        for (int p = ipm->first[k]; p < ipm->first[k + 1]; p++)
            take_complementarity(ipm, k, p, r_z + ipm->lift[p], ipm->sum + ipm->lift[p]);

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
        if (problem->kind[k] == VS_CONE_ROLLING) {
            direct_lifted(ipm, k);
            continue;
        }
        const vs_cone *cone = vs_cone_of(problem->kind[k]);
        const vs_cone_pair *pair = ipm->pairs + ipm->first[k];
        int row = problem->row[k], lift = ipm->lift[ipm->first[k]];
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
    double step = 1;
    for (int k = 0; k < ipm->count; k++) {
        const vs_cone *cone = vs_cone_of(ipm->kind[k]);
        step = cone->step(ipm->pairs + k, ipm->dlt + ipm->lift[k], step);
        step = cone->step(ipm->pairs + k, ipm->dyt + ipm->lift[k], step);
    }
    return vs_space_min(ipm->space, step);
}
