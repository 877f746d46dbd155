// LU of a sparse unsymmetric matrix with partial pivoting: left-looking, column by column (Gilbert, Peierls 1988). Our own,
// for builds without KLU, and for the frontal solver where its pivots are not good enough.
//
//     R A Q = P' L U      R: powers of two that bring the largest entry of each row near 1; Q: fill-reducing order
//
// Column k solves L x = a_k for the entries that can be nonzero, which a search in the graph of L finds. The diagonal entry
// is the pivot unless another of the column is much larger. L and U are found again in each factorization.
#include <float.h>
#include <math.h>

#include "base/array.h"
#include "linalg/backend/backend.h"
#include "linalg/ordering/ordering.h"

static const double PIVOTING = 1e-3; // a diagonal pivot may be this much smaller than the largest of its column
static const double SINGULAR = 0.01 * DBL_EPSILON; // least ratio of pivots

typedef VS_ARRAY(int) ints;
typedef VS_ARRAY(double) doubles;

// A triangular factor by columns, without its diagonal.
typedef struct factor_columns {
    int64_t *p; // (n + 1)
    ints i;
    doubles x;
} factor_columns;

typedef struct lu_state {
    vs_arena arena;
    int64_t *p; // (n + 1) the pattern
    int *i;     // (nonzeros)
    int *order; // (n) Q: position -> column
    factor_columns L, U;
    double *pivot; // (n)
    double *scale; // (n) R
    int *position; // (n) P: row -> position; -1: not yet a pivot
    double *x;     // (n) the column
    int *mark;     // (n) == k: reached in column k
    int *reached;  // (n) rows that can be nonzero: from `begin` on, each before those it changes
    int *path;     // (n) of the search
    int64_t *edge; // (n) next edge of each row on the path
} lu_state;

// Entries of L below the diagonal if all pivots are on it: row k has the columns on the paths of the elimination tree from
// the entries of A towards k (Liu 1990).
static int64_t count_fill(lu_state *s, int n) {
    int *place = s->path, *parent = s->reached, *mark = s->mark;
    int64_t count = 0;
    for (int k = 0; k < n; k++)
        place[s->order[k]] = k;
    for (int k = 0; k < n; k++) {
        parent[k] = -1;
        mark[k] = k;
        for (int64_t t = s->p[s->order[k]]; t < s->p[s->order[k] + 1]; t++)
            for (int j = place[s->i[t]]; j < k && mark[j] != k; j = parent[j]) {
                if (parent[j] < 0)
                    parent[j] = k;
                mark[j] = k;
                count++;
            }
    }
    return count;
}

static vs_error reserve(vs_context *context, factor_columns *F, int64_t count) {
    vs_error error = VS_RESERVE(context, &F->i, count);
    return error ? error : VS_RESERVE(context, &F->x, count);
}

static vs_error create(vs_linear_solver *solver, const vs_linear_pattern *A) {
    lu_state *s = vs_allocate(solver->context, sizeof *s);
    if (!s)
        return vs_fail_memory(solver->context);
    *s = (lu_state){0};
    solver->state = s;
    vs_arena *a = &s->arena;
    int n = A->n;
    vs_arena_init(a, solver->context);
    s->p = VS_COPY(a, int64_t, A->p, n + 1);
    s->i = VS_COPY(a, int, A->i, A->p[n]);
    s->order = VS_NEW(a, int, n);
    s->L.p = VS_NEW_ZERO(a, int64_t, n + 1);
    s->U.p = VS_NEW_ZERO(a, int64_t, n + 1);
    s->pivot = VS_NEW(a, double, n);
    s->scale = VS_NEW(a, double, n);
    s->position = VS_NEW(a, int, n);
    s->x = VS_NEW(a, double, n);
    s->mark = VS_NEW(a, int, n);
    s->reached = VS_NEW(a, int, n);
    s->path = VS_NEW(a, int, n);
    s->edge = VS_NEW(a, int64_t, n);
    if (!s->p || !s->i || !s->order || !s->L.p || !s->U.p || !s->pivot || !s->scale || !s->position || !s->x ||
        !s->mark || !s->reached || !s->path || !s->edge)
        return VS_ERROR_MEMORY;
    vs_error error = vs_ordering(solver->context, A, s->order);
    int64_t room = error ? 0 : 4 * count_fill(s, n) + n; // for exchanged rows; where that is not enough, it grows
    if (!error)
        error = reserve(solver->context, &s->L, room);
    return error ? error : reserve(solver->context, &s->U, room);
}

