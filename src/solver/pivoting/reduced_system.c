// The linear system of an index set: see reduced_system.h.
#include "solver/pivoting/reduced_system.h"

#include <math.h>
#include <string.h>

#include "base/clock.h"

enum {
    DENSE_MOST = 64,        // rows that are factored here
    SMALL_MOST = 3600,      // rows up to which LDL without BLAS beats MUMPS (form_choice.c)
    UNSYMMETRIC_MOST = 1500 // the same of KLU
};
static const double FULL = .3; // share of entries from which a matrix is treated as dense
static const double EPSILON_MOST = 1e-3, EPSILON_GROWTH = 1e2; // after a breakdown

// ---- the matrix ------------------------------------------------------------------------------------

void vs_reduced_update(vs_reduced *s) {
    if (s->N == &s->own.N) {
        vs_delassus_update(&s->own);
        vs_delassus_scale(&s->own, s->problem->row_scale);
    }
    s->factored = false;
}

void vs_reduced_row(const vs_reduced *s, int k, double *x) {
    const vs_rows *N = s->N;
    int g = s->problem->group_of[k];
    int64_t width = N->start[g + 1] - N->start[g];
    const double *from = N->x + N->value[g] + (k - N->row[g]) * width;
    memset(x, 0, sizeof *x * (size_t)N->cols);
    for (int64_t t = 0; t < width; t++)
        x[N->col[N->start[g] + t]] = from[t];
    x[k] += s->problem->E[k];
}

// ---- dense -----------------------------------------------------------------------------------------

static void fill_dense(vs_reduced *s) {
    const vs_rows *N = s->N;
    int n = s->count;
    memset(s->dense, 0, sizeof *s->dense * (size_t)n * (size_t)n);
    for (int a = 0; a < n; a++) {
        int k = s->list[a], g = s->problem->group_of[k];
        int64_t width = N->start[g + 1] - N->start[g];
        const double *x = N->x + N->value[g] + (k - N->row[g]) * width;
        for (int64_t t = 0; t < width; t++) {
            int b = s->place[N->col[N->start[g] + t]];
            if (b >= 0)
                s->dense[a * n + b] = x[t];
        }
        s->dense[a * n + a] += s->problem->E[k] + s->epsilon;
    }
}

// A = L L', L in the lower triangle; false if A is not positive definite.
static bool factor_cholesky(int n, double *A) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++) {
            double sum = A[i * n + j];
            for (int k = 0; k < j; k++)
                sum -= A[i * n + k] * A[j * n + k];
            if (i == j && !(sum > 0))
                return false;
            A[i * n + j] = i == j ? sqrt(sum) : sum / A[j * n + j];
        }
    return true;
}

// P A = L U; false if A is singular.
static bool factor_lu(int n, double *A, int *pivot) {
    for (int k = 0; k < n; k++) {
        int p = k;
        for (int i = k + 1; i < n; i++)
            p = fabs(A[i * n + k]) > fabs(A[p * n + k]) ? i : p;
        pivot[k] = p;
        if (!(fabs(A[p * n + k]) > 0))
            return false;
        for (int j = 0; j < n && p != k; j++) {
            double swap = A[k * n + j];
            A[k * n + j] = A[p * n + j];
            A[p * n + j] = swap;
        }
        for (int i = k + 1; i < n; i++) {
            double factor = A[i * n + k] /= A[k * n + k];
            for (int j = k + 1; j < n && factor != 0; j++)
                A[i * n + j] -= factor * A[k * n + j];
        }
    }
    return true;
}

static void solve_dense(const vs_reduced *s, double *x) {
    int n = s->count;
    const double *A = s->dense;
    for (int k = 0; k < n && !s->definite; k++) {
        double swap = x[k];
        x[k] = x[s->pivot[k]];
        x[s->pivot[k]] = swap;
    }
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < i; j++)
            x[i] -= A[i * n + j] * x[j];
        x[i] /= s->definite ? A[i * n + i] : 1;
    }
    for (int i = n - 1; i >= 0; i--) {
        for (int j = i + 1; j < n; j++)
            x[i] -= (s->definite ? A[j * n + i] : A[i * n + j]) * x[j];
        x[i] /= A[i * n + i];
    }
}

static bool factor_dense(vs_reduced *s) {
    fill_dense(s);
    s->definite = s->problem->symmetric && factor_cholesky(s->count, s->dense);
    if (s->definite)
        return true;
    fill_dense(s);
    return factor_lu(s->count, s->dense, s->pivot);
}

