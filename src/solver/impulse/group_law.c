// The laws of contact, group by group: see group_law.h. Free rows, nonnegative rows and boxes have closed forms; a
// friction contact by itself is solved in one_contact.c (exact) and one_cone.c (relaxed), one with rolling or spinning
// friction in one_rolling.c.
#include "solver/impulse/group_law.h"

#include <math.h>

#include "base/elementary.h"
#include "cone/cone.h"
#include "measure/residual.h"
#include "solver/impulse/one_cone.h"
#include "solver/impulse/one_contact.h"
#include "solver/impulse/one_rolling.h"

vs_law vs_law_of(const vs_scaled *problem, int group) {
    if (group < problem->m_e)
        return VS_LAW_FREE;
    switch (problem->kind[group - problem->m_e]) {
    case VS_CONE_NONNEG:
        return VS_LAW_NONNEG;
    case VS_CONE_BOX:
        return VS_LAW_BOX;
    case VS_CONE_ROLLING:
    case VS_CONE_ELLIPTIC:
        return VS_LAW_ROLLING;
    default:
        return VS_LAW_FRICTION;
    }
}

void vs_law_project(const vs_impulse_problem *p, int g, double *x) {
    switch (p->law[g]) {
    case VS_LAW_FREE:
        break;
    case VS_LAW_NONNEG:
        x[0] = fmax(x[0], 0);
        break;
    case VS_LAW_BOX:
        x[0] = fmin(fmax(x[0], p->lo[g]), p->hi[g]);
        break;
    case VS_LAW_FRICTION:
        vs_friction_project(p->mu[g], x, x);
        break;
    case VS_LAW_ROLLING:
        vs_discs_project(&p->discs[g], x, x);
    }
}

double vs_law_natural_squared(const vs_impulse_problem *p, int g, const double *l, const double *ybar, double s) {
    double natural;
    switch (p->law[g]) {
    case VS_LAW_FREE:
        natural = ybar[0] * s;
        break;
    case VS_LAW_NONNEG:
        natural = vs_row_natural(l[0], ybar[0] * s, 0, INFINITY);
        break;
    case VS_LAW_BOX:
        natural = vs_row_natural(l[0], ybar[0] * s, p->lo[g], p->hi[g]);
        break;
    case VS_LAW_ROLLING:
        return vs_discs_natural_squared(&p->discs[g], l, ybar, s);
    default:
        return vs_friction_natural_squared(p->mu[g], l, ybar, s);
    }
    return natural * natural;
}

static void solve_contact(const vs_impulse_problem *p, int g, const double *A, const double *y, double *x) {
    double q[3];
    int ld = p->ld;
    if (!(A[0] + A[ld + 1] + A[2 * (ld + 1)] > 0.0))
        return;
    for (int k = 0; k < 3; k++)
        q[k] = y[k] - ((A[ld * k] * x[0] + A[ld * k + 1] * x[1]) + A[ld * k + 2] * x[2]);
    if (p->exact)
        vs_one_contact_solve(A, ld, q, p->mu[g], x);
    else
        vs_one_cone_solve(A, ld, q, p->mu[g], x);
}

// To a tenth of the error by one step from x, or else to roundoff.
static void solve_rolling(const vs_impulse_problem *p, int g, const double *A, const double *y, double *x) {
    double q[VS_DISCS_ROWS] = {0}, size = 0.0;
    const vs_discs *d = &p->discs[g];
    for (int k = 0; k < d->rows; k++)
        size += A[k * (p->ld + 1)];
    if (!(size > 0.0) || vs_one_rolling_improve(d, A, p->ld, y, p->exact, x))
        return;
    for (int k = 0; k < d->rows; k++) {
        q[k] = y[k];
        for (int j = 0; j < d->rows; j++)
            q[k] -= A[p->ld * k + j] * x[j];
    }
    vs_one_rolling_solve(d, A, p->ld, q, p->exact, x);
}

void vs_law_solve(const vs_impulse_problem *p, int g, const double *A, const double *y, double *x) {
    if (p->law[g] == VS_LAW_FRICTION) {
        solve_contact(p, g, A, y, x);
        return;
    }
    if (p->law[g] == VS_LAW_ROLLING) {
        solve_rolling(p, g, A, y, x);
        return;
    }
    if (!(A[0] > 0.0))
        return;
    double next = x[0] - y[0] / A[0];
    if (p->law[g] == VS_LAW_NONNEG)
        next = next > 0.0 ? next : 0.0;
    else if (p->law[g] == VS_LAW_BOX)
        next = fmin(fmax(next, p->lo[g]), p->hi[g]);
    x[0] = next;
}

void vs_law_relax(const vs_impulse_problem *p, int g, const double *A, double omega, const double *y, double *x) {
    if (omega == 1.0) {
        vs_law_solve(p, g, A, y, x);
        return;
    }
    int rows = p->row[g + 1] - p->row[g];
    double old[VS_DISCS_ROWS] = {0};
    for (int k = 0; k < rows; k++)
        old[k] = x[k];
    vs_law_solve(p, g, A, y, x);
    for (int k = 0; k < rows; k++)
        x[k] = old[k] + omega * (x[k] - old[k]);
    if (omega > 1.0)
        vs_law_project(p, g, x);
}

// ---- all groups ------------------------------------------------------------------------------------

void vs_impulse_project(const vs_impulse_problem *p, double *l) {
    for (int g = p->joints; g < p->groups; g++)
        vs_law_project(p, g, l + p->row[g]);
}

void vs_impulse_exact(const vs_impulse_problem *p, double *y) {
    for (int g = p->joints; g < p->groups && p->exact; g++) {
        double *u = y + p->row[g];
        if (p->law[g] == VS_LAW_FRICTION)
            u[0] += p->mu[g] * vs_hypot(u[1], u[2]);
        else if (p->law[g] == VS_LAW_ROLLING)
            u[0] += vs_discs_slip(&p->discs[g], u);
    }
}
