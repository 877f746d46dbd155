// Products with the matrix of a problem in impulses, stored or by carried velocities: see operator.h.
#include "solver/impulse/operator.h"

#include <math.h>
#include <string.h>

// ---- products --------------------------------------------------------------------------------------

// v <- H^-1 v; the scaled one is G H^-1 G with the user's H. A solve that fails leaves NaN, which is noticed.
static void divide_by_masses(const vs_impulse_problem *p, double *v) {
    const double *G = p->scaled->G;
    for (int j = 0; j < p->n; j++)
        v[j] *= G[j];
    vs_error error = vs_mass_solve(p->scaled->mass->factor, v);
    for (int j = 0; j < p->n; j++)
        v[j] = error ? NAN : v[j] * G[j];
}

int64_t vs_impulse_entries(const vs_impulse_problem *p) {
    return p->carried ? 2 * p->J.value[p->J.groups] : p->N.value[p->N.groups];
}

void vs_impulse_carry(const vs_impulse_problem *p, const double *l, double *v) {
    if (!p->carried)
        return;
    memset(v, 0, sizeof(double) * (size_t)p->n);
    vs_rows_multiply_t_add(&p->J, 1, l, v);
    vs_space_assemble_end(p->space, v);
    if (!p->scaled->identity)
        divide_by_masses(p, v);
}

// y = A from + E x + beta y; from: x, or the velocities of it that are carried
static void apply(const vs_impulse_problem *p, const double *x, const double *from, double beta, double *y) {
    vs_rows_multiply(p->carried ? &p->J : &p->N, 1, from, beta, y, p->context);
    for (int k = 0; k < p->rows && p->E; k++)
        y[k] += p->E[k] * x[k];
    for (int k = p->row[p->joints]; k < p->rows && p->epsilon > 0; k++)
        y[k] += p->epsilon * x[k];
}

// y = (N + E) x + beta y
static void multiply_add(const vs_impulse_problem *p, const double *x, double beta, double *y) {
    const double *from = x;
    if (p->carried) {
        vs_impulse_carry(p, x, p->work_n);
        from = p->work_n;
    } else if (p->space) {
        memcpy(p->work_rows, x, sizeof(double) * (size_t)p->rows);
        vs_scaled_extend(p->scaled, p->work_rows);
        from = p->work_rows;
    }
    apply(p, x, from, beta, y);
}

void vs_impulse_multiply(const vs_impulse_problem *p, const double *x, double *y) {
    multiply_add(p, x, 0, y);
}

void vs_impulse_velocities(const vs_impulse_problem *p, const double *l, double *y) {
    memcpy(y, p->r, sizeof(double) * (size_t)p->rows);
    multiply_add(p, l, 1, y);
}

void vs_impulse_velocities_from(const vs_impulse_problem *p, const double *l, const double *v, double *y) {
    memcpy(y, p->r, sizeof(double) * (size_t)p->rows);
    apply(p, l, v, 1, y);
}

// ---- to and from the units of scaled.h -------------------------------------------------------------

void vs_impulse_gather(const vs_impulse_problem *p, const double *g, const double *lambda, double *l) {
    int m_e = p->scaled->m_e;
    for (int k = 0; k < p->rows; k++) {
        int from = p->source[k];
        l[k] = (from < m_e ? g[from] : lambda[from - m_e]) / p->row_scale[from];
    }
}

void vs_impulse_scatter(const vs_impulse_problem *p, const double *l, double *g, double *lambda) {
    int m_e = p->scaled->m_e;
    for (int k = 0; k < p->rows; k++) {
        int to = p->source[k];
        *(to < m_e ? g + to : lambda + to - m_e) = l[k] * p->row_scale[to];
    }
}
