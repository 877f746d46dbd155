// The last digits if every contact is frictionless. Then the solution is piecewise linear: once it is known which
// contacts carry an impulse, one linear system gives it. Close to the end of the central path the pairs tell: lambda >
// y.
//
//     carrying (lambda > y):  y = 0         others:  lambda = 0         joints:  y_e = 0
//
// Newton's method on these. The matrix is the interior point's with W^2 = delta for carrying contacts, which makes the
// step a proximal one where contacts are redundant, and a large W^2 for the others; delta decreases with the error.
// Contacts that open in a step are kept at zero impulse with the same factorization (active_set_correction.h); the sets
// are chosen again, including contacts that penetrate, when its steps no longer help. The interior point itself needs
// many more iterations for this: a contact that touches without impulse (lambda = y = 0) costs one per digit.
//
// Works on copies: if it does not converge, the interior point continues where it was.
#include "solver/ipm/active_set.h"

#include <math.h>
#include <string.h>

#include "solver/ipm/active_set_correction.h"
#include "solver/ipm/direction.h"

static const double OUT = 1e8;                                 // W^2 of contacts that do not carry
static const double DELTA = 1e-12, LIKELY = 1e-8, MOST = 1e-2; // of delta: least, least at first, most
static const double STIFFER = 30; // factor of delta when no step was found; less when steps were short
static const double GAIN = .1;    // a round must reduce the error to less than this fraction …
static const int PATIENCE = 1;    // … except for so many in a row,
static const double NEAR = 1e-2;  // or once the error is this fraction of its first value
static const double SLOW = .5;    // reduction of a step above which its sets are exhausted
enum { ROUNDS = 8, REPEATS = 8 }; // factorizations; steps with each

bool vs_ipm_can_finish(const vs_ipm *ipm) {
    if (ipm->space) // the active-set correction is serial
        return false;
    for (int k = 0; k < ipm->problem->cones; k++)
        if (ipm->problem->kind[k] != VS_CONE_NONNEG)
            return false;
    return ipm->problem->symmetric;
}

// Chooses the sets from x and the velocities in r_c (which is y), and the scaling of the matrix from the sets.
static void choose_sets(vs_ipm *ipm, double delta) {
    for (int k = 0; k < ipm->problem->cones; k++) {
        bool carries = ipm->x[k] > 0 ? ipm->x[k] > ipm->r_c[k] : ipm->r_c[k] < 0;
        if (!carries)
            ipm->x[k] = 0;
        double lambda = carries ? 1 : 1 / OUT, y = carries ? delta : 1;
        (void)vs_cone_nonneg.set(ipm->trial + k, &lambda, &y);
        ipm->carries[k] = carries;
    }
}

// Makes the step; *error_left: error afterwards.
static vs_error advance(vs_ipm *ipm, double *error_left) {
    for (int k = 0; k < ipm->problem->m_e; k++)
        ipm->g[k] += ipm->dg[k];
    for (int k = 0; k < ipm->problem->m; k++)
        if (ipm->carries[k])
            ipm->x[k] = fmax(0, ipm->x[k] + ipm->dl[k]);
    vs_error error = vs_ipm_residuals_of_impulses(ipm);
    *error_left = vs_method_run_error(ipm->run, &ipm->run->measures);
    return error;
}

// One factorization for the sets of x and r_c, and steps with it. *error_left: after the last one. False in *good: a
// step was not found.
static vs_error run_round(vs_ipm *ipm, double delta, vs_iteration *line, double *error_left, bool *good) {
    vs_method_run *run = ipm->run;
    choose_sets(ipm, delta);
    vs_correction_begin(ipm->correction);
    vs_error error = vs_newton_factor(&ipm->newton, ipm->trial);
    if (!error)
        error = vs_ipm_residuals_of_impulses(ipm); // of the remaining impulses
    *good = true;
    for (int repeat = 0; repeat < REPEATS && !error; repeat++) {
        double before = *error_left;
        error = vs_correction_step(ipm->correction, ipm, line, good);
        if (error || !*good)
            break;
        error = advance(ipm, error_left);
        if (vs_method_run_converged(run, &run->measures) || (repeat > 1 && *error_left > SLOW * before))
            break;
    }
    line->regularization = ipm->newton.delta;
    return error;
}

// Newton's method from x and g. True: stop, the outcome is in run.
static bool run_rounds(vs_ipm *ipm, vs_error *error) {
    vs_method_run *run = ipm->run;
    const double first = vs_method_run_error(run, &run->measures);
    double least = first, now = first, stiff = 1;
    int misses = 0;
    for (int round = 0; round < ROUNDS; round++) {
        vs_iteration line = {.gap = ipm->gap * ipm->degree};
        run->iterations++;
        bool good;
        double before = now;
        *error = run_round(ipm, fmin(fmax(fmax(now, LIKELY) * stiff, DELTA), MOST), &line, &now, &good);
        if (*error || vs_method_run_check(run, &line))
            return true;
        if (!good)
            stiff *= STIFFER;
        else if (now > GAIN * before) // short steps
            stiff /= STIFFER;
        misses = now > GAIN * least ? misses + 1 : 0;
        least = fmin(least, now);
        if (misses > PATIENCE && least > NEAR * first)
            return false;
    }
    return false;
}

vs_error vs_ipm_finish(vs_ipm *ipm, bool *stop) {
    const vs_scaled *problem = ipm->problem;
    double *g = ipm->keep, delta = ipm->newton.delta;
    memcpy(g, ipm->g, sizeof(double) * (size_t)problem->m_e);
    for (int k = 0; k < problem->m; k++) {
        ipm->x[k] = ipm->pairs[k].lambda[0];
        ipm->r_c[k] = ipm->pairs[k].y[0];
    }
    vs_error error = VS_OK;
    *stop = run_rounds(ipm, &error);
    memcpy(ipm->g, g, sizeof(double) * (size_t)problem->m_e);
    ipm->newton.delta = delta;
    return error;
}
