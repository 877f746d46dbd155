// The error of an iterate: see evaluation.h.
#include "solver/impulse/evaluation.h"

#include <float.h>
#include <math.h>

#include "solver/impulse/group_law.h"

double vs_impulse_error(const vs_impulse_problem *p, bool both, const double *l, const double *y) {
    double energy = 0, natural = 0, l2 = 0, y2 = 0;
    for (int g = 0; g < p->groups; g++, l += 1, y += 1) {
        bool friction = p->law[g] == VS_LAW_FRICTION;
        double ybar[3] = {y[0], 0, 0}, l_squared = l[0] * l[0], y_squared = y[0] * y[0];
        if (friction) {
            double slip_squared = y[1] * y[1] + y[2] * y[2];
            ybar[0] += p->exact ? p->mu[g] * sqrt(slip_squared) : 0;
            ybar[1] = y[1];
            ybar[2] = y[2];
            l_squared += l[1] * l[1] + l[2] * l[2];
            y_squared += slip_squared;
        }
        energy += .5 * vs_law_natural_squared(p, g, l, ybar, 1);
        if (both) {
            // in the user's units: impulses l u, velocities y w
            double u = p->unit_l[g], w = p->unit_y[g];
            natural += u * u * vs_law_natural_squared(p, g, l, ybar, w / u);
            l2 += p->law[g] != VS_LAW_FREE ? u * u * l_squared : 0;
            y2 += w * w * y_squared;
        }
        if (friction) // three rows
            l += 2, y += 2;
    }
    double sums[] = {energy, natural, l2, y2};
    vs_space_sums(p->space, 4, sums);
    energy = sums[0], natural = sums[1], l2 = sums[2], y2 = sums[3];
    double size = fmax(p->free_norm, sqrt(fmax(l2, y2)));
    double map = both && size > 0 ? sqrt(natural / p->share) / size : 0;
    return isfinite(energy + natural) ? fmax(sqrt(energy), map) : INFINITY;
}

double vs_impulse_rounding(const vs_impulse_problem *p, bool both, const double *l) {
    const vs_rows *N = &p->N;
    double energy = 0, natural = 0, l2 = 0;
    for (int g = 0; g < p->groups; g++) {
        int64_t width = N->start[g + 1] - N->start[g];
        for (int row = p->row[g]; row < p->row[g + 1]; row++) {
            const double *x = N->x + N->value[g] + (row - p->row[g]) * width;
            double sum = fabs(p->r[row]);
            for (int64_t k = 0; k < width; k++)
                sum += fabs(x[k] * l[N->col[N->start[g] + k]]);
            double u = p->unit_y[g] * sum, size = p->unit_l[g] * l[row];
            energy += .5 * sum * sum;
            natural += u * u;
            l2 += p->law[g] == VS_LAW_FREE ? 0 : size * size;
        }
    }
    double size = fmax(p->free_norm, sqrt(l2));
    return DBL_EPSILON * fmax(sqrt(energy), both && size > 0 ? sqrt(natural / p->share) / size : 0);
}
