// LU of a matrix with symmetric pattern and unsymmetric values with SuiteSparse KLU: left-looking, no BLAS.
//
//     R^-1 P A P' = L U      R: row scaling by the largest entry; sign of det A = signs of the permutations and of U
//
// Pivots are taken from the diagonal in the fill-reducing order, which keeps the pattern of L and U from one
// factorization to the next. Where that lets the entries grow, the same values are factored again with partial
// pivoting. Both depend on the present values only, so that repeating a computation repeats its bits.
#include <klu.h>
#include <float.h>
#include <string.h>

#include "linalg/backend/backend.h"
#include "linalg/ordering/ordering.h"

#define TEXT_(x) #x
#define TEXT(x) TEXT_(x)

typedef SuiteSparse_long index;

static const double GROWTH = 1e-6;   // least max|A| / max|U| accepted of diagonal pivots
static const double PIVOTING = 1e-3; // a diagonal pivot may be this much smaller than the largest of its column
static const double SINGULAR = 0.01 * DBL_EPSILON; // least ratio of pivots

typedef struct klu_state {
    vs_arena arena;
    klu_l_common common;
    klu_l_symbolic *symbolic;
    klu_l_numeric *diagonal; // pivots on the diagonal: refactored with new values
    klu_l_numeric *pivoted;  // partial pivoting: recomputed each time it is needed
    klu_l_numeric *current;  // the one of the two that holds the last factorization
    index *p, *i;            // the pattern (n + 1), (nonzeros)
    bool *seen;              // (n) workspace
} klu_state;

static vs_error fail_backend(vs_linear_solver *solver, const klu_state *s) {
    if (s->common.status == KLU_OUT_OF_MEMORY || s->common.status == KLU_TOO_LARGE)
        return vs_fail_memory(solver->context);
    return vs_fail(solver->context, VS_ERROR_NUMERICAL, "KLU: the matrix is singular (status %d)",
                   (int)s->common.status);
}

static vs_error analyse(vs_linear_solver *solver, klu_state *s, const vs_linear_pattern *A) {
    int *permutation = VS_NEW(&s->arena, int, A->n);
    index *order = VS_NEW(&s->arena, index, A->n);
    if (!permutation || !order)
        return VS_ERROR_MEMORY;
    vs_error error = vs_ordering(solver->context, A, permutation);
    if (error)
        return error;
    for (int k = 0; k < A->n; ++k)
        order[k] = permutation[k];
    s->common.btf = 0; // the blocks of a symmetric pattern are its components: nothing to gain
    s->symbolic = klu_l_analyze_given(A->n, s->p, s->i, order, order, &s->common);
    return s->symbolic ? VS_OK : fail_backend(solver, s);
}

static vs_error create(vs_linear_solver *solver, const vs_linear_pattern *A) {
    klu_state *s = vs_allocate(solver->context, sizeof *s);
    if (!s)
        return vs_fail_memory(solver->context);
    *s = (klu_state){0};
    solver->state = s;
    vs_arena_init(&s->arena, solver->context);
    klu_l_defaults(&s->common);
    s->p = VS_NEW(&s->arena, index, A->n + 1);
    s->i = VS_NEW(&s->arena, index, A->p[A->n]);
    s->seen = VS_NEW(&s->arena, bool, A->n);
    if (!s->p || !s->i || !s->seen)
        return VS_ERROR_MEMORY;
    for (int j = 0; j <= A->n; ++j)
        s->p[j] = A->p[j];
    for (int64_t k = 0; k < A->p[A->n]; ++k)
        s->i[k] = A->i[k];
    return analyse(solver, s, A);
}

static bool is_even(const index *permutation, int n, bool *seen) {
    for (int k = 0; k < n; ++k)
        seen[k] = false;
    int transpositions = n; // less the number of cycles
    for (int k = 0; k < n; ++k) {
        transpositions -= !seen[k];
        for (index j = k; !seen[j]; j = permutation[j])
            seen[j] = true;
    }
    return transpositions % 2 == 0;
}

