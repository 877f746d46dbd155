// Orthogonal factors of small systems, a regularized sparse factorization for large ones: see pseudo_inverse.h.
#include "solver/derivative/pseudo_inverse.h"

#include <math.h>
#include <string.h>

#include "base/hash.h"
#include "base/vector.h"

static const double NOTHING = 1e-10; // pivots relative to the largest that count as zero
static const double DELTA = 1e-5;
static const double REGULAR = 1e-4; // entry of a vector that a regular large K leaves as it is
enum { ITERATIONS = 4 };

// ---- small -----------------------------------------------------------------------------------------

// The reflection 1 - f u u' that takes x (n) to (beta, 0, …): u replaces x with u_0 = 1 left out, beta x_0. Returns f.
static double make_reflection(int n, double *x) {
    double rest = 0;
    for (int i = 1; i < n; i++)
        rest += x[i] * x[i];
    if (!(rest > 0))
        return 0;
    const double length = sqrt(x[0] * x[0] + rest), beta = x[0] > 0 ? -length : length, first = x[0] - beta;
    for (int i = 1; i < n; i++)
        x[i] /= first;
    const double factor = (beta - x[0]) / beta;
    x[0] = beta;
    return factor;
}

// y (n) <- (1 - f u u') y, u_0 = 1 not stored
static void reflect(int n, double factor, const double *u, double *y) {
    double sum = y[0];
    for (int i = 1; i < n; i++)
        sum += u[i] * y[i];
    sum *= factor;
    y[0] -= sum;
    for (int i = 1; i < n; i++)
        y[i] -= sum * u[i];
}

static void swap_columns(vs_pseudo_inverse *p, int j, int k) {
    for (int i = 0; i < p->n && j != k; i++) {
        double *a = p->A + (int64_t)j * p->n + i, *b = p->A + (int64_t)k * p->n + i, x = *a;
        *a = *b;
        *b = x;
    }
    const int column = p->column[j];
    p->column[j] = p->column[k];
    p->column[k] = column;
}

// K P = Q R; the rank is where pivots end.
static void factor_columns(vs_pseudo_inverse *p) {
    const int n = p->n;
    double first = 0;
    for (int k = 0; k < n; k++) {
        int best = k;
        double most = 0;
        for (int j = k; j < n; j++) {
            const double *x = p->A + (int64_t)j * n + k, square = vs_vector_dot(n - k, x, x);
            best = square > most ? j : best;
            most = fmax(most, square);
        }
        first = k == 0 ? most : first;
        if (!(most > NOTHING * NOTHING * first))
            return;
        swap_columns(p, k, best);
        double *pivot = p->A + (int64_t)k * n + k;
        p->q[k] = make_reflection(n - k, pivot);
        for (int j = k + 1; j < n; j++)
            reflect(n - k, p->q[k], pivot, p->A + (int64_t)j * n + k);
        p->rank++;
    }
}

// [R11 R12] = [T 0] Z, row by row from the last: each reflection acts on entry k and those behind the rank.
static void factor_rows(vs_pseudo_inverse *p) {
    const int n = p->n, rank = p->rank;
    double *x = p->step, *y = p->step + n;
    for (int k = rank - 1; k >= 0 && rank < n; k--) {
        x[0] = p->A[(int64_t)k * n + k];
        for (int j = rank; j < n; j++)
            x[1 + j - rank] = p->A[(int64_t)j * n + k];
        p->z[k] = make_reflection(1 + n - rank, x);
        for (int i = 0; i < k; i++) {
            y[0] = p->A[(int64_t)k * n + i];
            for (int j = rank; j < n; j++)
                y[1 + j - rank] = p->A[(int64_t)j * n + i];
            reflect(1 + n - rank, p->z[k], x, y);
            p->A[(int64_t)k * n + i] = y[0];
            for (int j = rank; j < n; j++)
                p->A[(int64_t)j * n + i] = y[1 + j - rank];
        }
        p->A[(int64_t)k * n + k] = x[0];
        for (int j = rank; j < n; j++)
            p->A[(int64_t)j * n + k] = x[1 + j - rank];
    }
}

