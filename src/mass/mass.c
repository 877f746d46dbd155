// x = H^-1 f in one of three ways:
//
//     blocks of bodies     H_k = L D L'; without square roots, so that a diagonal H is divided by, to the last bit
//     general H            a sparse Cholesky factor by the backend that suits a positive definite matrix best
//     unsymmetric H        L U on the pattern of H + H'
//
// A solve with a sparse factor is refined once, x <- x + H^-1 (f - H x). Whether H is symmetric is known to the
// problem. A symmetric factor reads the lower triangle of H, refinement all of it.
#include "mass/mass.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <string.h>

#include "linalg/ordering/ordering.h"

static const double SUM = 8; // times eps: relative rounding of a row's sum of some dozens of terms

enum {
    LARGEST_BLOCK = 12, // unknowns of a block if problem_data.h calls H block-diagonal
    SMALL_MOST = 1500   // unknowns up to which an unsymmetric factor without BLAS is faster
};

// ---- blocks ----------------------------------------------------------------------------------------

// A (n x n, lower triangle) <- L D L'. False if a pivot is not positive.
static bool factor_block(int n, double *A) {
    for (int j = 0; j < n; j++) {
        double pivot = A[j * n + j];
        for (int k = 0; k < j; k++)
            pivot -= A[j * n + k] * A[j * n + k] * A[k * n + k];
        if (!(pivot > 0.0) || !isfinite(pivot))
            return false;
        A[j * n + j] = pivot;
        for (int i = j + 1; i < n; i++) {
            double sum = A[i * n + j];
            for (int k = 0; k < j; k++)
                sum -= A[i * n + k] * A[j * n + k] * A[k * n + k];
            A[i * n + j] = sum / pivot;
        }
    }
    return true;
}

static void solve_block(int n, const double *A, double *x) {
    if (n == 1) {
        x[0] /= A[0];
        return;
    }
    for (int i = 1; i < n; i++)
        for (int k = 0; k < i; k++)
            x[i] -= A[i * n + k] * x[k];
    for (int i = n - 1; i >= 0; i--) {
        x[i] /= A[i * n + i];
        for (int k = i + 1; k < n; k++)
            x[i] -= A[k * n + i] * x[k];
    }
}

static vs_error factor_blocks(vs_mass *mass) {
    const vs_problem *p = mass->problem;
    for (int k = 0; k < p->blocks; k++) {
        int first = p->block[k], n = p->block[k + 1] - first;
        double *A = mass->factor + mass->start[k];
        if (n == 1 && p->H.p[first + 1] - p->H.p[first] == 1 && p->H.x[p->H.p[first]] > 0.0 &&
            isfinite(p->H.x[p->H.p[first]])) {
            A[0] = p->H.x[p->H.p[first]];
            continue;
        }
        for (int e = 0; e < n * n; e++)
            A[e] = 0.0;
        for (int j = first; j < first + n; j++)
            for (int64_t e = p->H.p[j]; e < p->H.p[j + 1]; e++)
                A[(p->H.i[e] - first) * n + (j - first)] = p->H.x[e];
        if (!factor_block(n, A))
            return vs_fail(p->context, VS_ERROR_DATA, "H is not positive definite (unknowns %d to %d)", first,
                           first + n - 1);
    }
    return VS_OK;
}

static vs_error create_blocks(vs_mass *mass, vs_arena *arena) {
    const vs_problem *p = mass->problem;
    mass->start = VS_NEW(arena, int64_t, p->blocks);
    if (!mass->start)
        return VS_ERROR_MEMORY;
    int64_t size = 0;
    for (int k = 0; k < p->blocks; k++) {
        int64_t n = p->block[k + 1] - p->block[k];
        assert(n <= LARGEST_BLOCK);
        mass->start[k] = size;
        size += n * n;
    }
    mass->factor = VS_NEW(arena, double, size);
    mass->block_of = VS_NEW(arena, int, p->n);
    if (!mass->factor || !mass->block_of)
        return VS_ERROR_MEMORY;
    for (int k = 0; k < p->blocks; k++)
        for (int j = p->block[k]; j < p->block[k + 1]; j++)
            mass->block_of[j] = k;
    return VS_OK;
}

enum { GRAIN = 256 }; // blocks

