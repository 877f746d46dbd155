// Dense factorizations with LAPACK, for small systems and as a reference.
//
//     definite     A = L L'    dpotrf
//     symmetric    A = L D L'  dsytrf: pivoting, D of 1 x 1 and 2 x 2 blocks
//     unsymmetric  A = P L U   dgetrf
//
// The inertia comes from D, the sign of det A from D or from P and U. The sparse values are scattered into a full
// matrix of n^2 numbers at each factorization.
#include <string.h>

#include "linalg/backend/backend.h"
#include "linalg/blas.h"

void dpotrf_(const char *uplo, const int *n, double *A, const int *lda, int *info, size_t uplo_length);
void dpotrs_(const char *uplo, const int *n, const int *nrhs, const double *A, const int *lda, double *B,
             const int *ldb, int *info, size_t uplo_length);
void dsytrf_(const char *uplo, const int *n, double *A, const int *lda, int *ipiv, double *work, const int *lwork,
             int *info, size_t uplo_length);
void dsytrs_(const char *uplo, const int *n, const int *nrhs, const double *A, const int *lda, const int *ipiv,
             double *B, const int *ldb, int *info, size_t uplo_length);
void dgetrf_(const int *m, const int *n, double *A, const int *lda, int *ipiv, int *info);
void dgetrs_(const char *trans, const int *n, const int *nrhs, const double *A, const int *lda, const int *ipiv,
             double *B, const int *ldb, int *info, size_t trans_length);

enum { LARGEST = 46340 }; // n^2 must fit LAPACK's 32-bit counts

typedef struct lapack_state {
    vs_arena arena;
    bool symmetric;
    int64_t *place; // (nonzeros) position in A of the k-th value of the pattern
    double *A;      // (n x n) by columns
    int *pivot;     // (n)
    double *work;   // (lwork)
    int lwork;
} lapack_state;

static int query_workspace(int n, lapack_state *s) {
    double best = 0;
    int all = -1, info = 0;
    dsytrf_("L", &n, s->A, &n, s->pivot, &best, &all, &info, 1);
    return info == 0 && best >= n ? (int)best : n;
}

static vs_error create(vs_linear_solver *solver, const vs_linear_pattern *A) {
    if (A->n > LARGEST)
        return vs_fail(solver->context, VS_ERROR_UNSUPPORTED, "LAPACK: %d unknowns are too many for a dense matrix",
                       A->n);
    lapack_state *s = vs_allocate(solver->context, sizeof *s);
    if (!s)
        return vs_fail_memory(solver->context);
    *s = (lapack_state){.symmetric = A->symmetric};
    solver->state = s;
    vs_arena_init(&s->arena, solver->context);
    vs_blas_single_thread();
    int64_t n = A->n;
    s->place = VS_NEW(&s->arena, int64_t, A->p[n]);
    s->A = VS_NEW(&s->arena, double, n *n);
    s->pivot = VS_NEW(&s->arena, int, n);
    if (!s->place || !s->A || !s->pivot)
        return VS_ERROR_MEMORY;
    for (int64_t j = 0; j < n; ++j) {
        for (int64_t k = A->p[j]; k < A->p[j + 1]; ++k)
            s->place[k] = j * n + A->i[k];
    }
    if (A->symmetric && !A->definite) {
        s->lwork = query_workspace(A->n, s);
        s->work = VS_NEW(&s->arena, double, s->lwork);
        if (!s->work)
            return VS_ERROR_MEMORY;
    }
    solver->report.fill = A->symmetric ? n * (n + 1) / 2 : n * n;
    solver->report.flops = (A->symmetric ? 1.0 : 2.0) / 3 * (double)n * (double)n * (double)n;
    solver->report.bytes = n * n * (int64_t)sizeof(double);
    return VS_OK;
}

static void report_symmetric(vs_linear_report *report, const lapack_state *s, int n) {
    int negative = 0;
    for (int64_t k = 0; k < n; ++k) {
        const double *d = s->A + k * n + k;
        if (s->pivot[k] > 0) {
            negative += d[0] < 0;
        } else { // a block of two rows: d[0], d[1] below it, d[n + 1] on the next diagonal
            double det = d[0] * d[n + 1] - d[1] * d[1];
            negative += det < 0 ? 1 : d[0] < 0 ? 2 : 0;
            ++k;
        }
    }
    report->negative = negative;
    report->positive = n - negative;
    report->sign_det = negative % 2 ? -1 : 1;
}

static void report_unsymmetric(vs_linear_report *report, const lapack_state *s, int n) {
    bool positive = true;
    for (int64_t k = 0; k < n; ++k)
        positive = positive == ((s->pivot[k] == k + 1) == (s->A[k * n + k] > 0));
    report->sign_det = positive ? 1 : -1;
}

static vs_error factor(vs_linear_solver *solver, const double *x) {
    lapack_state *s = solver->state;
    int n = solver->n, info = 0;
    memset(s->A, 0, (size_t)n * (size_t)n * sizeof *s->A);
    for (int64_t k = 0; k < solver->nonzeros; ++k)
        s->A[s->place[k]] = x[k];

    if (solver->definite)
        dpotrf_("L", &n, s->A, &n, &info, 1);
    else if (s->symmetric)
        dsytrf_("L", &n, s->A, &n, s->pivot, s->work, &s->lwork, &info, 1);
    else
        dgetrf_(&n, &n, s->A, &n, s->pivot, &info);
    if (info != 0)
        return vs_fail(solver->context, VS_ERROR_NUMERICAL, "LAPACK: the matrix is %s (pivot %d of %d)",
                       solver->definite ? "not positive definite" : "singular", info, n);

    if (solver->definite) {
        solver->report.positive = n;
        solver->report.negative = 0;
        solver->report.sign_det = 1;
    } else if (s->symmetric) {
        report_symmetric(&solver->report, s, n);
    } else {
        report_unsymmetric(&solver->report, s, n);
    }
    return VS_OK;
}

static vs_error solve_many(vs_linear_solver *solver, int count, double *x) {
    lapack_state *s = solver->state;
    int n = solver->n, info = 0;
    if (solver->definite)
        dpotrs_("L", &n, &count, s->A, &n, x, &n, &info, 1);
    else if (s->symmetric)
        dsytrs_("L", &n, &count, s->A, &n, s->pivot, x, &n, &info, 1);
    else
        dgetrs_("N", &n, &count, s->A, &n, s->pivot, x, &n, &info, 1);
    return info == 0 ? VS_OK : vs_fail(solver->context, VS_ERROR_NUMERICAL, "LAPACK: solve failed (%d)", info);
}

static vs_error solve(vs_linear_solver *solver, double *x) {
    return solve_many(solver, 1, x);
}

static void destroy(vs_linear_solver *solver) {
    lapack_state *s = solver->state;
    if (s)
        vs_arena_release(&s->arena);
    vs_release(solver->context, s);
}

const vs_linear_backend vs_backend_lapack = {
    .name = "lapack",
    .version = "3", // of the interface; vs_blas_name() names the implementation
    .licence = "BSD-3-Clause",
    .purpose = "LAPACK: small dense systems",
    .symmetric = true,
    .unsymmetric = true,
    .indefinite = true,
    .dense = true,
    .create = create,
    .factor = factor,
    .solve = solve,
    .solve_many = solve_many,
    .destroy = destroy,
};
