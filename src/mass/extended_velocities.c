// Velocities in double-double arithmetic. H v = p is solved with the factor of H in doubles and refined (Wilkinson 1963): each
// step adds about 16 digits less those of the condition number of H, until the residual is that of double-double.
#include "mass/extended_velocities.h"

#include <math.h>

#include "base/double_double.h"
#include "base/vector.h"

typedef vs_double_double dd;

enum { MOST_REFINEMENTS = 40 };

// y += A x
static void add_product(const vs_rows *A, const dd *x, dd *y) {
    for (int g = 0; g < A->groups; g++) {
        const int64_t start = A->start[g], width = A->start[g + 1] - start;
        for (int row = A->row[g], r = 0; row < A->row[g + 1]; row++, r++)
            for (int64_t k = 0; k < width; k++) {
                const dd value = {A->x[A->value[g] + r * width + k], 0};
                y[row] = vs_dd_add(y[row], vs_dd_multiply(value, x[A->col[start + k]]));
            }
    }
}

// y += A'x
static void add_transposed(const vs_rows *A, const double *x, dd *y) {
    for (int g = 0; g < A->groups; g++) {
        const int64_t start = A->start[g], width = A->start[g + 1] - start;
        for (int row = A->row[g], r = 0; row < A->row[g + 1]; row++, r++)
            for (int64_t k = 0; k < width; k++) {
                const int column = A->col[start + k];
                y[column] = vs_dd_add(y[column], vs_dd_product(A->x[A->value[g] + r * width + k], x[row]));
            }
    }
}

// r <- p - H v
static void find_residual(const vs_sparse *H, const dd *p, const dd *v, dd *sum, double *r) {
    for (int j = 0; j < H->cols; j++)
        sum[j] = p[j];
    for (int j = 0; j < H->cols; j++)
        for (int64_t k = H->p[j]; k < H->p[j + 1]; k++) {
            const dd part = vs_dd_multiply((dd){H->x[k], 0}, v[j]);
            sum[H->i[k]] = vs_dd_add(sum[H->i[k]], vs_dd_negate(part));
        }
    for (int j = 0; j < H->cols; j++)
        r[j] = sum[j].hi;
}

// v <- H^-1 p
static vs_error refine(const vs_problem *p, vs_mass *factor, const dd *momentum, dd *v, vs_arena *arena) {
    dd *sum = VS_NEW(arena, dd, p->n);
    double *r = VS_NEW(arena, double, p->n), before = (double)INFINITY;
    if (!sum || !r)
        return VS_ERROR_MEMORY;
    for (int step = 0; step < MOST_REFINEMENTS; step++) {
        find_residual(&p->H, momentum, v, sum, r);
        const double size = vs_vector_norm(p->n, r);
        if (!(size > 0 && size < 0.5 * before))
            break;
        before = size;
        vs_error error = vs_mass_solve(factor, r);
        if (error)
            return error;
        for (int j = 0; j < p->n; j++)
            v[j] = vs_dd_add_double(v[j], r[j]);
    }
    return VS_OK;
}

static void round_off(int count, const dd *x, double *y) {
    for (int k = 0; k < count; k++)
        y[k] = x[k].hi;
}

static vs_error compute_local(vs_velocities *motion, const vs_problem *p, const double *l, vs_arena *arena) {
    dd *y = VS_NEW(arena, dd, p->m);
    if (!y)
        return VS_ERROR_MEMORY;
    for (int k = 0; k < p->m; k++)
        y[k] = (dd){p->r[k], 0};
    for (int j = 0; l && j < p->m; j++)
        for (int64_t k = p->N.p[j]; k < p->N.p[j + 1]; k++)
            y[p->N.i[k]] = vs_dd_add(y[p->N.i[k]], vs_dd_product(p->N.x[k], l[j]));
    round_off(p->m, y, motion->y);
    return VS_OK;
}

// y = A v - b + E x
static void find_rows(const vs_rows *A, const dd *v, const double *b, const double *E, const double *x, dd *y) {
    for (int k = 0; k < A->rows; k++) {
        y[k] = (dd){-b[k], 0};
        if (E && x)
            y[k] = vs_dd_add(y[k], vs_dd_product(E[k], x[k]));
    }
    add_product(A, v, y);
}

vs_error vs_velocities_compute_extended(vs_velocities *motion, const vs_problem *problem, vs_mass *factor,
                                        const double *g, const double *lambda, vs_arena *arena) {
    const vs_problem *p = problem;
    if (p->local)
        return compute_local(motion, p, lambda, arena);
    dd *momentum = VS_NEW(arena, dd, p->n), *v = VS_NEW_ZERO(arena, dd, p->n);
    dd *y = VS_NEW(arena, dd, p->m), *r_e = VS_NEW(arena, dd, p->m_e);
    if (!momentum || !v || !y || !r_e)
        return VS_ERROR_MEMORY;
    for (int j = 0; j < p->n; j++)
        momentum[j] = (dd){-p->c[j], 0};
    if (g && p->m_e > 0)
        add_transposed(&p->C, g, momentum);
    if (lambda && p->m > 0)
        add_transposed(&p->D, lambda, momentum);
    vs_error error = refine(p, factor, momentum, v, arena);
    if (error)
        return error;
    if (p->m > 0)
        find_rows(&p->D, v, p->b, p->E, lambda, y);
    if (p->m_e > 0)
        find_rows(&p->C, v, p->b_e, p->E_e, g, r_e);
    round_off(p->n, v, motion->v);
    round_off(p->m, y, motion->y);
    round_off(p->m_e, r_e, motion->r_e);
    return VS_OK;
}