typedef struct block_job {
    const vs_mass *mass;
    double *x;
} block_job;

static void solve_blocks(void *user, int64_t begin, int64_t end) {
    const block_job *job = user;
    const int *block = job->mass->problem->block;
    for (int64_t k = begin; k < end; k++)
        solve_block(block[k + 1] - block[k], job->mass->factor + job->mass->start[k], job->x + block[k]);
}

// ---- general H -------------------------------------------------------------------------------------

static const vs_linear_backend *choose_backend(const vs_problem *p) {
    static const char *const symmetric[] = {"cholmod", "mumps", "ldl", NULL},
                             *const small[] = {"klu", "mumps", "frontal", NULL},
                             *const large[] = {"mumps", "klu", "frontal", NULL};
    if (p->space)
        return vs_linear_backend_find("petsc");
    return vs_linear_backend_first(p->symmetric ? symmetric : p->n <= SMALL_MOST ? small : large);
}

static vs_error allocate_values(vs_mass *mass, int64_t count, vs_arena *arena) {
    mass->nonzeros = count;
    mass->source = VS_NEW(arena, int64_t, count);
    mass->value = VS_NEW_ZERO(arena, double, count);
    return mass->source && mass->value ? VS_OK : VS_ERROR_MEMORY;
}

// Finds H's lower triangle. Column pointers and rows are needed only while the pattern is analysed.
static vs_error find_lower(vs_mass *mass, vs_arena *arena, vs_arena *scratch, vs_linear_pattern *pattern) {
    const vs_sparse *H = &mass->problem->H;
    int n = H->cols;
    int64_t *p = VS_NEW(scratch, int64_t, n + 1);
    int64_t count = 0;
    for (int j = 0; j < n; j++)
        for (int64_t e = H->p[j]; e < H->p[j + 1]; e++)
            count += H->i[e] >= j;
    int *row = VS_NEW(scratch, int, count);
    if (!p || !row || allocate_values(mass, count, arena))
        return VS_ERROR_MEMORY;

    count = 0;
    for (int j = 0; j < n; j++) {
        p[j] = count;
        for (int64_t e = H->p[j]; e < H->p[j + 1]; e++)
            if (H->i[e] >= j) {
                row[count] = H->i[e];
                mass->source[count++] = e;
            }
        if (p[j] == count || row[p[j]] != j)
            return vs_fail(mass->problem->context, VS_ERROR_DATA, "H has no diagonal entry in column %d", j);
    }
    p[n] = count;
    *pattern = (vs_linear_pattern){.n = n, .p = p, .i = row, .symmetric = true, .definite = true};
    return VS_OK;
}

// Column j of the pattern of H + H'. Fills row and source unless they are null; returns the number of entries.
static int64_t merge_column(const vs_sparse *H, const vs_sparse *Ht, int j, int *row, int64_t *source) {
    int64_t count = 0, k = H->p[j], l = Ht->p[j];
    while (k < H->p[j + 1] || l < Ht->p[j + 1]) {
        int row_k = k < H->p[j + 1] ? H->i[k] : H->rows, row_l = l < Ht->p[j + 1] ? Ht->i[l] : H->rows;
        if (row) {
            row[count] = row_k <= row_l ? row_k : row_l;
            source[count] = row_k <= row_l ? k : -1;
        }
        count++;
        k += row_k <= row_l;
        l += row_l <= row_k;
    }
    return count;
}

// An unsymmetric H on the pattern of H + H'. Its diagonal entries exist: the problem was validated.
static vs_error find_full(vs_mass *mass, vs_arena *arena, vs_arena *scratch, vs_linear_pattern *pattern) {
    const vs_sparse *H = &mass->problem->H;
    vs_sparse Ht;
    int n = H->cols;
    int64_t *p = VS_NEW(scratch, int64_t, n + 1);
    if (!p || vs_sparse_transpose(H, scratch, &Ht))
        return VS_ERROR_MEMORY;
    p[0] = 0;
    for (int j = 0; j < n; j++)
        p[j + 1] = p[j] + merge_column(H, &Ht, j, NULL, NULL);
    int *row = VS_NEW(scratch, int, p[n]);
    if (!row || allocate_values(mass, p[n], arena))
        return VS_ERROR_MEMORY;
    for (int j = 0; j < n; j++)
        merge_column(H, &Ht, j, row + p[j], mass->source + p[j]);
    *pattern = (vs_linear_pattern){.n = n, .p = p, .i = row};
    return VS_OK;
}

