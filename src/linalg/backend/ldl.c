// LDL' of a symmetric quasi-definite matrix: up-looking, no pivoting, no BLAS. Our own; the rows of L are found in the
// elimination tree (Liu 1990, Davis 2005).
//
//     P A P' = L D L'      L unit lower triangular, D diagonal; inertia and sign of det A from D
//
// The rows and columns are permuted once, here; a factorization only moves values. Best for small systems.
#include <math.h>

#include "linalg/backend/backend.h"
#include "linalg/ordering/ordering.h"

typedef struct ldl_state {
    vs_arena arena;
    int *permutation; // (n) position -> unknown
    int64_t *p;       // (n + 1) upper triangle of P A P' by columns
    int *i;           // (nonzeros)
    double *x;        // (nonzeros)
    int64_t *place;   // (nonzeros) position in x of the k-th value of the pattern
    int64_t *Lp;      // (n + 1) columns of L below the diagonal
    int *Li;          // (fill) rows, ascending
    double *Lx, *D;   // (fill), (n)
    int *parent;      // (n) elimination tree; -1: root
    int64_t *next;    // (n) where the next entry of a column of L goes
    int *mark, *row;  // (n) workspace: columns seen, columns of a row of L
    double *y;        // (n) workspace, zero between factorizations
} ldl_state;

static bool allocate(ldl_state *s, int n, int64_t nonzeros) {
    vs_arena *a = &s->arena;
    s->permutation = VS_NEW(a, int, n);
    s->p = VS_NEW_ZERO(a, int64_t, n + 1);
    s->i = VS_NEW(a, int, nonzeros);
    s->x = VS_NEW(a, double, nonzeros);
    s->place = VS_NEW(a, int64_t, nonzeros);
    s->Lp = VS_NEW(a, int64_t, n + 1);
    s->D = VS_NEW(a, double, n);
    s->parent = VS_NEW(a, int, n);
    s->next = VS_NEW(a, int64_t, n);
    s->mark = VS_NEW(a, int, n);
    s->row = VS_NEW(a, int, n);
    s->y = VS_NEW_ZERO(a, double, n);
    return s->permutation && s->p && s->i && s->x && s->place && s->Lp && s->D && s->parent && s->next && s->mark &&
           s->row && s->y;
}

// Upper triangle of P A P' and the place of every value in it.
static void permute_pattern(ldl_state *s, const vs_linear_pattern *A) {
    int n = A->n;
    int *inverse = s->mark; // workspace until the symbolic factorization
    int64_t *next = s->next;
    for (int k = 0; k < n; ++k)
        inverse[s->permutation[k]] = k;
    for (int j = 0; j < n; ++j) {
        for (int64_t k = A->p[j]; k < A->p[j + 1]; ++k) {
            int a = inverse[A->i[k]], b = inverse[j];
            s->p[(a > b ? a : b) + 1]++;
        }
    }
    for (int k = 0; k < n; ++k) {
        s->p[k + 1] += s->p[k];
        next[k] = s->p[k];
    }
    for (int j = 0; j < n; ++j) {
        for (int64_t k = A->p[j]; k < A->p[j + 1]; ++k) {
            int a = inverse[A->i[k]], b = inverse[j];
            s->place[k] = next[a > b ? a : b]++;
            s->i[s->place[k]] = a > b ? b : a;
        }
    }
}

// The elimination tree and the number of entries in each column of L: row k of L has the columns on the paths from the
// entries of column k of the upper triangle towards k.
static void analyse(ldl_state *s, int n) {
    int64_t *count = s->next;
    for (int k = 0; k < n; ++k) {
        s->parent[k] = -1;
        s->mark[k] = k;
        count[k] = 0;
        for (int64_t t = s->p[k]; t < s->p[k + 1]; ++t) {
            for (int j = s->i[t]; s->mark[j] != k; j = s->parent[j]) {
                if (s->parent[j] < 0)
                    s->parent[j] = k;
                s->mark[j] = k;
                count[j]++;
            }
        }
    }
    s->Lp[0] = 0;
    for (int k = 0; k < n; ++k)
        s->Lp[k + 1] = s->Lp[k] + count[k];
}

static vs_error create(vs_linear_solver *solver, const vs_linear_pattern *A) {
    ldl_state *s = vs_allocate(solver->context, sizeof *s);
    if (!s)
        return vs_fail_memory(solver->context);
    *s = (ldl_state){0};
    solver->state = s;
    vs_arena_init(&s->arena, solver->context);
    if (!allocate(s, A->n, A->p[A->n]))
        return VS_ERROR_MEMORY;
    vs_error error = vs_ordering(solver->context, A, s->permutation);
    if (error)
        return error;
    permute_pattern(s, A);
    analyse(s, A->n);

    int64_t off_diagonal = s->Lp[A->n];
    s->Li = VS_NEW(&s->arena, int, off_diagonal);
    s->Lx = VS_NEW(&s->arena, double, off_diagonal);
    if (!s->Li || !s->Lx)
        return VS_ERROR_MEMORY;
    solver->report.fill = off_diagonal + A->n;
    solver->report.bytes = off_diagonal * (int64_t)(sizeof(double) + sizeof(int)) + A->n * (int64_t)sizeof(double);
    for (int k = 0; k < A->n; ++k) { // c divisions, then c (c + 1) / 2 multiplications and subtractions in a column
        double count = (double)(s->Lp[k + 1] - s->Lp[k]);
        solver->report.flops += count * (count + 2);
    }
    return VS_OK;
}

