// Shared by the reductions: the unreduced operator, the backend's solve, the bodies for the ordering.
#include "solver/kkt/reduction.h"

#include <string.h>

// out = T u and add = -M u of all cones.
static void apply_corner(const vs_newton *newton, const double *u, double *scaled, double *corner) {
    const vs_scaled *problem = newton->problem;
    for (int k = 0; k < problem->cones; k++) {
        const double *T = newton->T + 9 * k, *M = newton->M + 9 * k;
        int row = problem->row[k];
        if (problem->kind[k] != VS_CONE_SECOND_ORDER) {
            scaled[row] = T[0] * u[row];
            corner[row] = -M[0] * u[row];
            continue;
        }
        double a = u[row], b = u[row + 1], c = u[row + 2];
        for (int i = 0; i < 3; i++) {
            scaled[row + i] = T[3 * i] * a + T[3 * i + 1] * b + T[3 * i + 2] * c;
            corner[row + i] = -(M[3 * i] * a + M[3 * i + 1] * b + M[3 * i + 2] * c);
        }
    }
}

void vs_newton_scale_rows(const vs_newton *newton, const double *x, double *out) {
    const vs_scaled *problem = newton->problem;
    for (int k = 0; k < problem->cones; k++) {
        const double *T = newton->T + 9 * k;
        int row = problem->row[k];
        if (problem->kind[k] != VS_CONE_SECOND_ORDER) {
            out[row] = T[0] * x[row];
            continue;
        }
        double a = x[row], b = x[row + 1], c = x[row + 2];
        out[row] = T[0] * a + T[1] * b + T[2] * c;
        out[row + 1] = T[3] * a + T[4] * b + T[5] * c;
        out[row + 2] = T[6] * a + T[7] * b + T[8] * c;
    }
}

// corner += T w
static void add_scaled(const vs_newton *newton, const double *w, double *corner) {
    const vs_scaled *problem = newton->problem;
    for (int k = 0; k < problem->cones; k++) {
        const double *T = newton->T + 9 * k;
        int row = problem->row[k];
        if (problem->kind[k] != VS_CONE_SECOND_ORDER) {
            corner[row] += T[0] * w[row];
            continue;
        }
        for (int i = 0; i < 3; i++)
            corner[row + i] += T[3 * i] * w[row] + T[3 * i + 1] * w[row + 1] + T[3 * i + 2] * w[row + 2];
    }
}

void vs_newton_apply_saddle(void *user, const double *x, double *y) {
    vs_newton *newton = user;
    const vs_scaled *problem = newton->problem;
    int n = problem->n, m_e = problem->m_e;
    const double *dv = x, *xg = x + n, *u = x + n + m_e;
    double *y_v = y, *y_g = y + n, *y_u = y + n + m_e, *w = newton->wide_m;

    apply_corner(newton, u, w, y_u);
    if (problem->identity)
        memcpy(y_v, dv, sizeof(double) * (size_t)n);
    else
        vs_sparse_multiply_t(&problem->H, 1, dv, 0, y_v); // symmetric
    vs_ranks_begin(newton->ranks, n, y_v);
    vs_rows_multiply_t_add(&problem->C, 1, xg, y_v);
    vs_rows_multiply_t_add(&problem->D, 1, w, y_v);
    vs_ranks_share(newton->ranks, y_v);

    vs_rows_multiply(&problem->C, 1, dv, 0, y_g, newton->context);
    for (int k = 0; k < m_e; k++)
        y_g[k] -= problem->E_e[k] * xg[k];
    if (newton->D_of == x)
        w = newton->D_times;
    else
        vs_rows_multiply(&problem->D, 1, dv, 0, w, newton->context);
    newton->D_of = NULL;
    add_scaled(newton, w, y_u);
}

static uint64_t mix(uint64_t x) {
    uint64_t h = x * 0x9E3779B97F4A7C15u;
    h ^= h >> 29;
    h *= 0xBF58476D1CE4E5B9u;
    return h ^ h >> 32;
}

// A hash of the groups of rows that touch each column.
static void hash_columns(const vs_rows *A, uint64_t seed, uint64_t *hash) {
    for (int g = 0; g < A->groups; g++)
        for (int64_t t = A->start[g]; t < A->start[g + 1]; t++)
            hash[A->col[t]] += mix((uint64_t)g + seed);
}

// And of the velocities that a general H couples it to: nodes that nothing touches are not one body.
static void hash_masses(const vs_sparse *H, uint64_t seed, uint64_t *hash) {
    for (int j = 0; j < H->cols; j++)
        for (int64_t t = H->p[j]; t < H->p[j + 1]; t++)
            hash[j] += mix((uint64_t)H->i[t] + seed);
}

// Rigid bodies, six velocities each: every group of rows touches at most two of them, some group one by more than three
// velocities. Columns that happen to be zero (a sphere's spin about the vertical, on the floor) would hide them.
static bool touches_bodies(const vs_rows *A, bool *spins) {
    enum { BODY = 6 };
    for (int g = 0; g < A->groups; g++) {
        int bodies = 0, columns = 0, last = -1;
        for (int64_t t = A->start[g]; t < A->start[g + 1]; t++) {
            int body = A->col[t] / BODY;
            columns = body == last ? columns + 1 : 1;
            bodies += body != last;
            last = body;
            *spins |= columns > BODY / 2;
        }
        if (bodies > 2)
            return false;
    }
    return true;
}

vs_error vs_newton_group_velocities(const vs_scaled *problem, vs_arena *arena, int *group, int *groups) {
    enum { BODY = 6 };
    bool spins = false;
    if (problem->identity && problem->n % BODY == 0 && touches_bodies(&problem->D, &spins) &&
        touches_bodies(&problem->C, &spins) && spins) {
        *groups = problem->n / BODY;
        for (int k = 0; k <= *groups; k++)
            group[k] = BODY * k;
        return VS_OK;
    }
    uint64_t *hash = VS_NEW_ZERO(arena, uint64_t, problem->n);
    if (!hash)
        return VS_ERROR_MEMORY;
    hash_columns(&problem->D, 1, hash);
    hash_columns(&problem->C, (uint64_t)1 << 40, hash);
    if (!problem->identity)
        hash_masses(&problem->H, (uint64_t)1 << 41, hash);
    int count = 0;
    for (int j = 0; j < problem->n; j++)
        if (j == 0 || hash[j] != hash[j - 1] || j - group[count - 1] >= VS_NEWTON_WIDEST)
            group[count++] = j;
    group[count] = problem->n;
    *groups = count;
    return VS_OK;
}