// Distributed: the columns of the velocities owned. Of a symmetric H they hold the lower triangle; entries between two
// processes are on both and count half on each. Ghosts have only a diagonal entry, to which their owner's is added.
static vs_error find_part(vs_mass *mass, vs_arena *arena, vs_arena *scratch, vs_linear_pattern *pattern) {
    const vs_problem *problem = mass->problem;
    const vs_sparse *H = &problem->H;
    int n = H->cols, owned = problem->space->owned;
    int64_t *p = VS_NEW(scratch, int64_t, n + 1), count = 0;
    int *row = VS_NEW(scratch, int, H->p[n] + n);
    if (!p || !row || allocate_values(mass, H->p[n] + n, arena))
        return VS_ERROR_MEMORY;
    mass->weight = VS_NEW(arena, double, H->p[n] + n);
    if (!mass->weight)
        return VS_ERROR_MEMORY;
    for (int j = 0; j < n; j++) {
        p[j] = count;
        for (int64_t e = H->p[j]; e < H->p[j + 1]; e++)
            if (!problem->symmetric || H->i[e] >= j) {
                mass->weight[count] = problem->symmetric && H->i[e] >= owned ? 0.5 : 1.0;
                row[count] = H->i[e];
                mass->source[count++] = e;
            }
        if (j >= owned) {
            row[count] = j;
            mass->source[count++] = -1;
        }
    }
    p[n] = mass->nonzeros = count;
    *pattern = (vs_linear_pattern){.n = n,
                                   .p = p,
                                   .i = row,
                                   .symmetric = problem->symmetric,
                                   .definite = problem->symmetric,
                                   .space = problem->space,
                                   .velocities = n,
                                   .prefix = "mass_"};
    return VS_OK;
}

static vs_error create_general(vs_mass *mass, vs_arena *arena) {
    const vs_problem *p = mass->problem;
    const vs_linear_backend *backend = choose_backend(p);
    if (!backend)
        return vs_fail(p->context, VS_ERROR_UNSUPPORTED, "no linear solver for a general H in this build");
    mass->order = VS_NEW(arena, int, p->n);
    mass->diagonal = VS_NEW(arena, double, p->n);
    mass->right = VS_NEW(arena, double, p->n);
    mass->residual = VS_NEW(arena, double, p->n);
    if (!mass->order || !mass->diagonal || !mass->right || !mass->residual)
        return VS_ERROR_MEMORY;

    vs_arena scratch;
    vs_arena_init(&scratch, p->context);
    vs_linear_pattern pattern = {0};
    vs_error error = (p->space ? find_part : p->symmetric ? find_lower : find_full)(mass, arena, &scratch, &pattern);
    if (!error && !p->space)
        error = vs_ordering(p->context, &pattern, mass->order);
    pattern.order = p->space ? NULL : mass->order;
    if (!error)
        error = vs_linear_solver_create(p->context, backend, &pattern, &mass->solver);
    vs_arena_release(&scratch);
    return error;
}

// Copies H's values in the order of the pattern. False if they have not changed.
static bool take_values(vs_mass *mass) {
    const double *x = mass->problem->H.x;
    bool changed = false;
    for (int64_t e = 0; e < mass->nonzeros; e++) {
        double value = mass->source[e] >= 0 ? x[mass->source[e]] : 0.0;
        if (mass->weight && mass->source[e] >= 0)
            value *= mass->weight[e];
        changed = changed || !(value == mass->value[e]);
        mass->value[e] = value;
    }
    return vs_space_any(mass->problem->space, changed);
}

