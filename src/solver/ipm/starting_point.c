// Starting points of the interior point, in scaled variables, where the free motion has energy 1 and the share of one
// cone in its square root is unit = 1/sqrt(degree).
//
//     least squares   min 1/2 v'Hv + c'v + 1/2 |y|^2, then spectral values raised to at least 30 unit (lambda) and unit
//                     (y), cone by cone (Mangoni, thesis, section 4.14.4, shifts all cones equally along the axis)
//     Nocedal         the affine step from lambda = y = unit, absolute spectral values, at least unit
//                     (Mangoni and Tasora, eq 21)
//     D'Apuzzo        y = free velocity, at least unit; lambda = unit^2 / y; no linear system
//                     (Mangoni and Tasora, eq 22; D'Apuzzo et al. 2010)
//     full warm       lambda and y of a previous point, spectral values at least unit times its error
//     partial warm    y = D v - b of previous velocities, at least unit; lambda of the least-squares start
#include "solver/ipm/starting_point.h"

#include <math.h>
#include <string.h>

#include "base/elementary.h"
#include "solver/ipm/active_set.h"
#include "solver/ipm/direction.h"

static const double LEAST_IMPULSE = 30; // multiple of unit, of the least-squares start
static const double STIFF = 1e-10;      // W^2 of the least-squares start if masses are very different: with W = 1 the
                                        // impulses found are many orders too small, and each order takes an
                                        // iteration
static const double WARM_DEPTH = 3;     // depth of a warm start in the cone, times its error
enum { SWEEPS = 100 };                  // over a frictionless warm start

// ---- parts -----------------------------------------------------------------------------------------

// The lifted y of the contact velocities in rows.
static void lift_velocity(vs_cone_kind kind, const double *row, double *y) {
    if (kind == VS_CONE_BOX) {
        y[0] = fmax(row[0], 0);
        y[1] = fmax(-row[0], 0);
        return;
    }
    for (int i = 0; i < vs_cone_of(kind)->rows; i++)
        y[i] = row[i];
}

static void clamp(vs_cone_kind kind, double least, bool absolute, double *x) {
    vs_spectrum spectrum;
    vs_cone_decompose(kind, x, &spectrum);
    for (int k = 0; k < spectrum.count; k++)
        spectrum.value[k] = fmax(absolute ? fabs(spectrum.value[k]) : spectrum.value[k], least);
    vs_cone_compose(kind, &spectrum, x);
}

// out = scale x^-1
static void invert(vs_cone_kind kind, double scale, const double *x, double *out) {
    vs_spectrum spectrum;
    vs_cone_decompose(kind, x, &spectrum);
    for (int k = 0; k < spectrum.count; k++)
        spectrum.value[k] = scale / spectrum.value[k];
    vs_cone_compose(kind, &spectrum, out);
}

// A box's lambda is not free: both slacks follow from x, kept well between the bounds. A slack may be many units wide,
// so that its y is not at least one unit but makes their product unit^2.
static void fit_box(const vs_scaled *problem, int k, double unit, double *lambda, double *y) {
    if (problem->kind[k] != VS_CONE_BOX)
        return;
    int row = problem->row[k];
    double width = problem->hi[row] - problem->lo[row], edge = fmin(.1 * width, unit);
    lambda[0] = fmin(fmax(lambda[0], edge), width - edge);
    lambda[1] = width - lambda[0];
    for (int i = 0; i < 2; i++)
        y[i] = fmin(y[i], fmax(y[i] - unit, 0) + unit * unit / lambda[i]);
}

// The impulse inside a box that is nearest to zero; 0 for rows of other cones.
static double box_origin(const vs_scaled *problem, int row, double unit) {
    double edge = fmin(.1 * (problem->hi[row] - problem->lo[row]), unit);
    return fmin(fmax(0, problem->lo[row] + edge), problem->hi[row] - edge);
}

static bool set_pair(vs_ipm *ipm, int k, double unit, double *lambda, double *y) {
    fit_box(ipm->problem, k, unit, lambda, y);
    return vs_cone_of(ipm->problem->kind[k])->set(ipm->pairs + ipm->first[k], lambda, y);
}