vs_error vs_pseudo_inverse_create_dense(vs_pseudo_inverse *p, int n, double *K, vs_arena *arena) {
    *p = (vs_pseudo_inverse){.n = n, .A = K};
    p->q = VS_NEW_ZERO(arena, double, n);
    p->z = VS_NEW_ZERO(arena, double, n);
    p->column = VS_NEW(arena, int, n);
    p->step = VS_NEW(arena, double, 2 * (int64_t)n + 2);
    if (!p->q || !p->z || !p->column || !p->step)
        return VS_ERROR_MEMORY;
    for (int j = 0; j < n; j++)
        p->column[j] = j;
    factor_columns(p);
    factor_rows(p);
    return VS_OK;
}

// x (rank) <- T^-1 x, or T'^-1 x
static void solve_triangle(const vs_pseudo_inverse *p, bool transposed, double *x) {
    const int n = p->n;
    for (int s = 0; s < p->rank; s++) {
        const int k = transposed ? s : p->rank - 1 - s;
        const double *column = p->A + (int64_t)k * n;
        if (transposed) {
            x[k] = (x[k] - vs_vector_dot(k, column, x)) / column[k];
            continue;
        }
        x[k] /= column[k];
        for (int i = 0; i < k; i++)
            x[i] -= column[i] * x[k];
    }
}

// x (n) <- the k-th reflection of Z of x, which acts on x_k and the entries behind the rank.
static void reflect_row(const vs_pseudo_inverse *p, int k, double *x) {
    const int n = p->n, rank = p->rank;
    double sum = x[k];
    for (int j = rank; j < n; j++)
        sum += p->A[(int64_t)j * n + k] * x[j];
    sum *= p->z[k];
    x[k] -= sum;
    for (int j = rank; j < n; j++)
        x[j] -= sum * p->A[(int64_t)j * n + k];
}

static void solve_small(const vs_pseudo_inverse *p, bool transposed, const double *b, double *z) {
    const int n = p->n, rank = p->rank;
    double *x = p->step;
    for (int j = 0; j < n; j++)
        x[j] = b[transposed ? p->column[j] : j];
    for (int k = 0; k < rank && !transposed; k++)
        reflect(n - k, p->q[k], p->A + (int64_t)k * n + k, x + k);
    for (int k = rank - 1; k >= 0 && transposed; k--)
        reflect_row(p, k, x);
    for (int j = rank; j < n; j++)
        x[j] = 0;
    solve_triangle(p, transposed, x);
    for (int k = 0; k < rank && !transposed; k++)
        reflect_row(p, k, x);
    for (int k = rank - 1; k >= 0 && transposed; k--)
        reflect(n - k, p->q[k], p->A + (int64_t)k * n + k, x + k);
    for (int j = 0; j < n; j++)
        z[transposed ? j : p->column[j]] = x[j];
}

// ---- large -----------------------------------------------------------------------------------------

static vs_error factor_regularized(vs_pseudo_inverse *p, vs_arena *scratch) {
    const vs_sparse *K = &p->K;
    const int n = p->n;
    const int64_t count = K->p[n] + 2 * (int64_t)n;
    int64_t *first = VS_NEW(scratch, int64_t, 2 * (int64_t)n + 1), at = 0;
    int *row = VS_NEW(scratch, int, count);
    double *x = VS_NEW(scratch, double, count);
    if (!first || !row || !x)
        return VS_ERROR_MEMORY;
    for (int j = 0; j < 2 * n; j++) {
        first[j] = at;
        row[at] = j;
        x[at++] = j < n ? DELTA : -DELTA;
        for (int64_t e = j < n ? K->p[j] : 0; j < n && e < K->p[j + 1]; e++) {
            row[at] = n + K->i[e];
            x[at++] = K->x[e];
        }
    }
    first[2 * n] = at;
    static const char *const names[] = {"mumps", "ldl", "lapack", NULL};
    const vs_linear_backend *backend = vs_linear_backend_first(names);
    if (!backend)
        return vs_fail(scratch->context, VS_ERROR_UNSUPPORTED, "derivative: this build has no linear solver for it");
    const vs_linear_pattern pattern = {.n = 2 * n, .p = first, .i = row, .symmetric = true};
    vs_error error = vs_linear_solver_create(scratch->context, backend, &pattern, &p->solver);
    return error ? error : vs_linear_solver_factor(p->solver, x);
}