// ---- sparse ----------------------------------------------------------------------------------------

// The lower triangle by columns, or all entries of an unsymmetric N: its pattern is symmetric.
static vs_error create_pattern(vs_reduced *s, vs_arena *arena, bool symmetric) {
    const vs_rows *N = s->N;
    int rows = N->rows;
    const int *group_of = s->problem->group_of;
    s->p = VS_NEW(arena, int64_t, rows + 1);
    if (!s->p)
        return VS_ERROR_MEMORY;
    s->p[0] = 0;
    for (int j = 0; j < rows; j++) {
        int g = group_of[j];
        int64_t count = 0;
        for (int64_t t = N->start[g]; t < N->start[g + 1]; t++)
            count += !symmetric || N->col[t] >= j;
        s->p[j + 1] = s->p[j] + count;
    }
    s->i = VS_NEW(arena, int, s->p[rows]);
    s->from = VS_NEW(arena, int64_t, s->p[rows]);
    s->values = VS_NEW(arena, double, s->p[rows]);
    if (!s->i || !s->from || !s->values)
        return VS_ERROR_MEMORY;
    int64_t next = 0;
    for (int j = 0; j < rows; j++)
        for (int64_t t = N->start[group_of[j]]; t < N->start[group_of[j] + 1]; t++) {
            int i = N->col[t], h = group_of[i];
            if (symmetric && i < j)
                continue;
            s->i[next] = i;
            s->from[next++] =
                N->value[h] + (i - N->row[h]) * (N->start[h + 1] - N->start[h]) + vs_delassus_find(N, h, j);
        }
    return VS_OK;
}

static vs_error factor_sparse(vs_reduced *s, const signed char *set) {
    for (int j = 0; j < s->N->rows; j++)
        for (int64_t t = s->p[j]; t < s->p[j + 1]; t++) {
            int i = s->i[t];
            bool in = set[i] == VS_BETWEEN && set[j] == VS_BETWEEN;
            s->values[t] = in ? s->N->x[s->from[t]] : 0;
            if (i == j)
                s->values[t] = in ? s->values[t] + s->problem->E[j] + s->epsilon : 1;
        }
    return vs_linear_solver_factor(s->solver, s->values);
}

// ---- backend ---------------------------------------------------------------------------------------

static const vs_linear_backend *choose(vs_reduced *s, bool symmetric) {
    double rows = s->N->rows;
    if ((double)s->N->value[s->N->groups] > FULL * rows * rows) {
        s->why = "most rows are coupled";
        const char *names[] = {"lapack", symmetric ? "ldl" : "klu", "frontal", NULL};
        return vs_linear_backend_first(names);
    }
    bool small = rows <= (symmetric ? SMALL_MOST : UNSYMMETRIC_MOST);
    const char *backend = symmetric ? "ldl" : "klu";
    s->why = small ? "small enough for a factor without BLAS" : "large";
    const char *names[] = {small ? backend : "mumps", backend, "frontal", NULL};
    return vs_linear_backend_first(names);
}

static vs_error create_backend(vs_reduced *s, const char *asked, vs_arena *arena) {
    const vs_scaled *scaled = s->problem->scaled;
    bool free_choice = !asked || strcmp(asked, "auto") == 0;
    s->backend = "dense", s->why = "few rows: factored dense";
    if (s->N->rows == 0 || (free_choice && s->N->rows <= DENSE_MOST))
        return VS_OK;
    const vs_linear_backend *backend = free_choice ? choose(s, scaled->symmetric) : vs_linear_backend_find(asked);
    if (!backend && free_choice) {
        s->why = "no backend of this build supports it";
        return VS_OK;
    }
    if (!backend)
        return vs_fail(s->problem->context, VS_ERROR_UNSUPPORTED, "linear_solver: \"%s\" is not in this build", asked);
    if (backend->single)
        return vs_fail(s->problem->context, VS_ERROR_UNSUPPORTED,
                       "linear_solver: pivoting needs more than the single precision of %s; use another or auto",
                       backend->name);
    s->why = free_choice ? s->why : "requested";
    s->backend = backend->name;
    vs_error error = create_pattern(s, arena, scaled->symmetric);
    if (error)
        return error;
    vs_linear_pattern pattern = {.n = s->N->rows,
                                 .p = s->p,
                                 .i = s->i,
                                 .symmetric = scaled->symmetric,
                                 .definite = scaled->symmetric && !scaled->local,
                                 .groups = s->N->groups,
                                 .group = s->N->row};
    return vs_linear_solver_create(s->problem->context, backend, &pattern, &s->solver);
}

