// The velocities that sweeps carry, seen by one group: its own velocities from them, and what its change makes of them.
#ifndef VS_SOLVER_SPLITTING_CARRIED_H
#define VS_SOLVER_SPLITTING_CARRIED_H

#include "solver/impulse/impulse_problem.h"

// The velocity of one row from those that are carried: k counts in the group.
static inline double vs_carried_velocity(const vs_impulse_problem *p, int g, int k, const double *l, const double *v) {
    const vs_rows *J = &p->J;
    int64_t width = J->start[g + 1] - J->start[g];
    const double *x = J->x + J->value[g] + k * width;
    const int *col = J->col + J->start[g];
    int row = p->row[g] + k;
    double sum = p->r[row] + p->E[row] * l[row];
    for (int64_t t = 0; t < width; t++)
        sum += x[t] * v[col[t]];
    return sum;
}

// v after the impulses of group g have changed by x - old
static inline void vs_carried_change(const vs_impulse_problem *p, int g, int rows, const double *old, const double *x,
                                     double *v) {
    const vs_rows *J = &p->J;
    int64_t width = J->start[g + 1] - J->start[g];
    const double *a = J->x + J->value[g];
    const int *col = J->col + J->start[g];
    double change[VS_DISCS_ROWS] = {0};
    bool changed = false;
    for (int k = 0; k < rows; k++) {
        change[k] = x[k] - old[k];
        changed = changed || change[k] != 0.0;
    }
    for (int k = 0; k < rows && changed; k++, a += width)
        for (int64_t t = 0; t < width; t++)
            v[col[t]] += a[t] * change[k];
}

#endif
