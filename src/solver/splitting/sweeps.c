// Block Gauss-Seidel sweeps with relaxation. Group i with the newest impulses of all others:
//
//     y_i = r_i + sum over j of N_ij l_j + E_i l_i,     x = the solution of the group alone for y_i + A_i (x - l_i)
//     l_i <- P( l_i + omega (x - l_i) )
//
// omega = 1 minimises the objective over the group's impulses: it falls with every visit. Free rows, half lines and
// boxes in closed form; cones by one_cone.h (relaxed) and one_contact.h (exact Coulomb).
#include "solver/splitting/sweeps.h"

#include <math.h>

#include "solver/impulse/one_contact.h"
#include "solver/impulse/one_cone.h"

enum { GRAIN = 128 }; // groups; about 30 us of work

static void solve_cone(const vs_dual *d, int g, const double *A, const double *y, double *x) {
    double q[3];
    if (!(A[0] + A[4] + A[8] > 0.0))
        return;
    for (int k = 0; k < 3; k++)
        q[k] = y[k] - ((A[3 * k] * x[0] + A[3 * k + 1] * x[1]) + A[3 * k + 2] * x[2]);
    if (d->exact)
        vs_one_contact_solve(A, 3, q, d->mu[g], x);
    else
        vs_one_cone_solve(A, 3, q, d->mu[g], x);
}

void vs_group_solve(const vs_dual *d, int g, const double *A, const double *y, double *x) {
    if (d->law[g] == VS_LAW_FRICTION) {
        solve_cone(d, g, A, y, x);
        return;
    }
    if (!(A[0] > 0.0))
        return;
    double next = x[0] - y[0] / A[0];
    if (d->law[g] == VS_LAW_NONNEG)
        next = next > 0.0 ? next : 0.0;
    else if (d->law[g] == VS_LAW_BOX)
        next = fmin(fmax(next, d->lo[g]), d->hi[g]);
    x[0] = next;
}

void vs_group_relax(const vs_dual *d, int g, const double *A, double omega, const double *y, double *x) {
    double old[3] = {0};
    int rows = d->row[g + 1] - d->row[g];
    for (int k = 0; k < rows; k++)
        old[k] = x[k];
    vs_group_solve(d, g, A, y, x);
    if (omega == 1.0)
        return;
    for (int k = 0; k < rows; k++)
        x[k] = old[k] + omega * (x[k] - old[k]);
    if (omega > 1.0)
        vs_law_project(d->law[g], d->mu[g], d->lo[g], d->hi[g], x);
}

static void visit(const vs_dual *d, int g, double omega, double *l, double *v) {
    double *x = l + d->row[g], y[3], dl[3] = {0};
    int rows = d->row[g + 1] - d->row[g];
    bool moved = false;
    vs_dual_group_velocity(d, g, l, v, y);
    for (int k = 0; k < rows; k++)
        dl[k] = -x[k];
    vs_group_relax(d, g, d->A + 9 * g, omega, y, x);
    for (int k = 0; k < rows; k++) {
        dl[k] += x[k];
        moved = moved || dl[k] != 0.0;
    }
    if (moved)
        vs_dual_group_change(d, g, dl, v);
}

void vs_sweep_forward(const vs_dual *d, double omega, double *l, double *v) {
    for (int g = 0; g < d->groups; g++)
        visit(d, g, omega, l, v);
}

void vs_sweep_backward(const vs_dual *d, double omega, double *l, double *v) {
    for (int g = d->groups - 1; g >= 0; g--)
        visit(d, g, omega, l, v);
}

// ---- over threads ----------------------------------------------------------------------------------

typedef struct crew {
    const vs_dual *dual;
    const int *group; // of one colour: they read and write what no other of them touches
    double omega, *l, *v;
} crew;

static void visit_some(void *user, int64_t begin, int64_t end) {
    const crew c = *(const crew *)user;
    for (int64_t k = begin; k < end; k++)
        visit(c.dual, c.group[k], c.omega, c.l, c.v);
}

void vs_sweep_coloured(const vs_dual *d, const vs_colouring *colouring, double omega, double *l, double *v) {
    crew c = {.dual = d, .omega = omega, .l = l, .v = v};
    for (int k = 0; k < colouring->colours; k++) {
        c.group = colouring->group + colouring->start[k];
        vs_parallel_for(d->context, colouring->start[k + 1] - colouring->start[k], GRAIN, visit_some, &c);
    }
    c.group = colouring->group;
    visit_some(&c, colouring->start[VS_COLOURS_MOST], d->groups);
}
