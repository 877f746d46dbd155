// The last digits where every contact is a half line. There the solution is piecewise linear: once it is known which
// contacts carry an impulse, one linear system gives it. Close to the central path's end the pairs tell: lambda > y.
//
//     carrying (lambda > y):  y = 0         others:  lambda = 0         joints:  y_e = 0
//
// Newton's method on these, sets taken anew after every step (a projected impulse leaves, a penetrating contact
// enters). The matrix is the interior point's with W^2 = delta for carrying contacts, which makes the step a proximal
// one where contacts are redundant, and 1/DELTA for the others; delta falls with the error. The interior point itself
// needs many more iterations for this: a contact that touches without impulse (lambda = y = 0) costs it one for every
// digit.
//
// Works on copies: when it does not converge, the iteration goes on where it was.
#include <math.h>
#include <string.h>

#include "solver/ipm/ipm.h"

static const double DELTA = 1e-8, MOST_DELTA = 1e-2;
static const double GAIN = .1;    // a round must leave less than this part of the error …
static const int PATIENCE = 1;    // … but for so many in a row,
static const double NEAR = 1e-2;  // or once the error is this part of what it was
static const double SETTLED = .1; // carrying contacts' part of the error below which the sets are to blame
enum { ROUNDS = 8, REPEATS = 3 }; // factorizations; solves with each

bool vs_ipm_can_finish(const vs_ipm *ipm) {
    for (int k = 0; k < ipm->problem->cones; k++)
        if (ipm->problem->kind[k] != VS_CONE_NONNEG)
            return false;
    return ipm->problem->symmetric;
}

// Takes the sets from x and the velocities in r_c (which is y), and the matrix's scaling from the sets.
static void choose_sets(vs_ipm *ipm, double delta) {
    for (int k = 0; k < ipm->problem->cones; k++) {
        bool carries = ipm->x[k] > 0 ? ipm->x[k] > ipm->r_c[k] : ipm->r_c[k] < 0;
        if (!carries)
            ipm->x[k] = 0;
        double lambda = carries ? 1 : DELTA, y = carries ? delta : 1;
        (void)vs_cone_nonneg.set(ipm->trial + k, &lambda, &y);
        ipm->carries[k] = carries;
    }
}

// Velocities that are to vanish: of joints and carrying contacts.
static double left(const vs_ipm *ipm) {
    double sum = 0;
    for (int k = 0; k < ipm->problem->m_e; k++)
        sum += ipm->r_e[k] * ipm->r_e[k];
    for (int k = 0; k < ipm->problem->m; k++)
        sum += ipm->carries[k] ? ipm->r_c[k] * ipm->r_c[k] : 0;
    return sqrt(sum);
}

// How long a step takes the first carrying contact's impulse to zero; 1 if none does.
static double reach(const vs_ipm *ipm) {
    double length = INFINITY;
    for (int k = 0; k < ipm->problem->m; k++)
        if (ipm->carries[k] && ipm->dl[k] < 0)
            length = fmin(length, ipm->x[k] / -ipm->dl[k]);
    return isfinite(length) ? fmax(1, length) : 1;
}

// One step for the sets as they are. Where steps leave the velocities as they are, the sets ask for too much (redundant
// contacts of which not all can carry) and the step runs along them: `stretch` goes on to the first that lets go.
static vs_error step(vs_ipm *ipm, bool stretch, vs_iteration *line) {
    const vs_scaled *problem = ipm->problem;
    for (int k = 0; k < problem->m_e; k++)
        ipm->rhs_e[k] = -ipm->r_e[k];
    for (int k = 0; k < problem->m; k++)
        ipm->rhs_c[k] = ipm->carries[k] ? -ipm->r_c[k] : 0;
    vs_newton_step move = {ipm->dv, ipm->dg, ipm->dl, ipm->Ddv, 0};
    vs_error error = vs_newton_solve(&ipm->newton, (vs_newton_rhs){NULL, ipm->rhs_e, ipm->rhs_c}, 0, &move);
    if (error)
        return error;
    line->refinements += move.refinements;
    double length = stretch ? reach(ipm) : 1;
    for (int k = 0; k < problem->m_e; k++)
        ipm->g[k] += length * ipm->dg[k];
    for (int k = 0; k < problem->m; k++)
        if (ipm->carries[k])
            ipm->x[k] = fmax(0, ipm->x[k] + length * ipm->dl[k]);
    return vs_ipm_residuals_of_impulses(ipm);
}

// A factorization for the sets that x and r_c tell, and steps with it. *error_left: of the last.
static vs_error run_round(vs_ipm *ipm, vs_iteration *line, double *error_left) {
    vs_run *run = ipm->run;
    choose_sets(ipm, fmin(fmax(*error_left, DELTA), MOST_DELTA));
    vs_error error = vs_newton_factor(&ipm->newton, ipm->trial);
    if (!error)
        error = vs_ipm_residuals_of_impulses(ipm); // of the impulses that are left
    bool stretch = false;
    for (int repeat = 0; repeat < REPEATS && !error; repeat++) {
        double before = left(ipm);
        error = step(ipm, stretch, line);
        *error_left = vs_run_error(run, &run->measures);
        double all = sqrt(2 * run->measures.energy_error / run->measures.energy_scale), after = left(ipm);
        if (vs_run_converged(run, &run->measures) || after <= SETTLED * all || stretch)
            break;
        stretch = after > .5 * before;
    }
    line->regularization = ipm->newton.delta;
    return error;
}

// Newton's method from x and g. True: stop, the outcome is in run.
static bool run_rounds(vs_ipm *ipm, vs_error *error) {
    vs_run *run = ipm->run;
    const double first = vs_run_error(run, &run->measures);
    double least = first, now = first;
    int misses = 0;
    for (int round = 0; round < ROUNDS; round++) {
        vs_iteration line = {.gap = ipm->gap * ipm->degree};
        run->iterations++;
        *error = run_round(ipm, &line, &now);
        if (*error || vs_run_judge(run, &line))
            return true;
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
