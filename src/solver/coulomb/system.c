// Assembling, factoring and solving (P + Q N) d = rhs: see system.h. The small dense factor is written out here because
// an engine's call costs more than the 12 rows of a box on a plane.
#include "solver/coulomb/system.h"

#include <math.h>
#include <string.h>

#include "base/clock.h"

enum {
    DENSE_MOST = 150,  // unknowns up to which LAPACK's dense factor beats a sparse one
    SPARSE_LEAST = 3,  // a pattern with fewer than 1/3 zeros counts as dense
    DENSE_FULL = 2500, // unknowns up to which such a pattern is factored as dense
    KLU_MOST = 2500    // unknowns up to which KLU is tried
};
// What a factorization takes before one was timed, s: dense and small a cube of the rows; else an entry of N, and an
// entry and row; and, once, ordering, analysis and the first factorization an entry. Measured on piles and walls of 200
// to 1500 rows, within a factor of two.
static const double SMALL_SECONDS = 1.5e-9, ENTRY_SECONDS = 15e-9, FLOP_SECONDS = 1.5e-10, FIRST_SECONDS = 60e-9;
static const double KLU_FLOPS = 4e6; // of a factorization, up to which KLU beats MUMPS

void vs_system_init(vs_system *system, const vs_islands *islands, int k, vs_form form, const char *engine_name,
                    double *dense, int *pivot, vs_counts *counts) {
    const vs_island *island = &islands->island[k];
    *system = (vs_system){.islands = islands,
                          .island = island,
                          .asked = form,
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

// ---- blocks ----------------------------------------------------------------------------------------

void vs_system_multiply_row(const double *x, int64_t width, int rows, const double *Q, int i, int64_t count,
                            double *out) {
    if (!Q)
        memcpy(out, x + i * width, sizeof(double) * (size_t)count);
    else if (rows == 1)
        for (int64_t k = 0; k < count; k++)
            out[k] = Q[0] * x[k];
    else
        for (int64_t k = 0; k < count; k++)
            out[k] = Q[3 * i] * x[k] + Q[3 * i + 1] * x[width + k] + Q[3 * i + 2] * x[2 * width + k];
}

double vs_system_diagonal_entry(const vs_island *island, int g, const double *P, const double *Q, int i, int j) {
    double epsilon = island->law[g] == VS_LAW_FREE ? 0 : island->epsilon;
    int64_t at = 9 * (int64_t)g + 3 * i + j;
    return P[at] + epsilon * (Q ? Q[at] : i == j);
}

// ---- choice ----------------------------------------------------------------------------------------

static const vs_linear_backend *choose_engine(const vs_system *system, int64_t unknowns, int64_t entries) {
    bool full = unknowns * unknowns < SPARSE_LEAST * entries;
    const char *dense[] = {"lapack", "klu", "mumps"}, *sparse[] = {"klu", "mumps", "lapack"},
               *large[] = {"mumps", "klu", "lapack"};
    const char *const *names = unknowns <= DENSE_MOST || (full && unknowns <= DENSE_FULL) ? dense
                               : unknowns <= KLU_MOST                                     ? sparse
                                                                                          : large;
    if (system->engine_name)
        return vs_linear_backend_find(system->engine_name);
    for (int k = 0; k < 3; k++)
        if (vs_linear_backend_find(names[k]))
            return vs_linear_backend_find(names[k]);
    return NULL;
}

// Velocities if there are much fewer of them, as in masonry; at equal numbers the factors cost the same (measured on
// piles: 1.5 times as many rows, the same flops). Not for a general H or the local form.
static const vs_system_form *choose_form(vs_system *system) {
    const vs_scaled *problem = system->islands->delassus.problem;
    bool possible = !problem->local && problem->identity;
    if (!possible || system->asked == VS_FORM_IMPULSE)
        return &vs_system_impulse;
    if (system->asked == VS_FORM_VELOCITY)
        return &vs_system_velocity;
    return 5 * (int64_t)vs_system_velocities(system) < 3 * (int64_t)system->island->rows ? &vs_system_velocity
                                                                                         : &vs_system_impulse;
}

static vs_error create(vs_system *system) {
    const vs_system_form *form = choose_form(system);
    vs_error error = form->create(system);
    if (error)
        return error;
    const vs_linear_backend *engine = choose_engine(system, system->pattern.n, system->pattern.p[system->pattern.n]);
    if (!engine)
        return vs_fail(system->island->context, VS_ERROR_UNSUPPORTED,
                       "exact friction needs a linear solver for unsymmetric matrices (lapack, klu or mumps); this "
                       "build has none");
    system->form = form;
    return vs_linear_solver_create(system->island->context, engine, &system->pattern, &system->solver);
}

// ---- the small dense factor ------------------------------------------------------------------------

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
            vs_system_multiply_row(N->x + N->value[g], width, rows, Q ? Q + 9 * (size_t)g : NULL, i, width,
                                   full ? out : row);
            if (!full) {
                memset(out, 0, sizeof(double) * (size_t)size);
                for (int k = 0; k < width; k++)
                    out[col[k]] = row[k];
            }
            for (int j = 0; j < rows; j++)
                out[first + j] += vs_system_diagonal_entry(island, g, P, Q, i, j);
        }
    }
}

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

