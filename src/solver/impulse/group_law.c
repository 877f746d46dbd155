// The laws of contact, group by group: see group_law.h. Free rows, nonnegative rows and boxes have closed forms; a
// friction contact by itself is solved in one_contact.c (exact) and one_cone.c (relaxed).
#include "solver/impulse/group_law.h"

#include <math.h>

#include "cone/cone.h"
#include "measure/residual.h"
#include "solver/impulse/one_cone.h"
#include "solver/impulse/one_contact.h"

vs_law vs_law_of(const vs_scaled *problem, int group) {
    if (group < problem->m_e)
        return VS_LAW_FREE;
    switch (problem->kind[group - problem->m_e]) {
    case VS_CONE_NONNEG:
        return VS_LAW_NONNEG;
    case VS_CONE_BOX:
        return VS_LAW_BOX;
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
    default:
        return vs_friction_natural_squared(p->mu[g], l, ybar, s);
    }
    return natural * natural;
}

static void solve_contact(const vs_impulse_problem *p, int g, const double *A, const double *y, double *x) {
    double q[3];
    if (!(A[0] + A[4] + A[8] > 0.0))
        return;
    for (int k = 0; k < 3; k++)
        q[k] = y[k] - ((A[3 * k] * x[0] + A[3 * k + 1] * x[1]) + A[3 * k + 2] * x[2]);
    if (p->exact)
        vs_one_contact_solve(A, 3, q, p->mu[g], x);
    else
        vs_one_cone_solve(A, 3, q, p->mu[g], x);
}

void vs_law_solve(const vs_impulse_problem *p, int g, const double *A, const double *y, double *x) {
    if (p->law[g] == VS_LAW_FRICTION) {
        solve_contact(p, g, A, y, x);
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
    double old[3] = {0};
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
    for (int g = p->joints; g < p->groups && p->exact; g++)
        if (p->law[g] == VS_LAW_FRICTION) {
            double *u = y + p->row[g];
            u[0] += p->mu[g] * hypot(u[1], u[2]);
        }
}
