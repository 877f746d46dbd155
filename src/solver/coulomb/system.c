// Assembling, factoring and solving (P + Q N) d = rhs: see system.h. The small dense factor is written out here because
// an engine's call costs more than the 12 rows of a box on a plane.
#include "solver/coulomb/system.h"

#include <math.h>
#include <string.h>

#include "base/clock.h"
#include "solver/delassus.h"

enum {
    DENSE_MOST = 150,  // rows up to which LAPACK's dense factor beats a sparse one
    SPARSE_LEAST = 3,  // a pattern with fewer than 1/3 zeros counts as dense
    DENSE_FULL = 2500, // rows up to which such a pattern is factored as dense
    KLU_MOST = 1800    // rows up to which KLU beats MUMPS
};

void vs_system_init(vs_system *system, const vs_island *island, const char *engine_name, double *dense, int *pivot,
                    vs_counts *counts) {
    *system = (vs_system){.island = island,
                          .engine_name = engine_name,
                          .counts = counts,
                          .small = island->rows <= VS_SYSTEM_SMALL,
                          .dense = dense,
                          .pivot = pivot};
    vs_arena_init(&system->arena, island->context);
}

void vs_system_release(vs_system *system) {
    vs_linear_solver_destroy(system->solver);
    system->solver = NULL;
    if (system->island)
        vs_arena_release(&system->arena);
}

// ---- engine ----------------------------------------------------------------------------------------

static const vs_linear_backend *choose_engine(const vs_system *system) {
    const vs_rows *N = &system->island->N;
    int64_t rows = N->rows, entries = N->value[N->groups];
    bool full = rows * rows < SPARSE_LEAST * entries;
    const char *dense[] = {"lapack", "klu", "mumps"}, *sparse[] = {"klu", "mumps", "lapack"},
               *large[] = {"mumps", "klu", "lapack"};
    const char *const *names = rows <= DENSE_MOST || (full && rows <= DENSE_FULL) ? dense
                               : rows <= KLU_MOST                                 ? sparse
                                                                                  : large;
    const vs_linear_backend *asked = system->engine_name ? vs_linear_backend_find(system->engine_name) : NULL;
    if (asked)
        return asked;
    for (int k = 0; k < 3; k++)
        if (vs_linear_backend_find(names[k]))
            return vs_linear_backend_find(names[k]);
    return NULL;
}

// The pattern of N by columns: column j has the columns of j's group as rows, because the pattern is symmetric.
static vs_error create_engine(vs_system *system) {
    const vs_island *island = system->island;
    const vs_rows *N = &island->N;
    int size = N->rows;
    const vs_linear_backend *engine = choose_engine(system);
    if (!engine)
        return vs_fail(island->context, VS_ERROR_UNSUPPORTED,
                       "exact friction needs a linear solver for unsymmetric matrices (lapack, klu or mumps); this "
                       "build has none");
    int64_t *p = VS_NEW(&system->arena, int64_t, size + 1);
    system->at = VS_NEW(&system->arena, int64_t, N->value[N->groups]);
    system->x = VS_NEW(&system->arena, double, N->value[N->groups]);
    int *i = VS_NEW(&system->arena, int, N->value[N->groups]);
    if (!p || !i || !system->at || !system->x)
        return VS_ERROR_MEMORY;
    p[0] = 0;
    for (int j = 0; j < size; j++) {
        int g = island->group_of[j];
        p[j + 1] = p[j] + N->start[g + 1] - N->start[g];
        memcpy(i + p[j], N->col + N->start[g], sizeof(int) * (size_t)(p[j + 1] - p[j]));
    }
    for (int g = 0; g < N->groups; g++) {
        int64_t width = N->start[g + 1] - N->start[g];
        for (int row = N->row[g]; row < N->row[g + 1]; row++)
            for (int64_t k = 0; k < width; k++) {
                int col = N->col[N->start[g] + k];
                system->at[N->value[g] + (row - N->row[g]) * width + k] =
                    p[col] + vs_delassus_find(N, island->group_of[col], row);
            }
    }
    vs_linear_pattern pattern = {.n = size, .p = p, .i = i, .groups = N->groups, .group = N->row};
    return vs_linear_solver_create(island->context, engine, &pattern, &system->solver);
}

// ---- assembly --------------------------------------------------------------------------------------

// Row i of Q x for `count` columns; x has the group's rows with leading dimension width. Q null: identity.
static void multiply_row(const double *x, int64_t width, int rows, const double *Q, int i, int64_t count, double *out) {
    if (!Q)
        memcpy(out, x + i * width, sizeof(double) * (size_t)count);
    else if (rows == 1)
        for (int64_t k = 0; k < count; k++)
            out[k] = Q[0] * x[k];
    else
        for (int64_t k = 0; k < count; k++)
            out[k] = Q[3 * i] * x[k] + Q[3 * i + 1] * x[width + k] + Q[3 * i + 2] * x[2 * width + k];
}

// P + epsilon Q of group g; no compliance on joints.
static double diagonal_entry(const vs_island *island, int g, const double *P, const double *Q, int i, int j) {
    double epsilon = island->law[g] == VS_LAW_FREE ? 0 : island->epsilon;
    int64_t at = 9 * (int64_t)g + 3 * i + j;
    return P[at] + epsilon * (Q ? Q[at] : i == j);
}