// ---- factoring -----------------------------------------------------------------------------------------

// False: a row is zero.
static bool find_scales(lu_state *s, int n, const double *x) {
    for (int r = 0; r < n; r++)
        s->scale[r] = 0;
    for (int64_t t = 0; t < s->p[n]; t++)
        s->scale[s->i[t]] = fmax(s->scale[s->i[t]], fabs(x[t]));
    for (int r = 0; r < n; r++) {
        if (!(s->scale[r] > 0))
            return false;
        s->scale[r] = ldexp(1, -ilogb(s->scale[r]));
    }
    return true;
}

// Depth first from a row along the columns of L; what it reaches is put before `begin`. Returns the new begin.
static int search(lu_state *s, int k, int row, int begin) {
    int depth = 0;
    s->path[0] = row;
    s->mark[row] = k;
    s->edge[row] = s->position[row] < 0 ? 0 : s->L.p[s->position[row]];
    while (depth >= 0) {
        int r = s->path[depth], j = s->position[r];
        int64_t end = j < 0 ? 0 : s->L.p[j + 1];
        while (s->edge[r] < end && s->mark[s->L.i.data[s->edge[r]]] == k)
            s->edge[r]++;
        if (s->edge[r] >= end) {
            s->reached[--begin] = r;
            depth--;
            continue;
        }
        int next = s->L.i.data[s->edge[r]++];
        s->path[++depth] = next;
        s->mark[next] = k;
        s->edge[next] = s->position[next] < 0 ? 0 : s->L.p[s->position[next]];
    }
    return begin;
}

// x = L^-1 (column k of R A Q), its entries above the diagonal to U; returns where its rows begin in `reached`.
static int solve_column(lu_state *s, int n, int k, const double *values) {
    int column = s->order[k], begin = n;
    double *restrict x = s->x;
    for (int64_t t = s->p[column]; t < s->p[column + 1]; t++)
        if (s->mark[s->i[t]] != k)
            begin = search(s, k, s->i[t], begin);
    for (int t = begin; t < n; t++)
        x[s->reached[t]] = 0;
    for (int64_t t = s->p[column]; t < s->p[column + 1]; t++)
        x[s->i[t]] = values[t] * s->scale[s->i[t]];
    for (int t = begin; t < n; t++) {
        int j = s->position[s->reached[t]];
        if (j < 0)
            continue;
        double u = x[s->reached[t]];
        s->U.i.data[s->U.i.count++] = j;
        s->U.x.data[s->U.x.count++] = u;
        for (int64_t e = s->L.p[j]; e < s->L.p[j + 1]; e++)
            x[s->L.i.data[e]] -= s->L.x.data[e] * u;
    }
    return begin;
}

// The row of the pivot among those reached; -1: all are zero.
static int choose_pivot(const lu_state *s, int n, int k, int begin) {
    int pivot = -1, diagonal = s->order[k];
    double most = 0;
    for (int t = begin; t < n; t++) {
        int r = s->reached[t];
        if (s->position[r] < 0 && fabs(s->x[r]) > most) {
            most = fabs(s->x[r]);
            pivot = r;
        }
    }
    bool good =
        pivot >= 0 && s->position[diagonal] < 0 && s->mark[diagonal] == k && fabs(s->x[diagonal]) >= PIVOTING * most;
    return good ? diagonal : pivot;
}

static vs_error factor_column(vs_linear_solver *solver, lu_state *s, int k, const double *values) {
    int n = solver->n;
    vs_error error = reserve(solver->context, &s->L, s->L.i.count + n);
    if (!error)
        error = reserve(solver->context, &s->U, s->U.i.count + n);
    if (error)
        return error;
    int begin = solve_column(s, n, k, values), row = choose_pivot(s, n, k, begin);
    if (row < 0 || !isfinite(s->x[row]))
        return vs_fail(solver->context, VS_ERROR_NUMERICAL, "LU: the matrix is singular at unknown %d", s->order[k]);
    s->position[row] = k;
    s->pivot[k] = s->x[row];
    for (int t = begin; t < n; t++) {
        int r = s->reached[t];
        if (s->position[r] >= 0)
            continue;
        s->L.i.data[s->L.i.count++] = r;
        s->L.x.data[s->L.x.count++] = s->x[r] / s->pivot[k];
    }
    s->L.p[k + 1] = s->L.i.count;
    s->U.p[k + 1] = s->U.i.count;
    solver->report.flops += (double)(s->L.p[k + 1] - s->L.p[k]);
    for (int64_t e = s->U.p[k]; e < s->U.p[k + 1]; e++)
        solver->report.flops += 2 * (double)(s->L.p[s->U.i.data[e] + 1] - s->L.p[s->U.i.data[e]]);
    return VS_OK;
}