// The pairs of a lifted cone from the impulses and velocities of its rows. With its coefficients a disc is self-dual where
// s is measured in sqrt(mu) and z in 1 / sqrt(mu): there spectral values are at least `least` (s) and `unit` (z).
static bool set_lifted(vs_ipm *ipm, int k, double least, double unit, double *lambda, const double *velocity) {
    const vs_discs *d = &ipm->problem->discs[k];
    int first = ipm->first[k], count = ipm->first[k + 1] - first;
    double z[VS_DISC_COUNT][3], left = velocity[0];
    bool inside = true;
    for (int p = 0; p < count; p++)
        lambda[0] = fmax(lambda[0], 2 * least / sqrt(vs_lifted_mu(d, p)));
    for (int p = 0; p < count; p++) {
        double root = sqrt(vs_lifted_mu(d, p));
        vs_lifted_from_rows(d, p, velocity, z[p]);
        z[p][0] = vs_hypot(z[p][1], z[p][2]) + unit / root;
        left -= root * root * z[p][0];
    }
    for (int p = 0; p < count; p++) {
        double s[3], mu = vs_lifted_mu(d, p);
        vs_lifted_from_rows(d, p, lambda, s);
        double size = vs_hypot(s[1], s[2]), most = s[0] - least * sqrt(mu);
        for (int i = 1; i < 3 && size > most; i++)
            s[i] *= most / size;
        z[p][0] += fmax(left, 0) / (count * mu);
        inside = vs_cone_second_order.set(ipm->pairs + first + p, s, z[p]) && inside;
    }
    return inside;
}

// All pairs of a lifted cone with l_n = unit and W^2 = softness.
static bool set_lifted_units(vs_ipm *ipm, int k, double unit, double softness) {
    const vs_discs *d = &ipm->problem->discs[k];
    bool inside = true;
    for (int p = 0; p < ipm->first[k + 1] - ipm->first[k]; p++) {
        const double s[3] = {vs_lifted_mu(d, p) * unit}, z[3] = {softness * s[0]};
        inside = vs_cone_second_order.set(ipm->pairs + ipm->first[k] + p, s, z) && inside;
    }
    return inside;
}

// All pairs (unit, softness unit), g = 0: W^2 = softness.
static bool set_units(vs_ipm *ipm, double unit, double softness) {
    const vs_scaled *problem = ipm->problem;
    bool inside = true;
    for (int k = 0; k < problem->cones; k++) {
        double lambda[3] = {unit}, y[3] = {softness * unit};
        if (problem->kind[k] == VS_CONE_ROLLING) {
            inside &= set_lifted_units(ipm, k, unit, softness);
            continue;
        }
        if (problem->kind[k] == VS_CONE_BOX)
            lambda[1] = unit, y[1] = y[0];
        inside &= set_pair(ipm, k, unit, lambda, y);
    }
    memset(ipm->g, 0, sizeof(double) * (size_t)problem->m_e);
    return inside;
}

// ---- cold ------------------------------------------------------------------------------------------

// Solves min 1/2 v'Hv + c'v + 1/2|y|^2: with W = 1 the Newton step from lambda = 0, y = 0.
static vs_error start_least_squares(vs_ipm *ipm, double unit) {
    const vs_scaled *problem = ipm->problem;
    set_units(ipm, unit, problem->extreme ? STIFF : 1);
    vs_error error = vs_newton_factor(&ipm->newton, ipm->pairs);
    if (error)
        return error;
    for (int k = 0; k < problem->m; k++)
        ipm->x[k] = box_origin(problem, k, unit);
    error = vs_ipm_residuals_of_impulses(ipm);
    if (error)
        return error;
    for (int k = 0; k < problem->m_e; k++)
        ipm->rhs_e[k] = -ipm->r_e[k];
    for (int k = 0; k < problem->m; k++)
        ipm->rhs_c[k] = -ipm->r_c[k];
    vs_newton_step step = {ipm->dv, ipm->g, ipm->dl, ipm->Ddv, 0};
    error = vs_newton_solve(&ipm->newton, (vs_newton_rhs){NULL, ipm->rhs_e, ipm->rhs_c}, 1e-3, &step);
    if (error)
        return error;

    // Each cone's spectral values are raised. Force chains carry many times an equal share, and the path is reached
    // sooner from impulses that are too large than too small: measured on piles of 64 to 10 000 bodies.
    for (int k = 0; k < problem->cones; k++) {
        double lambda[VS_DISCS_ROWS] = {0}, y[3] = {0}, velocity[VS_DISCS_ROWS] = {0};
        for (int row = problem->row[k], i = 0; row < problem->row[k + 1]; row++, i++) {
            lambda[i] = ipm->dl[row];
            velocity[i] = ipm->Ddv[row] + problem->E[row] * ipm->dl[row] + ipm->r_c[row];
        }
        if (problem->kind[k] == VS_CONE_ROLLING) {
            if (!set_lifted(ipm, k, LEAST_IMPULSE * unit, unit, lambda, velocity))
                return VS_ERROR_NUMERICAL;
            continue;
        }
        lift_velocity(problem->kind[k], velocity, y);
        if (problem->kind[k] == VS_CONE_BOX)
            lambda[0] += ipm->x[problem->row[k]] - problem->lo[problem->row[k]];
        else
            clamp(problem->kind[k], LEAST_IMPULSE * unit, false, lambda);
        if (problem->extreme && problem->kind[k] != VS_CONE_BOX)
            invert(problem->kind[k], unit * unit, lambda, y);
        else
            clamp(problem->kind[k], unit, false, y);
        if (!set_pair(ipm, k, unit, lambda, y))
            return VS_ERROR_NUMERICAL;
    }
    return VS_OK;
}