static vs_error factor_general(vs_mass *mass) {
    const vs_problem *p = mass->problem;
    // Flexible bodies at rest, or linear ones: the factor is still valid.
    if (!take_values(mass) && mass->solver->factored && mass->solver->report.negative <= 0)
        return VS_OK;
    memset(mass->diagonal, 0, (size_t)p->n * sizeof *mass->diagonal);
    for (int j = 0; j < p->n; j++)
        for (int64_t e = p->H.p[j]; e < p->H.p[j + 1]; e++)
            if (p->H.i[e] == j)
                mass->diagonal[j] = p->H.x[e];
    vs_space_assemble_end(p->space, mass->diagonal);
    // The scale divides by the diagonal, and a backend may accept an indefinite matrix.
    vs_error error = VS_OK;
    for (int j = 0; j < p->n && !error; j++)
        if (!(mass->diagonal[j] > 0.0))
            error = vs_fail(p->context, VS_ERROR_DATA, "H is not positive definite (diagonal entry %d is %g)", j,
                            mass->diagonal[j]);
    error = vs_space_agree(p->space, error);
    if (error)
        return error;
    error = vs_linear_solver_factor(mass->solver, mass->value);
    if (error == VS_ERROR_NUMERICAL && !p->symmetric)
        return vs_fail(p->context, VS_ERROR_DATA, "H is singular");
    if (error == VS_ERROR_NUMERICAL || (!error && p->symmetric && mass->solver->report.negative > 0))
        return vs_fail(p->context, VS_ERROR_DATA, "H is not positive definite");
    return error;
}

static vs_error solve_general(vs_mass *mass, double *x) {
    int n = mass->problem->n;
    size_t bytes = (size_t)n * sizeof *x;
    memcpy(mass->right, x, bytes);
    vs_error error = vs_linear_solver_solve(mass->solver, x);
    if (error)
        return error;
    memcpy(mass->residual, mass->right, bytes);
    vs_mass_multiply(mass, -1.0, x, 1.0, mass->residual);
    error = vs_linear_solver_solve(mass->solver, mass->residual);
    if (error)
        return error;
    for (int j = 0; j < n; j++)
        x[j] += mass->residual[j];
    return VS_OK;
}

// ---- the object ------------------------------------------------------------------------------------

vs_error vs_mass_create(vs_mass *mass, const vs_problem *problem, vs_arena *arena) {
    assert(!problem->local);
    *mass = (vs_mass){.problem = problem};
    vs_error error = problem->block_diagonal ? create_blocks(mass, arena) : create_general(mass, arena);
    return error ? error : vs_mass_update(mass, problem);
}

vs_error vs_mass_update(vs_mass *mass, const vs_problem *problem) {
    mass->problem = problem;
    return mass->solver ? factor_general(mass) : factor_blocks(mass);
}

void vs_mass_release(vs_mass *mass) {
    if (mass->solver)
        vs_linear_solver_destroy(mass->solver);
    *mass = (vs_mass){0};
}

void vs_mass_multiply(const vs_mass *mass, double alpha, const double *x, double beta, double *y) {
    const vs_problem *p = mass->problem;
    const vs_space *space = mass->solver ? p->space : NULL; // a block is whole wherever it is
    vs_space_assemble_begin(space, p->n, y);
    vs_sparse_multiply(&p->H, alpha, x, beta, y);
    vs_space_assemble_end(space, y);
}

void vs_mass_solve_block(const vs_mass *mass, int block, double *x) {
    const int *first = mass->problem->block;
    solve_block(first[block + 1] - first[block], mass->factor + mass->start[block], x);
}

vs_error vs_mass_solve(vs_mass *mass, double *x) {
    if (mass->solver)
        return solve_general(mass, x);
    block_job job = {mass, x};
    if (mass->problem->blocks <= GRAIN) // a few bodies: a parallel loop would cost as much as they do
        solve_blocks(&job, 0, mass->problem->blocks);
    else
        vs_parallel_for(mass->problem->context, mass->problem->blocks, GRAIN, solve_blocks, &job);
    return VS_OK;
}

vs_error vs_mass_rounding(vs_mass *mass, const double *v, double *r, double *z) {
    const vs_problem *p = mass->problem;
    assert(mass->solver);
    for (int k = 0; k < p->n; k++)
        r[k] = fabs(p->c[k]);
    vs_space_assemble_begin(p->space, p->n, r);
    for (int j = 0; j < p->n; j++)
        for (int64_t k = p->H.p[j]; k < p->H.p[j + 1]; k++)
            r[p->H.i[k]] += fabs(p->H.x[k] * v[j]);
    vs_space_assemble_end(p->space, r);
    for (int k = 0; k < p->n; k++)
        z[k] = r[k] *= SUM * DBL_EPSILON;
    return vs_mass_solve(mass, z);
}

