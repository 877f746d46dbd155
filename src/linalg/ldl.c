// LDL' of a symmetric quasi-definite matrix with SuiteSparse LDL: up-looking, no pivoting, no BLAS.
//
//     P A P' = L D L'      L unit lower triangular, D diagonal; inertia and sign of det A from D
//
// The rows and columns are permuted once, here; a factorization only moves values. Best for small systems.
// Long indices throughout: small systems stay in the cache anyway, and no count can overflow.
#include <ldl.h>
#include <math.h>

#include "linalg/backend.h"
#include "linalg/ordering.h"

#define TEXT_(x) #x
#define TEXT(x) TEXT_(x)

typedef SuiteSparse_long index;

typedef struct ldl_state {
    vs_arena arena;
    int *permutation;      // (n) position -> unknown
    index *p, *i;          // upper triangle of P A P' by columns (n + 1), (nonzeros)
    double *x;             // (nonzeros)
    int64_t *place;        // (nonzeros) position in x of the k-th value of the pattern
    index *Lp, *Li;        // (n + 1), (fill)
    double *Lx, *D;        // (fill), (n)
    index *parent, *count; // (n) elimination tree, nonzeros of the columns of L
    index *flag, *pattern; // (n) workspace
    double *y;             // (n) workspace
} ldl_state;

static bool allocate(ldl_state *s, int n, int64_t nonzeros) {
    vs_arena *a = &s->arena;
    s->permutation = VS_NEW(a, int, n);
    s->p = VS_NEW_ZERO(a, index, n + 1);
    s->i = VS_NEW(a, index, nonzeros);
    s->x = VS_NEW(a, double, nonzeros);
    s->place = VS_NEW(a, int64_t, nonzeros);
    s->Lp = VS_NEW(a, index, n + 1);
    s->D = VS_NEW(a, double, n);
    s->parent = VS_NEW(a, index, n);
    s->count = VS_NEW(a, index, n);
    s->flag = VS_NEW(a, index, n);
    s->pattern = VS_NEW(a, index, n);
    s->y = VS_NEW(a, double, n);
    return s->permutation && s->p && s->i && s->x && s->place && s->Lp && s->D && s->parent && s->count && s->flag &&
           s->pattern && s->y;
}

// Upper triangle of P A P' and the place of every value in it.
static void permute_pattern(ldl_state *s, const vs_linear_pattern *A) {
    int n = A->n;
    index *inverse = s->flag, *next = s->pattern; // workspace until the symbolic factorization
    for (int k = 0; k < n; ++k)
        inverse[s->permutation[k]] = k;
    for (int j = 0; j < n; ++j) {
        for (int64_t k = A->p[j]; k < A->p[j + 1]; ++k) {
            index a = inverse[A->i[k]], b = inverse[j];
            s->p[(a > b ? a : b) + 1]++;
        }
    }
    for (int k = 0; k < n; ++k) {
        s->p[k + 1] += s->p[k];
        next[k] = s->p[k];
    }
    for (int j = 0; j < n; ++j) {
        for (int64_t k = A->p[j]; k < A->p[j + 1]; ++k) {
            index a = inverse[A->i[k]], b = inverse[j];
            s->place[k] = next[a > b ? a : b]++;
            s->i[s->place[k]] = a > b ? b : a;
        }
    }
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
    ldl_l_symbolic(A->n, s->p, s->i, s->Lp, s->parent, s->count, s->flag, NULL, NULL);

    index off_diagonal = s->Lp[A->n];
    s->Li = VS_NEW(&s->arena, index, off_diagonal);
    s->Lx = VS_NEW(&s->arena, double, off_diagonal);
    if (!s->Li || !s->Lx)
        return VS_ERROR_MEMORY;
    solver->report.fill = off_diagonal + A->n;
    solver->report.bytes = off_diagonal * (index)(sizeof(double) + sizeof(index)) + A->n * (index)sizeof(double);
    for (int k = 0; k < A->n; ++k) // c divisions, then c (c + 1) / 2 multiplications and subtractions in a column
        solver->report.flops += (double)s->count[k] * ((double)s->count[k] + 2);
    return VS_OK;
}

static vs_error factor(vs_linear_solver *solver, const double *x) {
    ldl_state *s = solver->state;
    int n = solver->n, negative = 0;
    for (int64_t k = 0; k < solver->nonzeros; ++k)
        s->x[s->place[k]] = x[k];
    index rank = ldl_l_numeric(n, s->p, s->i, s->x, s->Lp, s->parent, s->count, s->Li, s->Lx, s->D, s->y, s->pattern,
                               s->flag, NULL, NULL);
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
    ldl_state *s = solver->state;
    int n = solver->n;
    for (int k = 0; k < n; ++k)
        s->y[k] = x[s->permutation[k]];
    ldl_l_lsolve(n, s->y, s->Lp, s->Li, s->Lx);
    ldl_l_dsolve(n, s->y, s->D);
    ldl_l_ltsolve(n, s->y, s->Lp, s->Li, s->Lx);
    for (int k = 0; k < n; ++k)
        x[s->permutation[k]] = s->y[k];
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
    .version = TEXT(LDL_MAIN_VERSION) "." TEXT(LDL_SUB_VERSION) "." TEXT(LDL_SUBSUB_VERSION),
    .licence = "LGPL-2.1-or-later",
    .purpose = "SuiteSparse LDL: small symmetric systems, no BLAS",
    .symmetric = true,
    .indefinite = true,
    .create = create,
    .factor = factor,
    .solve = solve,
    .destroy = destroy,
};
