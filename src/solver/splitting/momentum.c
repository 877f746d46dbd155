// Momentum between sweeps: see momentum.h.
#include "solver/splitting/momentum.h"

#include <string.h>

#include "solver/impulse/group_law.h"

// l = S(x) becomes the next x.
static void carry_on(const vs_impulse_problem *p, const vs_momentum *m, double *l) {
    for (int g = 0; g < p->groups; g++) {
        int first = p->row[g], end = p->row[g + 1];
        double along = 0;
        for (int k = first; k < end; k++)
            along += (l[k] - m->x[k]) * m->p[k];
        double beta = vs_momentum_factor(along, &m->age[g]);
        for (int k = first; k < end; k++) {
            double more = beta * m->p[k];
            m->p[k] = more + l[k] - m->x[k];
            l[k] += more;
        }
    }
    vs_impulse_project(p, l);
}

void vs_momentum_begin(vs_momentum *m, const vs_impulse_problem *problem) {
    memset(m->p, 0, sizeof(double) * (size_t)problem->rows);
    memset(m->age, 0, sizeof(double) * (size_t)problem->groups);
    m->swept = false;
}

void vs_momentum_sweep(vs_momentum *m, vs_sweeper *sweeper, double *l) {
    if (m->swept)
        carry_on(sweeper->problem, m, l);
    memcpy(m->x, l, sizeof(double) * (size_t)sweeper->problem->rows);
    m->swept = sweeper->moved = true;
    vs_sweeper_sweep(sweeper, l);
}
