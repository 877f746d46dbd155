// Orthogonal factors of small systems, a regularized sparse factorization for large ones: see pseudo_inverse.h.
#include "solver/derivative/pseudo_inverse.h"

#include <math.h>
#include <string.h>

#include "base/hash.h"
#include "base/vector.h"

static const double NOTHING = 1e-10; // pivots relative to the largest that count as zero
static const double ROUGH = 1e5;     // ratio of the pivots of T whose rounding shows: 1e-13 and more
static const double DELTA = 1e-5;
static const double REGULAR = 1e-4; // entry of a vector that a regular large K leaves as it is
enum { ITERATIONS = 4 };

static vs_error allocate_work(vs_pseudo_inverse *p, vs_arena *arena) {
    p->right = VS_NEW(arena, double, p->n);
    p->step = VS_NEW(arena, double, 2 * (int64_t)p->n + 2);
    p->exact = VS_NEW(arena, vs_double_double, p->n);
    return p->right && p->step && p->exact ? VS_OK : VS_ERROR_MEMORY;
}

// ---- residuals with twice the precision ----------------------------------------------------------------

// sum - a b, whose roundings add up in lo (Ogita, Rump and Oishi 2005).
static vs_double_double subtract(vs_double_double sum, double a, double b) {
    const vs_double_double p = vs_dd_product(a, b), s = vs_dd_sum(sum.hi, -p.hi);
    return (vs_double_double){s.hi, sum.lo + (s.lo - p.lo)};
}

static void end_sum(int n, const vs_double_double *sum, double *out) {
    for (int i = 0; i < n; i++)
        out[i] = sum[i].hi + sum[i].lo;
}

// sum (n) <- sum - K z, or sum - K'z, for column j of K: its entries x in rows i, in all rows if null
static void subtract_column(bool transposed, int j, const int *i, const double *x, int64_t count, const double *z,
                            vs_double_double *sum) {
    for (int64_t e = 0; e < count; e++) {
        const int row = i ? i[e] : (int)e;
        if (x[e] == 0)
            continue;
        if (transposed)
            sum[j] = subtract(sum[j], x[e], z[row]);
        else
            sum[row] = subtract(sum[row], x[e], z[j]);
    }
}

static void subtract_product(const vs_pseudo_inverse *p, bool transposed, const double *z, vs_double_double *sum) {
    const int n = p->n;
    const vs_sparse *K = &p->K;
    for (int j = 0; j < n; j++) {
        if (p->dense)
            subtract_column(transposed, j, NULL, p->dense + (int64_t)j * n, n, z, sum);
        else
            subtract_column(transposed, j, K->i + K->p[j], K->x + K->p[j], K->p[j + 1] - K->p[j], z, sum);
    }
}

// right (n) <- b - K z, or b - K'z
static void find_residual(const vs_pseudo_inverse *p, bool transposed, const double *b, const double *z) {
    for (int i = 0; i < p->n; i++)
        p->exact[i] = (vs_double_double){b[i], 0};
    subtract_product(p, transposed, z, p->exact);
    end_sum(p->n, p->exact, p->right);
}

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
    p->dense = VS_NEW(arena, double, (int64_t)n *n);
    vs_error error = allocate_work(p, arena);
    if (error || !p->q || !p->z || !p->column || !p->dense)
        return VS_ERROR_MEMORY;
    memcpy(p->dense, K, sizeof *K * (size_t)n * (size_t)n);
    for (int j = 0; j < n; j++)
        p->column[j] = j;
    factor_columns(p);
    factor_rows(p);
    p->rough = p->rank > 0 && fabs(K[0]) > ROUGH * fabs(K[(int64_t)(p->rank - 1) * (n + 1)]);
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
    p->again = VS_NEW(arena, double, 2 * (int64_t)K->cols);
    vs_error error = allocate_work(p, arena);
    if (error || !p->again)
        return VS_ERROR_MEMORY;
    vs_arena scratch;
    vs_arena_init(&scratch, arena->context);
    error = factor_regularized(p, &scratch);
    if (!error)
        error = estimate_rank(p, &scratch);
    vs_arena_release(&scratch);
    return error;
}

void vs_pseudo_inverse_release(vs_pseudo_inverse *p) {
    vs_linear_solver_destroy(p->solver);
    p->solver = NULL;
}

// What the regularized system leaves of its right-hand side, `right` in one half and 0 in the other, at x = step: to `again`.
static void find_regularized_residual(const vs_pseudo_inverse *p, bool transposed) {
    const int n = p->n;
    for (int half = 0; half < 2; half++) {
        const double *own = p->step + half * n, *other = p->step + (1 - half) * n;
        const double *given = transposed == (half == 0) ? p->right : NULL;
        for (int j = 0; j < n; j++)
            p->exact[j] = subtract((vs_double_double){given ? given[j] : 0, 0}, half == 0 ? DELTA : -DELTA, own[j]);
        subtract_product(p, half == 0, other, p->exact);
        end_sum(n, p->exact, p->again + half * n);
    }
}

// step (2 n) <- the solution of the regularized system. A part of `right` that K does not reach is divided by DELTA: the rounding of
// that is removed from the other half.
static vs_error solve_regularized(const vs_pseudo_inverse *p, bool transposed) {
    const int n = p->n;
    memset(p->step, 0, 2 * (size_t)n * sizeof *p->step);
    memcpy(transposed ? p->step : p->step + n, p->right, (size_t)n * sizeof *p->right);
    vs_error error = vs_linear_solver_solve(p->solver, p->step);
    if (error)
        return error;
    find_regularized_residual(p, transposed);
    error = vs_linear_solver_solve(p->solver, p->again);
    for (int j = 0; j < 2 * n && !error; j++)
        p->step[j] += p->again[j];
    return error;
}

static vs_error solve_large(const vs_pseudo_inverse *p, bool transposed, const double *b, double *z) {
    const int n = p->n;
    const double *move = transposed ? p->step + n : p->step;
    memset(z, 0, (size_t)n * sizeof *z);
    for (int k = 0; k < ITERATIONS; k++) {
        find_residual(p, transposed, b, z);
        const vs_error error = solve_regularized(p, transposed);
        if (error)
            return error;
        for (int j = 0; j < n; j++)
            z[j] += move[j];
    }
    return VS_OK;
}

vs_error vs_pseudo_inverse_solve(const vs_pseudo_inverse *p, bool transposed, const double *b, double *z) {
    if (p->solver)
        return solve_large(p, transposed, b, z);
    double *move = p->step + p->n;
    solve_small(p, transposed, b, z);
    if (!p->rough)
        return VS_OK;
    find_residual(p, transposed, b, z);
    solve_small(p, transposed, p->right, move);
    for (int j = 0; j < p->n; j++)
        z[j] += move[j];
    return VS_OK;
}
