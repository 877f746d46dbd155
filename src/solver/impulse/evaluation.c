// The error of an iterate: see evaluation.h.
#include "solver/impulse/evaluation.h"

#include <float.h>
#include <math.h>

#include "solver/impulse/group_law.h"

double vs_impulse_error(const vs_impulse_problem *p, bool both, const double *l, const double *y) {
    double energy = 0, natural = 0, l2 = 0, y2 = 0, own = 0;
    for (int g = 0; g < p->groups; g++, l += 1, y += 1) {
        bool friction = p->law[g] == VS_LAW_FRICTION;
        bool rolling = p->law[g] == VS_LAW_ROLLING;
        double ybar[VS_DISCS_ROWS] = {y[0]}, l_squared = l[0] * l[0], y_squared = y[0] * y[0];
        if (friction) {
            double slip_squared = y[1] * y[1] + y[2] * y[2];
            ybar[0] += p->exact ? p->mu[g] * sqrt(slip_squared) : 0;
            ybar[1] = y[1];
            ybar[2] = y[2];
            l_squared += l[1] * l[1] + l[2] * l[2];
            y_squared += slip_squared;
        }
        for (int k = 1; rolling && k < p->discs[g].rows; k++) {
            ybar[k] = y[k];
            l_squared += l[k] * l[k];
            y_squared += y[k] * y[k];
        }
        if (rolling && p->exact)
            ybar[0] += vs_discs_slip(&p->discs[g], y);
        double slack = p->slack ? p->slack[g] : 1;
        double part = .5 * vs_law_natural_squared(p, g, l, ybar, 1) / (slack * slack);
        energy += part;
        if (p->uneven && p->own[g] < 1)
            own = fmax(own, part / p->own[g]);
        if (both) {
            // in the user's units: impulses l u, velocities y w
            double u = p->unit_l[g], w = p->unit_y[g];
            natural += u * u * vs_law_natural_squared(p, g, l, ybar, w / u) / (slack * slack);
            l2 += p->law[g] != VS_LAW_FREE ? u * u * l_squared : 0;
            y2 += w * w * y_squared;
        }
        if (friction) // three rows
            l += 2, y += 2;
        if (rolling)
            l += p->discs[g].rows - 1, y += p->discs[g].rows - 1;
    }
    double sums[] = {energy, natural, l2, y2};
    vs_space_sums(p->space, 4, sums);
    energy = sums[0], natural = sums[1], l2 = sums[2], y2 = sums[3];
    double size = fmax(p->free_norm, sqrt(fmax(l2, y2)));
    double map = both && size > 0 ? sqrt(natural / p->share) / size : 0;
    own = p->uneven ? vs_space_max(p->space, own) : 0;
    return isfinite(energy + natural) ? fmax(sqrt(fmax(energy, own)), map) : INFINITY;
}

// sum |r| + |A||x| over the terms of a row, which is the k-th of group g. x null: ones
static double sum_sizes(const vs_rows *A, int g, int k, double r, const double *x) {
    int64_t width = A->start[g + 1] - A->start[g];
    const double *a = A->x + A->value[g] + k * width;
    const int *col = A->col + A->start[g];
    double sum = fabs(r);
    for (int64_t t = 0; t < width; t++)
        sum += fabs(a[t] * (x ? x[col[t]] : 1));
    return sum;
}

// Sizes of the terms of the carried velocities: v = |J'||l|. l null: ones
static void carry_sizes(const vs_impulse_problem *p, const double *l, double *v) {
    const vs_rows *J = &p->J;
    for (int j = 0; j < p->n; j++)
        v[j] = 0;
    for (int g = 0; g < p->groups; g++) {
        int64_t width = J->start[g + 1] - J->start[g];
        for (int row = p->row[g]; row < p->row[g + 1]; row++) {
            const double *a = J->x + J->value[g] + (row - p->row[g]) * width;
            for (int64_t t = 0; t < width; t++)
                v[J->col[J->start[g] + t]] += fabs(a[t] * (l ? l[row] : 1));
        }
    }
}

double vs_impulse_rounding(const vs_impulse_problem *p, bool both, const double *l) {
    const vs_rows *A = p->carried ? &p->J : &p->N;
    double energy = 0, natural = 0, l2 = 0, own = 0;
    if (p->carried)
        carry_sizes(p, l, p->work_n);
    for (int g = 0; g < p->groups; g++)
        for (int row = p->row[g]; row < p->row[g + 1]; row++) {
            double sum = sum_sizes(A, g, row - p->row[g], p->r[row], p->carried ? p->work_n : l);
            double u = p->unit_y[g] * sum, size = p->unit_l[g] * l[row];
            energy += .5 * sum * sum;
            own = p->uneven && p->own[g] < 1 ? fmax(own, .5 * sum * sum / p->own[g]) : own;
            natural += u * u;
            l2 += p->law[g] == VS_LAW_FREE ? 0 : size * size;
        }
    double size = fmax(p->free_norm, sqrt(l2));
    return DBL_EPSILON * fmax(sqrt(fmax(energy, own)), both && size > 0 ? sqrt(natural / p->share) / size : 0);
}

double vs_impulse_norm(const vs_impulse_problem *p) {
    const vs_rows *A = p->carried ? &p->J : &p->N;
    double most = 0;
    if (p->carried)
        carry_sizes(p, NULL, p->work_n);
    for (int g = 0; g < p->groups; g++)
        for (int row = p->row[g]; row < p->row[g + 1]; row++)
            most = fmax(most, sum_sizes(A, g, row - p->row[g], 0, p->carried ? p->work_n : NULL));
    return most;
}
