// Cholesky factorization of a positive definite matrix with CHOLMOD.
//
//     P A P' = L L'      supernodal (BLAS) where the factor is dense enough, else simplicial
//
// A matrix that is not positive definite is reported, never factored as LDL'.
#include <cholmod.h>
#include <string.h>

#include "linalg/backend/backend.h"
#include "linalg/blas.h"
#include "linalg/ordering/ordering.h"

#define TEXT_(x) #x
#define TEXT(x) TEXT_(x)

typedef SuiteSparse_long index;

typedef struct cholmod_state {
    vs_arena arena;
    cholmod_common common;
    cholmod_sparse A; // lower triangle; values are the caller's while factoring
    cholmod_factor *L;
    cholmod_dense *X, *Y, *E;    // solution and workspaces of a solve
    cholmod_dense *Xs, *Ys, *Es; // of solve_many(); null before its first call
} cholmod_state;

static vs_error fail_backend(vs_linear_solver *solver, const cholmod_state *s) {
    int status = s->common.status;
    if (status == CHOLMOD_OUT_OF_MEMORY || status == CHOLMOD_TOO_LARGE)
        return vs_fail_memory(solver->context);
    if (status == CHOLMOD_NOT_POSDEF && s->L)
        return vs_fail(solver->context, VS_ERROR_NUMERICAL, "CHOLMOD: not positive definite (pivot %lld of %d)",
                       (long long)s->L->minor, solver->n);
    return vs_fail(solver->context, VS_ERROR_NUMERICAL, "CHOLMOD: failed (status %d)", status);
}

static void configure(cholmod_common *common) {
    common->print = 0;
    common->supernodal = CHOLMOD_AUTO;
    common->final_ll = 1; // LL' in the simplicial part too: LDL' would accept negative pivots
    common->quick_return_if_not_posdef = 1;
    common->nmethods = 1;
    common->method[0].ordering = CHOLMOD_GIVEN;
    common->postorder = 1;
}

static vs_error analyse(vs_linear_solver *solver, cholmod_state *s, const vs_linear_pattern *A) {
    int *permutation = VS_NEW(&s->arena, int, A->n);
    index *order = VS_NEW(&s->arena, index, A->n);
    if (!permutation || !order)
        return VS_ERROR_MEMORY;
    vs_error error = vs_ordering(solver->context, A, permutation);
    if (error)
        return error;
    for (int k = 0; k < A->n; ++k)
        order[k] = permutation[k];
    s->L = cholmod_l_analyze_p(&s->A, order, NULL, 0, &s->common);
    if (!s->L)
        return fail_backend(solver, s);

    size_t n = (size_t)A->n, maxesize = s->L->maxesize > 0 ? s->L->maxesize : 1;
    s->X = cholmod_l_allocate_dense(n, 1, n, CHOLMOD_REAL, &s->common);
    s->Y = cholmod_l_allocate_dense(n, 1, n, CHOLMOD_REAL, &s->common);
    s->E = cholmod_l_allocate_dense(maxesize, 1, maxesize, CHOLMOD_REAL, &s->common);
    if (!s->X || !s->Y || !s->E)
        return vs_fail_memory(solver->context);
    solver->report.fill = (int64_t)s->common.lnz;
    solver->report.flops = s->common.fl;
    solver->report.bytes = s->L->is_super ? (int64_t)(s->L->xsize * sizeof(double))
                                          : (int64_t)s->common.lnz * (int64_t)(sizeof(double) + sizeof(index));
    return VS_OK;
}