static void assemble_small(vs_system *system, const double *P, const double *Q) {
    const vs_island *island = system->island;
    const vs_rows *N = &island->N;
    int size = N->rows;
    for (int g = 0; g < N->groups; g++) {
        int width = (int)(N->start[g + 1] - N->start[g]), first = N->row[g], rows = N->row[g + 1] - first;
        const int *col = N->col + N->start[g];
        for (int i = 0; i < rows; i++) {
            double row[VS_SYSTEM_SMALL], *out = system->dense + (size_t)(first + i) * (size_t)size;
            bool full = width == size;
            multiply_row(N->x + N->value[g], width, rows, Q ? Q + 9 * (size_t)g : NULL, i, width, full ? out : row);
            if (!full) {
                memset(out, 0, sizeof(double) * (size_t)size);
                for (int k = 0; k < width; k++)
                    out[col[k]] = row[k];
            }
            for (int j = 0; j < rows; j++)
                out[first + j] += diagonal_entry(island, g, P, Q, i, j);
        }
    }
}

typedef struct assembly {
    vs_system *system;
    const double *P, *Q;
} assembly;

static void assemble_groups(void *user, int64_t begin, int64_t end) {
    enum { PART = 64 }; // columns at a time
    const assembly *a = user;
    const vs_island *island = a->system->island;
    const vs_rows *N = &island->N;
    for (int g = (int)begin; g < (int)end; g++) {
        int64_t width = N->start[g + 1] - N->start[g], diagonal = island->diagonal[g] - N->value[g];
        int rows = N->row[g + 1] - N->row[g];
        const double *Q = a->Q ? a->Q + 9 * (size_t)g : NULL;
        for (int i = 0; i < rows; i++) {
            const int64_t *at = a->system->at + N->value[g] + i * width;
            for (int64_t first = 0; first < width; first += PART) {
                double part[PART];
                int64_t count = width - first < PART ? width - first : PART;
                multiply_row(N->x + N->value[g] + first, width, rows, Q, i, count, part);
                for (int64_t k = 0; k < count; k++)
                    a->system->x[at[first + k]] = part[k];
            }
            for (int j = 0; j < rows; j++)
                a->system->x[at[diagonal + j]] += diagonal_entry(island, g, a->P, a->Q, i, j);
        }
    }
}

// ---- the small dense factor ------------------------------------------------------------------------

// A = P^-1 L U by rows, partial pivoting; false if singular. Sets the sign of the determinant.
static bool factor_small(vs_system *system) {
    int n = system->island->rows, sign = 1;
    double *A = system->dense, largest = 0, least = INFINITY;
    for (int k = 0; k < n; k++) {
        int p = k;
        for (int i = k + 1; i < n; i++)
            if (fabs(A[i * n + k]) > fabs(A[p * n + k]))
                p = i;
        system->pivot[k] = p;
        if (p != k) {
            sign = -sign;
            for (int j = 0; j < n; j++) {
                double swap = A[k * n + j];
                A[k * n + j] = A[p * n + j];
                A[p * n + j] = swap;
            }
        }
        double pivot = A[k * n + k];
        largest = fmax(largest, fabs(pivot));
        least = fmin(least, fabs(pivot));
        if (!(fabs(pivot) > 0))
            return false;
        sign = pivot < 0 ? -sign : sign;
        for (int i = k + 1; i < n; i++) {
            double factor = A[i * n + k] / pivot;
            if (factor == 0)
                continue;
            A[i * n + k] = factor;
            for (int j = k + 1; j < n; j++)
                A[i * n + j] -= factor * A[k * n + j];
        }
    }
    system->sign_det = sign;
    return isfinite(largest) && least > 1e-18 * largest;
}

static void solve_small(const vs_system *system, double *x) {
    int n = system->island->rows;
    const double *A = system->dense;
    for (int k = 0; k < n; k++) {
        double swap = x[k];
        x[k] = x[system->pivot[k]];
        x[system->pivot[k]] = swap;
    }
    for (int i = 1; i < n; i++)
        for (int j = 0; j < i; j++)
            x[i] -= A[i * n + j] * x[j];
    for (int i = n - 1; i >= 0; i--) {
        for (int j = i + 1; j < n; j++)
            x[i] -= A[i * n + j] * x[j];
        x[i] /= A[i * n + i];
    }
}

// ---- both ------------------------------------------------------------------------------------------

vs_error vs_system_factor(vs_system *system, const double *P, const double *Q) {
    vs_counts *counts = system->counts;
    counts->factorizations++;
    if (system->small) {
        assemble_small(system, P, Q);
        return factor_small(system) ? VS_OK : VS_ERROR_NUMERICAL;
    }
    vs_error error = system->solver ? VS_OK : create_engine(system);
    if (error)
        return error;
    double begin = vs_clock();
    assembly a = {system, P, Q};
    vs_parallel_for(system->island->context, system->island->groups, 256, assemble_groups, &a);
    double assembled = vs_clock();
    error = vs_linear_solver_factor(system->solver, system->x);
    counts->assemble += assembled - begin;
    counts->factor += vs_clock() - assembled;
    system->sign_det = error ? 0 : system->solver->report.sign_det;
    return error;
}

vs_error vs_system_solve(vs_system *system, double *x) {
    system->counts->solves++;
    if (system->small) {
        solve_small(system, x);
        return VS_OK;
    }
    double begin = vs_clock();
    vs_error error = vs_linear_solver_solve(system->solver, x);
    system->counts->solve += vs_clock() - begin;
    return error;
}