static vs_error start_nocedal(vs_ipm *ipm, double unit) {
    const vs_scaled *problem = ipm->problem;
    vs_iteration line = {0};
    if (vs_space_any(ipm->space, !set_units(ipm, unit, 1)))
        return VS_ERROR_NUMERICAL;
    vs_error error = vs_ipm_settle(ipm);
    if (!error)
        error = vs_ipm_residuals(ipm);
    if (!error)
        error = vs_newton_factor(&ipm->newton, ipm->pairs);
    if (error)
        return error;
    for (int k = 0; k < problem->cones; k++)
        vs_cone_of(problem->kind[k])->product(ipm->pairs[k].z, ipm->pairs[k].z, ipm->r_z + ipm->lift[k]);
    error = vs_ipm_direction(ipm, ipm->r_z, &line);
    if (error)
        return error;
    for (int k = 0; k < problem->m_e; k++)
        ipm->g[k] += ipm->dg[k];
    for (int k = 0; k < problem->cones; k++) {
        double lambda[3] = {0}, y[3] = {0};
        const vs_cone *cone = vs_cone_of(problem->kind[k]);
        cone->apply(ipm->pairs + k, -1, ipm->dlt + ipm->lift[k], lambda);
        cone->apply(ipm->pairs + k, 1, ipm->dyt + ipm->lift[k], y);
        for (int i = 0; i < cone->size; i++) {
            lambda[i] += ipm->pairs[k].lambda[i];
            y[i] += ipm->pairs[k].y[i];
        }
        clamp(problem->kind[k], unit, true, lambda);
        clamp(problem->kind[k], unit, true, y);
        if (!set_pair(ipm, k, unit, lambda, y))
            return VS_ERROR_NUMERICAL;
    }
    return VS_OK;
}

static vs_error start_dapuzzo(vs_ipm *ipm, double unit) {
    const vs_scaled *problem = ipm->problem;
    const double *free_velocity = ipm->run->mass.free.y;
    double *velocity = ipm->rhs_c;
    for (int k = 0; k < problem->m; k++)
        velocity[k] = free_velocity[problem->source[k]] / (problem->S[k] * problem->unit_row[k]);
    memset(ipm->g, 0, sizeof(double) * (size_t)problem->m_e);
    for (int k = 0; k < problem->cones; k++) {
        double lambda[3] = {0}, y[3] = {0};
        lift_velocity(problem->kind[k], velocity + problem->row[k], y);
        clamp(problem->kind[k], unit, false, y);
        invert(problem->kind[k], unit * unit, y, lambda);
        if (!set_pair(ipm, k, unit, lambda, y))
            return VS_ERROR_NUMERICAL;
    }
    return VS_OK;
}

// ---- warm ------------------------------------------------------------------------------------------

// Frictionless Gauss-Seidel: a few cheap sweeps absorb most of the change since the impulses were found.
static void smooth(vs_ipm *ipm, int sweeps, double *l) {
    const vs_scaled *problem = ipm->problem;
    const vs_rows *D = &problem->D;
    double *v = ipm->dv;
    for (int j = 0; j < problem->n; j++)
        v[j] = -problem->c[j];
    vs_rows_multiply_t_add(D, 1, l, v);
    vs_rows_multiply_t_add(&problem->C, 1, ipm->g, v);
    for (int64_t visit = 0; visit < (int64_t)sweeps * D->groups; visit++) {
        int k = (int)(visit % D->groups);
        k = visit / D->groups % 2 ? D->groups - 1 - k : k; // forward and backward
        const int *col = D->col + D->start[k];
        const double *x = D->x + D->value[k];
        int width = (int)(D->start[k + 1] - D->start[k]);
        double y = problem->E[k] * l[k] - problem->b[k], a = problem->E[k];
        for (int t = 0; t < width; t++) {
            y += x[t] * v[col[t]];
            a += x[t] * x[t];
        }
        double change = a > 0 ? fmax(-l[k], -y / a) : 0;
        l[k] += change;
        for (int t = 0; t < width; t++)
            v[col[t]] += change * x[t];
    }
}