// ---- all -------------------------------------------------------------------------------------------

vs_error vs_reduced_create(vs_reduced *s, const vs_impulse_problem *problem, const char *linear_solver,
                           vs_arena *arena) {
    *s = (vs_reduced){.problem = problem, .epsilon = VS_REDUCED_EPSILON, .N = &problem->N};
    if (problem->carried) {
        vs_error error = vs_delassus_create(&s->own, problem->scaled, arena);
        if (error)
            return error;
        s->N = &s->own.N;
    }
    vs_error error = create_backend(s, linear_solver, arena);
    if (error)
        return error;
    int64_t rows = problem->rows, entries = s->solver ? 0 : rows * rows;
    s->set = VS_NEW(arena, signed char, rows);
    s->list = VS_NEW(arena, int, rows);
    s->place = VS_NEW(arena, int, rows);
    s->pivot = VS_NEW(arena, int, rows);
    s->b = VS_NEW(arena, double, rows);
    s->dense = VS_NEW(arena, double, entries);
    if (!s->set || !s->list || !s->place || !s->pivot || !s->b || !s->dense)
        return VS_ERROR_MEMORY;
    vs_reduced_update(s);
    return VS_OK;
}

void vs_reduced_begin(vs_reduced *s) {
    s->counts = (vs_counts){0};
    s->epsilon = VS_REDUCED_EPSILON;
    s->factored = false;
}

void vs_reduced_regularize(vs_reduced *s, double epsilon) {
    s->factored = s->factored && epsilon == s->epsilon;
    s->epsilon = epsilon;
}

void vs_reduced_release(vs_reduced *s) {
    vs_linear_solver_destroy(s->solver);
    s->solver = NULL;
}

static vs_error factor_once(vs_reduced *s, const signed char *set) {
    double begin = vs_clock();
    vs_error error = VS_OK;
    if (s->solver)
        error = factor_sparse(s, set);
    else if (!factor_dense(s))
        error = vs_fail(s->problem->context, VS_ERROR_NUMERICAL, "pivoting: the system of an index set is singular");
    s->counts.factorizations++;
    s->counts.factor += vs_clock() - begin;
    s->counts.regularization = fmax(s->counts.regularization, s->epsilon);
    return error;
}

double vs_reduced_guess(const vs_reduced *s, const signed char *set) {
    double count = 0;
    for (int k = 0; k < s->problem->rows && !s->solver; k++)
        count += set[k] == VS_BETWEEN;
    return s->solver ? vs_linear_solver_guess(s->solver, 4) : 1e-9 * count * count * count / 3;
}

vs_error vs_reduced_factor(vs_reduced *s, const signed char *set) {
    size_t rows = (size_t)s->problem->rows;
    if (s->factored && memcmp(s->set, set, rows) == 0)
        return VS_OK;
    s->factored = false;
    s->count = 0;
    for (int k = 0; k < s->problem->rows; k++) {
        s->place[k] = set[k] == VS_BETWEEN ? s->count : -1;
        if (set[k] == VS_BETWEEN)
            s->list[s->count++] = k;
    }
    vs_error error = factor_once(s, set);
    while (error == VS_ERROR_NUMERICAL && s->epsilon < EPSILON_MOST) {
        s->epsilon *= EPSILON_GROWTH;
        error = factor_once(s, set);
    }
    if (error)
        return error;
    memcpy(s->set, set, rows);
    s->factored = true;
    return VS_OK;
}

vs_error vs_reduced_solve(vs_reduced *s, const double *b, double *dx) {
    int rows = s->problem->rows;
    double begin = vs_clock();
    vs_error error = VS_OK;
    if (s->solver) {
        for (int k = 0; k < rows; k++)
            dx[k] = s->set[k] == VS_BETWEEN ? b[k] : 0;
        error = vs_linear_solver_solve(s->solver, dx);
    } else {
        for (int a = 0; a < s->count; a++)
            s->b[a] = b[s->list[a]];
        solve_dense(s, s->b);
        for (int k = 0; k < rows; k++)
            dx[k] = s->place[k] >= 0 ? s->b[s->place[k]] : 0;
    }
    s->counts.solves++;
    s->counts.solve += vs_clock() - begin;
    return error;
}