// Of a vector of signs, the part in the null space of K has a square that is the dimension of that space on average
// (Hutchinson 1990).
static vs_error estimate_rank(vs_pseudo_inverse *p, vs_arena *scratch) {
    const int n = p->n;
    double *signs = VS_NEW(scratch, double, n), *image = VS_NEW(scratch, double, n), *z = VS_NEW(scratch, double, n);
    if (!signs || !image || !z)
        return VS_ERROR_MEMORY;
    for (int j = 0; j < n; j++)
        signs[j] = vs_hash_mix((uint64_t)j + 1) & 1 ? 1 : -1;
    vs_sparse_multiply(&p->K, 1.0, signs, 0.0, image);
    const vs_error error = vs_pseudo_inverse_solve(p, false, image, z);
    double most = 0, square = 0;
    for (int j = 0; j < n && !error; j++) {
        most = fmax(most, fabs(signs[j] - z[j]));
        square += (signs[j] - z[j]) * (signs[j] - z[j]);
    }
    if (most > REGULAR)
        p->rank = n - (int)fmax(1, fmin(n, square + .5));
    return error;
}

vs_error vs_pseudo_inverse_create_sparse(vs_pseudo_inverse *p, const vs_sparse *K, vs_arena *arena) {
    *p = (vs_pseudo_inverse){.n = K->cols, .rank = K->cols, .K = *K};
    p->right = VS_NEW(arena, double, K->cols);
    p->step = VS_NEW(arena, double, 2 * (int64_t)K->cols);
    if (!p->right || !p->step)
        return VS_ERROR_MEMORY;
    vs_arena scratch;
    vs_arena_init(&scratch, arena->context);
    vs_error error = factor_regularized(p, &scratch);
    if (!error)
        error = estimate_rank(p, &scratch);
    vs_arena_release(&scratch);
    return error;
}

void vs_pseudo_inverse_release(vs_pseudo_inverse *p) {
    vs_linear_solver_destroy(p->solver);
    p->solver = NULL;
}

static vs_error solve_large(const vs_pseudo_inverse *p, bool transposed, const double *b, double *z) {
    const int n = p->n;
    double *residual = transposed ? p->step : p->step + n, *rest = transposed ? p->step + n : p->step;
    memset(z, 0, (size_t)n * sizeof *z);
    for (int k = 0; k < ITERATIONS; k++) {
        memcpy(p->right, b, (size_t)n * sizeof *b);
        (transposed ? vs_sparse_multiply_t : vs_sparse_multiply)(&p->K, -1.0, z, 1.0, p->right);
        memcpy(residual, p->right, (size_t)n * sizeof *residual);
        memset(rest, 0, (size_t)n * sizeof *rest);
        const vs_error error = vs_linear_solver_solve(p->solver, p->step);
        if (error)
            return error;
        for (int j = 0; j < n; j++)
            z[j] += rest[j];
    }
    return VS_OK;
}

vs_error vs_pseudo_inverse_solve(const vs_pseudo_inverse *p, bool transposed, const double *b, double *z) {
    if (p->solver)
        return solve_large(p, transposed, b, z);
    solve_small(p, transposed, b, z);
    return VS_OK;
}