// The warm-start impulses (and g) with their own y, moved inside by the error of the point.
static vs_error start_full(vs_ipm *ipm, double unit) {
    const vs_scaled *problem = ipm->problem;
    vs_method_run *run = ipm->run;
    memcpy(run->lambda, run->start_lambda, sizeof(double) * (size_t)run->problem->m);
    if (run->warm_g)
        memcpy(run->g, run->start_g, sizeof(double) * (size_t)problem->m_e);
    else
        memset(run->g, 0, sizeof(double) * (size_t)problem->m_e);
    vs_scaled_g(problem, run->g, ipm->g);
    vs_scaled_lambda(problem, run->lambda, ipm->dl);
    if (vs_ipm_can_finish(ipm) && problem->identity) {
        smooth(ipm, SWEEPS, ipm->dl);
        vs_scaled_lambda_undo(problem, ipm->dl, run->lambda);
    }
    vs_error error = vs_method_run_measure(run);
    if (error)
        return error;
    double wrong = run->measures.relative_error;
    double least = unit * fmin(1, fmax(WARM_DEPTH * wrong, run->options.tolerance));
    for (int k = 0; k < problem->cones; k++) {
        double lambda[VS_DISCS_ROWS] = {0}, y[3] = {0}, velocity[VS_DISCS_ROWS] = {0};
        for (int row = problem->row[k], i = 0; row < problem->row[k + 1]; row++, i++) {
            lambda[i] = ipm->dl[row];
            velocity[i] = run->y[problem->source[row]] / (problem->S[row] * problem->unit_row[row]);
        }
        if (problem->kind[k] == VS_CONE_ROLLING) {
            if (!set_lifted(ipm, k, least, least, lambda, velocity))
                return VS_ERROR_NUMERICAL;
            continue;
        }
        lift_velocity(problem->kind[k], velocity, y);
        if (problem->kind[k] == VS_CONE_BOX)
            lambda[0] -= problem->lo[problem->row[k]];
        else
            clamp(problem->kind[k], least, false, lambda);
        clamp(problem->kind[k], least, false, y);
        if (!set_pair(ipm, k, unit, lambda, y))
            return VS_ERROR_NUMERICAL;
    }
    return VS_OK;
}

// The warm-start velocities: y = D v - b instead of the least-squares y, impulses as in that start.
static vs_error start_partial(vs_ipm *ipm, double unit) {
    const vs_scaled *problem = ipm->problem;
    const vs_problem *user = ipm->run->problem;
    vs_error error = start_least_squares(ipm, unit);
    if (error)
        return error;
    double *velocity = ipm->run->y;
    vs_rows_multiply(&user->D, 1, ipm->run->start_v, 0, velocity, ipm->run->context);
    for (int k = 0; k < problem->cones; k++) {
        double scaled[3] = {0}, lambda[3], y[3] = {0};
        for (int i = 0; i < vs_cone_of(problem->kind[k])->rows; i++) {
            int row = problem->row[k] + i, from = problem->source[row];
            scaled[i] = (velocity[from] - user->b[from]) / (problem->S[row] * problem->unit_row[row]);
        }
        memcpy(lambda, ipm->pairs[k].lambda, sizeof lambda);
        lift_velocity(problem->kind[k], scaled, y);
        clamp(problem->kind[k], unit, false, y);
        if (!set_pair(ipm, k, unit, lambda, y))
            return VS_ERROR_NUMERICAL;
    }
    return VS_OK;
}

vs_error vs_ipm_start(vs_ipm *ipm) {
    vs_method_run *run = ipm->run;
    double unit = sqrt(ipm->problem->mass->islands.total / (ipm->degree > 0 ? ipm->degree : 1));
    vs_error error = VS_ERROR_NUMERICAL;
    // Impulses that do not determine velocities are no start: only their rounding error would be visible.
    if (ipm->problem->extreme)
        run->warm_lambda = run->warm_v = false;
    if (run->options.warm_start == VS_WARM_START_FULL && run->warm_lambda)
        error = start_full(ipm, unit);
    else if (run->warm_v && !ipm->problem->local && !ipm->problem->discs)
        error = start_partial(ipm, unit);
    error = vs_space_agree(ipm->space, error);
    if (error != VS_ERROR_NUMERICAL)
        return error;
    if (ipm->problem->discs) // lifted cones have one start
        return vs_space_agree(ipm->space, start_least_squares(ipm, unit));
    switch (run->options.ipm.start) {
    case VS_START_NOCEDAL:
        error = start_nocedal(ipm, unit);
        break;
    case VS_START_DAPUZZO:
        error = start_dapuzzo(ipm, unit);
        break;
    default:
        error = start_least_squares(ipm, unit);
    }
    return vs_space_agree(ipm->space, error);
}