// ---- all -------------------------------------------------------------------------------------------

// KLU was chosen by the number of unknowns; its first factorization tells the work, and MUMPS does much work faster.
static vs_error reconsider(vs_system *system) {
    const vs_linear_backend *mumps = vs_linear_backend_find("mumps");
    bool heavy = strcmp(system->solver->backend->name, "klu") == 0 && system->solver->report.flops > KLU_FLOPS;
    if (!heavy || !mumps || system->engine_name)
        return VS_OK;
    vs_linear_solver_destroy(system->solver);
    system->solver = NULL;
    vs_error error = vs_linear_solver_create(system->island->context, mumps, &system->pattern, &system->solver);
    return error ? error : vs_linear_solver_factor(system->solver, system->x);
}

vs_error vs_system_factor(vs_system *system, const double *P, const double *Q) {
    vs_counts *counts = system->counts;
    counts->factorizations++;
    if (system->small) {
        assemble_small(system, P, Q);
        return factor_small(system) ? VS_OK : VS_ERROR_NUMERICAL;
    }
    vs_error error = system->solver ? VS_OK : create(system);
    if (error)
        return error;
    double begin = vs_clock();
    int sign = 1;
    error = system->form->assemble(system, P, Q, &sign);
    double assembled = vs_clock();
    if (!error)
        error = vs_linear_solver_factor(system->solver, system->x);
    if (!error)
        error = reconsider(system);
    counts->assemble += assembled - begin;
    counts->factor += vs_clock() - assembled;
    system->sign_det = error ? 0 : sign * system->solver->report.sign_det;
    return error;
}

double vs_system_predict(const vs_system *system, int iterations) {
    const vs_rows *N = &system->island->N;
    double rows = N->rows, entries = (double)N->value[N->groups], first = 0, each = system->pace.seconds;
    if (!(each > 0))
        each = system->small ? SMALL_SECONDS * rows * rows * rows : entries * (ENTRY_SECONDS + FLOP_SECONDS * rows);
    if (!system->small && !system->solver)
        first = FIRST_SECONDS * entries;
    return first + iterations * each;
}

vs_error vs_system_solve(vs_system *system, double *x) {
    if (system->small) {
        system->counts->solves++;
        solve_small(system, x);
        return VS_OK;
    }
    return system->form->solve(system, x);
}

vs_error vs_system_engine_solve(vs_system *system, double *x) {
    double begin = vs_clock();
    vs_error error = vs_linear_solver_solve(system->solver, x);
    system->counts->solves++;
    system->counts->solve += vs_clock() - begin;
    return error;
}