static void report(vs_linear_solver *solver, klu_state *s) {
    int n = solver->n;
    const double *pivot = s->current->Udiag;
    bool positive = is_even(s->current->Pnum, n, s->seen) == is_even(s->symbolic->Q, n, s->seen);
    for (int k = 0; k < n; ++k)
        positive = positive == (pivot[k] > 0);
    solver->report.sign_det = positive ? 1 : -1;
    solver->report.fill = s->current->lnz + s->current->unz - n;
    solver->report.bytes = (s->current->lnz + s->current->unz) * (index)(sizeof(double) + sizeof(index));
    if (klu_l_flops(s->symbolic, s->current, &s->common))
        solver->report.flops = s->common.flops;
}

// With pivots on the diagonal; false if that is impossible or loses too many digits.
static bool factor_diagonal(vs_linear_solver *solver, klu_state *s, double *x) {
    if (s->diagonal) {
        if (!klu_l_refactor(s->p, s->i, x, s->symbolic, s->diagonal, &s->common) || s->common.status != KLU_OK)
            return false;
    } else {
        s->common.tol = 0;
        s->diagonal = klu_l_factor(s->p, s->i, x, s->symbolic, &s->common);
        if (!s->diagonal)
            return false;
        if (memcmp(s->diagonal->Pnum, s->symbolic->P, (size_t)solver->n * sizeof(index)) != 0) {
            klu_l_free_numeric(&s->diagonal, &s->common); // it met a zero and pivoted
            return false;
        }
    }
    return klu_l_rgrowth(s->p, s->i, x, s->symbolic, s->diagonal, &s->common) && s->common.rgrowth >= GROWTH;
}

static vs_error factor(vs_linear_solver *solver, const double *values) {
    klu_state *s = solver->state;
    double *x = (double *)values; // KLU only reads
    if (s->pivoted)
        klu_l_free_numeric(&s->pivoted, &s->common);
    if (factor_diagonal(solver, s, x)) {
        s->current = s->diagonal;
    } else if (s->common.status == KLU_OUT_OF_MEMORY) {
        return vs_fail_memory(solver->context);
    } else {
        s->common.tol = PIVOTING;
        s->current = s->pivoted = klu_l_factor(s->p, s->i, x, s->symbolic, &s->common);
        if (!s->pivoted)
            return fail_backend(solver, s);
    }
    if (!klu_l_rcond(s->symbolic, s->current, &s->common) || !(s->common.rcond > SINGULAR))
        return vs_fail(solver->context, VS_ERROR_NUMERICAL, "KLU: the matrix is singular (ratio of pivots %g)",
                       s->common.rcond);
    report(solver, s);
    return VS_OK;
}

static vs_error solve(vs_linear_solver *solver, double *x) {
    klu_state *s = solver->state;
    return klu_l_solve(s->symbolic, s->current, solver->n, 1, x, &s->common) ? VS_OK : fail_backend(solver, s);
}

static void destroy(vs_linear_solver *solver) {
    klu_state *s = solver->state;
    if (!s)
        return;
    klu_l_free_numeric(&s->pivoted, &s->common);
    klu_l_free_numeric(&s->diagonal, &s->common);
    klu_l_free_symbolic(&s->symbolic, &s->common);
    vs_arena_release(&s->arena);
    vs_release(solver->context, s);
}

const vs_linear_backend vs_backend_klu = {
    .name = "klu",
    .version = TEXT(KLU_MAIN_VERSION) "." TEXT(KLU_SUB_VERSION) "." TEXT(KLU_SUBSUB_VERSION),
    .licence = "LGPL-2.1-or-later",
    .purpose = "SuiteSparse KLU: small unsymmetric systems, no BLAS",
    .unsymmetric = true,
    .create = create,
    .factor = factor,
    .solve = solve,
    .destroy = destroy,
};