// The columns of row k of L, children of the tree before their parents, at the end of `row`; returns where they begin.
// Column k of the upper triangle goes to y and the diagonal.
static int find_row(ldl_state *s, int n, int k) {
    int begin = n;
    s->mark[k] = k;
    s->D[k] = 0;
    for (int64_t t = s->p[k]; t < s->p[k + 1]; ++t) {
        int i = s->i[t], count = 0;
        if (i == k) {
            s->D[k] += s->x[t];
            continue;
        }
        s->y[i] += s->x[t];
        for (int j = i; s->mark[j] != k; j = s->parent[j]) {
            s->row[count++] = j;
            s->mark[j] = k;
        }
        while (count > 0)
            s->row[--begin] = s->row[--count];
    }
    return begin;
}

// Row k of L and D(k): L(0:k, 0:k) y = A(0:k, k), l = D^-1 y, d = a_kk - l'y. False: the pivot is zero.
static bool factor_row(ldl_state *s, int n, int k) {
    double *restrict y = s->y;
    const double *restrict Lx = s->Lx;
    const int *restrict Li = s->Li;
    for (int t = find_row(s, n, k); t < n; ++t) {
        int j = s->row[t];
        double value = y[j];
        int64_t end = s->next[j];
        y[j] = 0;
        for (int64_t e = s->Lp[j]; e < end; ++e)
            y[Li[e]] -= Lx[e] * value;
        double l = value / s->D[j];
        s->D[k] -= l * value;
        s->Li[end] = k;
        s->Lx[end] = l;
        s->next[j] = end + 1;
    }
    return s->D[k] != 0;
}

// The number of pivots until the first zero.
static int factor_rows(ldl_state *s, int n) {
    for (int k = 0; k < n; ++k) {
        s->mark[k] = -1;
        s->next[k] = s->Lp[k];
    }
    for (int k = 0; k < n; ++k)
        if (!factor_row(s, n, k))
            return k;
    return n;
}

static vs_error factor(vs_linear_solver *solver, const double *x) {
    ldl_state *s = solver->state;
    int n = solver->n, negative = 0;
    for (int64_t k = 0; k < solver->nonzeros; ++k)
        s->x[s->place[k]] = x[k];
    int rank = factor_rows(s, n);
    if (rank < n)
        return vs_fail(solver->context, VS_ERROR_NUMERICAL, "LDL: zero pivot at unknown %d", s->permutation[rank]);
    for (int k = 0; k < n; ++k) {
        if (!isfinite(s->D[k]) || (solver->definite && s->D[k] < 0))
            return vs_fail(solver->context, VS_ERROR_NUMERICAL, "LDL: pivot %g at unknown %d", s->D[k],
                           s->permutation[k]);
        negative += s->D[k] < 0;
    }
    solver->report.negative = negative;
    solver->report.positive = n - negative;
    solver->report.sign_det = negative % 2 ? -1 : 1;
    return VS_OK;
}

static vs_error solve(vs_linear_solver *solver, double *x) {
    const ldl_state *s = solver->state;
    double *restrict y = s->y;
    int n = solver->n;
    for (int k = 0; k < n; ++k)
        y[k] = x[s->permutation[k]];
    for (int j = 0; j < n; ++j)
        for (int64_t e = s->Lp[j]; e < s->Lp[j + 1]; ++e)
            y[s->Li[e]] -= s->Lx[e] * y[j];
    for (int j = 0; j < n; ++j)
        y[j] /= s->D[j];
    for (int j = n - 1; j >= 0; --j)
        for (int64_t e = s->Lp[j]; e < s->Lp[j + 1]; ++e)
            y[j] -= s->Lx[e] * y[s->Li[e]];
    for (int k = 0; k < n; ++k)
        x[s->permutation[k]] = y[k];
    for (int k = 0; k < n; ++k)
        y[k] = 0;
    return VS_OK;
}

static void destroy(vs_linear_solver *solver) {
    ldl_state *s = solver->state;
    if (s)
        vs_arena_release(&s->arena);
    vs_release(solver->context, s);
}

const vs_linear_backend vs_backend_ldl = {
    .name = "ldl",
    .version = "built in",
    .licence = "as voussoir",
    .purpose = "LDL': small symmetric systems, no BLAS",
    .symmetric = true,
    .indefinite = true,
    .create = create,
    .factor = factor,
    .solve = solve,
    .destroy = destroy,
};