// The sign of the determinant: of the permutation from columns to rows, and of the pivots.
static int find_sign(lu_state *s, int n) {
    bool positive = n % 2 == 0; // n less the number of cycles: transpositions
    for (int k = 0; k < n; k++)
        s->mark[k] = 0;
    for (int k = 0; k < n; k++) {
        positive = positive == (s->pivot[k] > 0);
        if (s->mark[k])
            continue;
        positive = !positive;
        for (int j = k; !s->mark[j]; j = s->position[s->order[j]])
            s->mark[j] = 1;
    }
    return positive ? 1 : -1;
}

static vs_error check_pivots(vs_linear_solver *solver, const lu_state *s) {
    double least = INFINITY, most = 0;
    for (int k = 0; k < solver->n; k++) {
        least = fmin(least, fabs(s->pivot[k]));
        most = fmax(most, fabs(s->pivot[k]));
    }
    if (isfinite(most) && least > SINGULAR * most)
        return VS_OK;
    return vs_fail(solver->context, VS_ERROR_NUMERICAL, "LU: the matrix is singular (ratio of pivots %g)",
                   least / most);
}

static vs_error factor(vs_linear_solver *solver, const double *x) {
    lu_state *s = solver->state;
    int n = solver->n;
    solver->report.flops = 0;
    s->L.i.count = s->L.x.count = s->U.i.count = s->U.x.count = 0;
    if (!find_scales(s, n, x))
        return vs_fail(solver->context, VS_ERROR_NUMERICAL, "LU: the matrix has a row of zeros");
    for (int r = 0; r < n; r++)
        s->position[r] = s->mark[r] = -1;
    vs_error error = VS_OK;
    for (int k = 0; k < n && !error; k++)
        error = factor_column(solver, s, k, x);
    if (!error)
        error = check_pivots(solver, s);
    if (error)
        return error;
    for (int64_t e = 0; e < s->L.i.count; e++) // rows become positions
        s->L.i.data[e] = s->position[s->L.i.data[e]];
    solver->report.sign_det = find_sign(s, n);
    solver->report.fill = s->L.i.count + s->U.i.count + n;
    solver->report.bytes = solver->report.fill * (int64_t)(sizeof(double) + sizeof(int));
    return VS_OK;
}

// ---- solving -------------------------------------------------------------------------------------------

static vs_error solve(vs_linear_solver *solver, double *b) {
    const lu_state *s = solver->state;
    int n = solver->n;
    double *restrict w = s->x;
    for (int r = 0; r < n; r++)
        w[s->position[r]] = b[r] * s->scale[r];
    for (int k = 0; k < n; k++)
        for (int64_t e = s->L.p[k]; e < s->L.p[k + 1]; e++)
            w[s->L.i.data[e]] -= s->L.x.data[e] * w[k];
    for (int k = n - 1; k >= 0; k--) {
        w[k] /= s->pivot[k];
        for (int64_t e = s->U.p[k]; e < s->U.p[k + 1]; e++)
            w[s->U.i.data[e]] -= s->U.x.data[e] * w[k];
    }
    for (int k = 0; k < n; k++)
        b[s->order[k]] = w[k];
    return VS_OK;
}

static void destroy(vs_linear_solver *solver) {
    lu_state *s = solver->state;
    if (!s)
        return;
    VS_ARRAY_RELEASE(solver->context, &s->L.i);
    VS_ARRAY_RELEASE(solver->context, &s->L.x);
    VS_ARRAY_RELEASE(solver->context, &s->U.i);
    VS_ARRAY_RELEASE(solver->context, &s->U.x);
    vs_arena_release(&s->arena);
    vs_release(solver->context, s);
}

const vs_linear_backend vs_backend_lu = {
    .name = "lu",
    .version = "built in",
    .licence = "as voussoir",
    .purpose = "LU with partial pivoting: small unsymmetric systems, no BLAS",
    .unsymmetric = true,
    .create = create,
    .factor = factor,
    .solve = solve,
    .destroy = destroy,
};
