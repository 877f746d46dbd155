// Gauss-Seidel sweeps over the groups: see sweep.h. The velocities of a group come from its rows of N, in which even
// and odd terms are summed apart, or from the velocities that are carried. An open contact that stays open needs its
// normal row only.
#include "solver/splitting/sweep.h"

#include <assert.h>
#include <string.h>

#include "solver/impulse/group_law.h"
#include "solver/impulse/operator.h"
#include "solver/splitting/carried.h"

enum {
    GRAIN = 128,     // groups; about 30 us of work
    CARRY_EVERY = 32 // sweeps: carried velocities accumulate roundoff with every visit and are summed again
};

// ---- the velocities of a group ---------------------------------------------------------------------

typedef double pair __attribute__((vector_size(16)));

static inline pair load(const double *x) {
    pair p;
    memcpy(&p, x, sizeof p);
    return p;
}

// y = r + a l of three rows
static inline void sum_rows(int64_t width, const double *a, const int *col, const double *l, const double *r,
                            double *y) {
    const double *b = a + width, *c = b + width;
    pair n = {0.0, 0.0}, u = n, w = n;
    int64_t k = 0;
    for (; k + 2 <= width; k += 2) {
        pair v = {l[col[k]], l[col[k + 1]]};
        n += load(a + k) * v;
        u += load(b + k) * v;
        w += load(c + k) * v;
    }
    double last = k < width ? l[col[k]] : 0.0;
    k = width - 1;
    y[0] = r[0] + ((n[0] + n[1]) + a[k] * last);
    y[1] = r[1] + ((u[0] + u[1]) + b[k] * last);
    y[2] = r[2] + ((w[0] + w[1]) + c[k] * last);
}

// r + a l of one row
static inline double sum_row(int64_t width, const double *a, const int *col, const double *l, double r) {
    double even = 0.0, odd = 0.0;
    int64_t k = 0;
    for (; k + 2 <= width; k += 2) {
        even += a[k] * l[col[k]];
        odd += a[k + 1] * l[col[k + 1]];
    }
    if (k < width)
        even += a[k] * l[col[k]];
    return r + (even + odd);
}

// y_n of a contact without impulse
static inline double normal_velocity(const vs_impulse_problem *p, int g, const double *l, const double *v) {
    const vs_rows *N = &p->N;
    if (p->carried)
        return vs_carried_velocity(p, g, 0, l, v);
    return sum_row(N->start[g + 1] - N->start[g], N->x + N->value[g], N->col + N->start[g], l, p->r[p->row[g]]);
}

static inline void group_velocity(const vs_impulse_problem *p, int g, int rows, const double *l, const double *v,
                                  double *y) {
    const vs_rows *N = &p->N;
    int first = p->row[g];
    if (p->carried) {
        for (int k = 0; k < rows; k++)
            y[k] = vs_carried_velocity(p, g, k, l, v);
        return;
    }
    int64_t width = N->start[g + 1] - N->start[g];
    if (rows == 3)
        sum_rows(width, N->x + N->value[g], N->col + N->start[g], l, p->r + first, y);
    else
        for (int k = 0; k < rows; k++)
            y[k] = sum_row(width, N->x + N->value[g] + k * width, N->col + N->start[g], l, p->r[first + k]);
    for (int k = 0; k < rows && p->E; k++)
        y[k] += p->E[first + k] * l[first + k];
}

// ---- visits ----------------------------------------------------------------------------------------

static inline void visit(const vs_sweeper *s, int g, double *l) {
    const vs_impulse_problem *p = s->problem;
    double *x = l + p->row[g], y[VS_DISCS_ROWS], old[VS_DISCS_ROWS] = {0};
    int rows = p->law[g] == VS_LAW_FRICTION ? 3 : p->law[g] == VS_LAW_ROLLING ? p->discs[g].rows : 1;
    bool resting = p->exact && rows >= 3 && x[0] == 0.0 && x[1] == 0.0 && x[2] == 0.0;
    if (resting && normal_velocity(p, g, l, s->v) >= 0.0)
        return;
    group_velocity(p, g, rows, l, s->v, y);
    for (int k = 0; k < rows && p->carried; k++)
        old[k] = x[k];
    vs_law_relax(p, g, p->A + vs_impulse_block(p, g), s->omega, y, x);
    if (p->carried)
        vs_carried_change(p, g, rows, old, x, s->v);
}

// Groups of one colour: they read and write what no other of them touches.
typedef struct crew {
    const vs_sweeper *sweeper;
    const int *group;
    double *l;
} crew;

static void visit_some(void *user, int64_t begin, int64_t end) {
    const crew c = *(const crew *)user;
    for (int64_t k = begin; k < end; k++)
        visit(c.sweeper, c.group[k], c.l);
}

static void visit_by_colour(const vs_sweeper *s, double *l) {
    const vs_colouring *colouring = s->colouring;
    crew c = {.sweeper = s, .l = l};
    for (int k = 0; k < colouring->colours; k++) {
        c.group = colouring->group + colouring->start[k];
        vs_parallel_for(s->problem->context, colouring->start[k + 1] - colouring->start[k], GRAIN, visit_some, &c);
    }
    c.group = colouring->group;
    visit_some(&c, colouring->start[VS_COLOURS_MOST], s->problem->groups);
}

void vs_sweeper_sweep(vs_sweeper *s, double *l) {
    vs_sweeper here = *s;
    const vs_impulse_problem *p = s->problem;
    assert(p->epsilon == 0); // of a homotopy: A has none of it
    if (s->split) {
        vs_split_exchange(s->split, l, s->v);
        here.problem = &s->split->problem;
    } else if (s->moved || s->sweeps % CARRY_EVERY == 0) {
        vs_impulse_carry(p, l, s->v);
    }
    if (s->order == VS_SWEEP_COLOURED)
        visit_by_colour(&here, l);
    else if (s->order == VS_SWEEP_SYMMETRIC && s->sweeps % 2)
        for (int g = p->groups - 1; g >= 0; g--)
            visit(&here, g, l);
    else
        for (int g = 0; g < p->groups; g++)
            visit(&here, g, l);
    s->moved = false;
    s->sweeps++;
}