static vs_error create(vs_linear_solver *solver, const vs_linear_pattern *A) {
    cholmod_state *s = vs_allocate(solver->context, sizeof *s);
    if (!s)
        return vs_fail_memory(solver->context);
    memset(s, 0, sizeof *s);
    solver->state = s;
    vs_arena_init(&s->arena, solver->context);
    vs_blas_single_thread();
    cholmod_l_start(&s->common);
    configure(&s->common);

    int64_t nonzeros = A->p[A->n];
    index *p = VS_NEW(&s->arena, index, A->n + 1), *i = VS_NEW(&s->arena, index, nonzeros);
    if (!p || !i)
        return VS_ERROR_MEMORY;
    for (int j = 0; j <= A->n; ++j)
        p[j] = A->p[j];
    for (int64_t k = 0; k < nonzeros; ++k)
        i[k] = A->i[k];
    s->A = (cholmod_sparse){.nrow = (size_t)A->n,
                            .ncol = (size_t)A->n,
                            .nzmax = (size_t)nonzeros,
                            .p = p,
                            .i = i,
                            .stype = -1,
                            .itype = CHOLMOD_LONG,
                            .xtype = CHOLMOD_PATTERN,
                            .dtype = CHOLMOD_DOUBLE,
                            .sorted = 1,
                            .packed = 1};
    return analyse(solver, s, A);
}

static vs_error factor(vs_linear_solver *solver, const double *x) {
    cholmod_state *s = solver->state;
    s->A.x = (void *)x; // CHOLMOD only reads
    s->A.xtype = CHOLMOD_REAL;
    int done = cholmod_l_factorize(&s->A, s->L, &s->common);
    s->A.x = NULL;
    if (!done || s->common.status != CHOLMOD_OK)
        return fail_backend(solver, s);
    solver->report.positive = solver->n;
    solver->report.negative = 0;
    solver->report.sign_det = 1;
    return VS_OK;
}

static vs_error solve(vs_linear_solver *solver, double *x) {
    cholmod_state *s = solver->state;
    size_t n = (size_t)solver->n;
    cholmod_dense b = {
        .nrow = n, .ncol = 1, .nzmax = n, .d = n, .x = x, .xtype = CHOLMOD_REAL, .dtype = CHOLMOD_DOUBLE};
    if (!cholmod_l_solve2(CHOLMOD_A, s->L, &b, NULL, &s->X, NULL, &s->Y, &s->E, &s->common))
        return fail_backend(solver, s);
    memcpy(x, s->X->x, n * sizeof *x);
    return VS_OK;
}

// Workspaces of their own: CHOLMOD resizes them to the number of columns, and the next solve would pay for it.
static vs_error solve_many(vs_linear_solver *solver, int count, double *x) {
    cholmod_state *s = solver->state;
    size_t n = (size_t)solver->n, many = (size_t)count;
    cholmod_dense b = {
        .nrow = n, .ncol = many, .nzmax = n * many, .d = n, .x = x, .xtype = CHOLMOD_REAL, .dtype = CHOLMOD_DOUBLE};
    if (!cholmod_l_solve2(CHOLMOD_A, s->L, &b, NULL, &s->Xs, NULL, &s->Ys, &s->Es, &s->common))
        return fail_backend(solver, s);
    memcpy(x, s->Xs->x, n * many * sizeof *x);
    return VS_OK;
}

static void destroy(vs_linear_solver *solver) {
    cholmod_state *s = solver->state;
    if (!s)
        return;
    cholmod_l_free_dense(&s->X, &s->common);
    cholmod_l_free_dense(&s->Y, &s->common);
    cholmod_l_free_dense(&s->E, &s->common);
    cholmod_l_free_dense(&s->Xs, &s->common);
    cholmod_l_free_dense(&s->Ys, &s->common);
    cholmod_l_free_dense(&s->Es, &s->common);
    cholmod_l_free_factor(&s->L, &s->common);
    cholmod_l_finish(&s->common);
    vs_arena_release(&s->arena);
    vs_release(solver->context, s);
}

const vs_linear_backend vs_backend_cholmod = {
    .name = "cholmod",
    .version = TEXT(CHOLMOD_MAIN_VERSION) "." TEXT(CHOLMOD_SUB_VERSION) "." TEXT(CHOLMOD_SUBSUB_VERSION),
    .licence = "LGPL-2.1-or-later; supernodal part GPL-2.0-or-later",
    .purpose = "CHOLMOD: large symmetric definite systems",
    .symmetric = true,
    .create = create,
    .factor = factor,
    .solve = solve,
    .solve_many = solve_many,
    .destroy = destroy,
};
