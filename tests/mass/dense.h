// Velocities of impulses by dense matrices and an explicit inverse of H, without regard for speed or cancellation: the
// reference that the library is compared with.
#ifndef VS_TESTS_MASS_DENSE_H
#define VS_TESTS_MASS_DENSE_H

#include <string.h>

#include "problem/problem_data.h"

enum { DENSE_MOST = 40 };

typedef double dense_matrix[DENSE_MOST][DENSE_MOST];

typedef struct dense {
    const vs_problem *p;
    dense_matrix H, inverse, D, C, N; // N = D H^-1 D' + E, or given
    double a_diagonal[DENSE_MOST], joint_diagonal[DENSE_MOST];
    double v[DENSE_MOST], y[DENSE_MOST], r_e[DENSE_MOST], r_d[DENSE_MOST];
} dense;

static inline void dense_invert(int n, dense_matrix A, dense_matrix inverse) {
    static dense_matrix work;
    memcpy(work, A, sizeof work);
    memset(inverse, 0, sizeof(dense_matrix));
    for (int i = 0; i < n; i++)
        inverse[i][i] = 1.0;
    for (int k = 0; k < n; k++) {
        double pivot = work[k][k];
        for (int j = 0; j < n; j++)
            work[k][j] /= pivot, inverse[k][j] /= pivot;
        for (int i = 0; i < n; i++) {
            double factor = i == k ? 0.0 : work[i][k];
            for (int j = 0; j < n; j++)
                work[i][j] -= factor * work[k][j], inverse[i][j] -= factor * inverse[k][j];
        }
    }
}

static inline void dense_sparse(const vs_sparse *A, dense_matrix out) {
    for (int j = 0; j < A->cols; j++)
        for (int64_t e = A->p[j]; e < A->p[j + 1]; e++)
            out[A->i[e]][j] = A->x[e];
}

static inline void dense_rows(const vs_rows *A, dense_matrix out) {
    for (int g = 0; g < A->groups; g++) {
        int64_t width = A->start[g + 1] - A->start[g];
        for (int r = A->row[g]; r < A->row[g + 1]; r++)
            for (int64_t k = 0; k < width; k++)
                out[r][A->col[A->start[g] + k]] = A->x[A->value[g] + (r - A->row[g]) * width + k];
    }
}

// A X A' at (i, j)
static inline double dense_form(int n, dense_matrix A, dense_matrix X, int i, int j) {
    double sum = 0.0;
    for (int k = 0; k < n; k++)
        for (int q = 0; q < n; q++)
            sum += A[i][k] * X[k][q] * A[j][q];
    return sum;
}

static inline void dense_init(dense *d, const vs_problem *p) {
    memset(d, 0, sizeof *d);
    d->p = p;
    if (p->local) {
        dense_sparse(&p->N, d->N);
        for (int i = 0; i < p->m; i++)
            d->a_diagonal[i] = d->N[i][i];
        return;
    }
    dense_sparse(&p->H, d->H);
    dense_rows(&p->D, d->D);
    if (p->m_e > 0)
        dense_rows(&p->C, d->C);
    dense_invert(p->n, d->H, d->inverse);
    static dense_matrix scale;
    memcpy(scale, d->inverse, sizeof scale);
    if (!p->block_diagonal) {
        memset(scale, 0, sizeof scale);
        for (int i = 0; i < p->n; i++)
            scale[i][i] = 1.0 / d->H[i][i];
    }
    for (int i = 0; i < p->m; i++) {
        for (int j = 0; j < p->m; j++)
            d->N[i][j] = dense_form(p->n, d->D, d->inverse, i, j) + (i == j ? p->E[i] : 0.0);
        d->a_diagonal[i] = dense_form(p->n, d->D, scale, i, i) + p->E[i];
    }
    for (int i = 0; i < p->m_e; i++)
        d->joint_diagonal[i] = dense_form(p->n, d->C, scale, i, i) + p->E_e[i];
}

static inline void dense_velocities(dense *d, const double *g, const double *l) {
    const vs_problem *p = d->p;
    if (p->local) {
        for (int i = 0; i < p->m; i++) {
            d->y[i] = p->r[i];
            for (int j = 0; j < p->m; j++)
                d->y[i] += d->N[i][j] * l[j];
        }
        return;
    }
    double f[DENSE_MOST];
    for (int k = 0; k < p->n; k++) {
        f[k] = -p->c[k];
        for (int i = 0; i < p->m; i++)
            f[k] += d->D[i][k] * l[i];
        for (int i = 0; i < p->m_e; i++)
            f[k] += d->C[i][k] * g[i];
    }
    for (int k = 0; k < p->n; k++) {
        d->v[k] = 0.0;
        for (int j = 0; j < p->n; j++)
            d->v[k] += d->inverse[k][j] * f[j];
    }
    for (int i = 0; i < p->m; i++) {
        d->y[i] = p->E[i] * l[i] - p->b[i];
        for (int k = 0; k < p->n; k++)
            d->y[i] += d->D[i][k] * d->v[k];
    }
    for (int i = 0; i < p->m_e; i++) {
        d->r_e[i] = p->E_e[i] * g[i] - p->b_e[i];
        for (int k = 0; k < p->n; k++)
            d->r_e[i] += d->C[i][k] * d->v[k];
    }
}

#endif