vs_error vs_mass_solve_many(vs_mass *mass, int count, double *x) {
    assert(mass->solver);
    return vs_linear_solver_solve_many(mass->solver, count, x);
}

double vs_mass_inverse_form(const vs_mass *mass, int count, const int *col, const double *x) {
    const vs_problem *p = mass->problem;
    double sum = 0.0;
    if (mass->solver) {
        for (int k = 0; k < count; k++)
            sum += x[k] * x[k] / mass->diagonal[col[k]];
        return sum;
    }
    // Block by block, a sum of squares that is never negative: d'H^-1 d = sum z^2 / D with L z = d.
    for (int k = 0; k < count;) {
        int b = mass->block_of[col[k]], first = p->block[b], n = p->block[b + 1] - first;
        const double *A = mass->factor + mass->start[b];
        if (n == 1) {
            sum += x[k] * x[k] / A[0];
            k++;
            continue;
        }
        double z[LARGEST_BLOCK] = {0};
        for (; k < count && col[k] < first + n; k++)
            z[col[k] - first] = x[k];
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < i; j++)
                z[i] -= A[i * n + j] * z[j];
            sum += z[i] * z[i] / A[i * n + i];
        }
    }
    return sum;
}

// z <- H^-1 z of one block of n unknowns with the factor A; returns sum with z'H^-1 z added.
static inline double find_inverse(int n, const double *restrict A, double *restrict z, double sum) {
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < i; k++)
            z[i] -= A[i * n + k] * z[k];
        sum += z[i] * z[i] / A[i * n + i];
    }
    for (int i = n - 1; i >= 0; i--) {
        z[i] /= A[i * n + i];
        for (int k = i + 1; k < n; k++)
            z[i] -= A[k * n + i] * z[k];
    }
    return sum;
}

// The same of one block of several unknowns, and its sizes; returns how many places it has.
static int find_block_sizes(const vs_mass *mass, int block, int count, const int *col, const double *x, double *size,
                            double *sum) {
    enum { TURNS = 3 };
    const int first = mass->problem->block[block], n = mass->problem->block[block + 1] - first;
    const double *A = mass->factor + mass->start[block];
    double z[LARGEST_BLOCK];
    int used = 0;
    if (n == TURNS && count >= TURNS && col[TURNS - 1] == first + TURNS - 1) { // a body's spin: loops that are unrolled
        for (int i = 0; i < TURNS; i++)
            z[i] = x[i];
        *sum = find_inverse(TURNS, A, z, *sum);
        for (int i = 0; i < TURNS; i++)
            size[i] = fabs(z[i]);
        return TURNS;
    }
    for (int i = 0; i < n; i++)
        z[i] = 0;
    for (; used < count && col[used] < first + n; used++)
        z[col[used] - first] = x[used];
    *sum = find_inverse(n, A, z, *sum);
    for (int k = 0; k < used; k++)
        size[k] = fabs(z[col[k] - first]);
    return used;
}

double vs_mass_inverse_sizes(const vs_mass *mass, int count, const int *col, const double *x, double *size) {
    double sum = 0.0;
    for (int k = 0; k < count && mass->solver; k++)
        size[k] = fabs(x[k] / mass->diagonal[col[k]]);
    if (mass->solver)
        return vs_mass_inverse_form(mass, count, col, x);
    for (int k = 0; k < count;) {
        const int block = mass->block_of[col[k]];
        if (mass->problem->block[block + 1] - mass->problem->block[block] > 1) {
            k += find_block_sizes(mass, block, count - k, col + k, x + k, size + k, &sum);
            continue;
        }
        const double a = mass->factor[mass->start[block]];
        sum += x[k] * x[k] / a;
        size[k] = fabs(x[k] / a);
        k++;
    }
    return sum;
}

bool vs_mass_find_diagonal(const vs_mass *mass, int count, const int *col, double *a) {
    if (mass->solver)
        return false;
    const int *block = mass->problem->block;
    for (int k = 0; k < count; k++) {
        int b = mass->block_of[col[k]];
        if (block[b + 1] - block[b] > 1)
            return false;
        a[k] = mass->factor[mass->start[b]];
    }
    return true;
}
