// Choosing a form and a backend, factoring and solving (P + Q N) d = rhs: see linear_system.h.
#include "solver/coulomb/linear_system/linear_system.h"

#include "base/clock.h"
#include "solver/coulomb/linear_system/dense_lu.h"
#include "solver/coulomb/linear_system/impulse_form.h"
#include "solver/coulomb/linear_system/velocity_form.h"
#include "solver/impulse/operator.h"

enum {
    SPARSE_LEAST = 3,    // a pattern with fewer than 1/3 zeros counts as dense
    DENSE_FULL = 2500,   // unknowns up to which such a pattern is factored as dense
    FRONTAL_MOST = 20000 // unknowns up to which fronts are tried
};
// Time of a factorization before one was measured, s: of a small one per cube of the rows; otherwise per entry of N, and
// per entry and row; and once, for ordering, analysis and the first factorization, per entry. Measured on piles and
// walls of 200 to 1500 rows, within a factor of two.
static const double SMALL_SECONDS = 1.5e-9, ENTRY_SECONDS = 15e-9, FLOP_SECONDS = 1.5e-10, FIRST_SECONDS = 60e-9;
static const double FRONTAL_FLOPS = 5e8; // of a factorization, up to which our fronts beat MUMPS and LAPACK

void vs_linear_system_init(vs_linear_system *system, const vs_linear_system_shared *shared,
                           const vs_impulse_problem *island) {
    bool small = island->rows <= VS_ISLAND_SMALL && !island->carried;
    *system = (vs_linear_system){.shared = *shared, .island = island, .small = small};
    vs_arena_init(&system->arena, island->context);
}

void vs_linear_system_release(vs_linear_system *system) {
    vs_linear_solver_destroy(system->solver);
    system->solver = NULL;
    if (system->island)
        vs_arena_release(&system->arena);
}

// ---- choice ----------------------------------------------------------------------------------------

// For systems that are too much work for fronts.
static const vs_linear_backend *find_heavy(const vs_linear_pattern *A) {
    int64_t n = A->n;
    bool full = n <= DENSE_FULL && n * n < SPARSE_LEAST * A->p[n];
    static const char *const dense[] = {"lapack", "mumps", "frontal", NULL};
    static const char *const sparse[] = {"mumps", "frontal", NULL};
    return vs_linear_backend_first(full ? dense : sparse);
}

static vs_error create_solver(vs_linear_system *system) {
    vs_context *context = system->island->context;
    const vs_linear_pattern *A = &system->pattern;
    const vs_linear_backend *fronts = vs_linear_backend_find("frontal"), *heavy = find_heavy(A);
    if (system->shared.backend)
        return vs_linear_solver_create(context, vs_linear_backend_find(system->shared.backend), A, &system->solver);
    if (A->n > FRONTAL_MOST)
        return vs_linear_solver_create(context, heavy, A, &system->solver);
    vs_error error = vs_linear_solver_create(context, fronts, A, &system->solver);
    if (error || system->solver->report.flops <= FRONTAL_FLOPS || heavy == fronts)
        return error;
    vs_linear_solver_destroy(system->solver);
    system->solver = NULL;
    return vs_linear_solver_create(context, heavy, A, &system->solver);
}

static vs_error create(vs_linear_system *system) {
    const vs_linear_system_form *form =
        system->island->carried ? &vs_linear_system_velocity : &vs_linear_system_impulse;
    system->form = form;
    vs_error error = form->create(system);
    return error ? error : create_solver(system);
}

// ---- factor and solve ------------------------------------------------------------------------------

vs_error vs_linear_system_factor(vs_linear_system *system, const double *P, const double *Q) {
    vs_counts *counts = system->shared.counts;
    counts->factorizations++;
    if (system->small) {
        vs_dense_lu_assemble(system, P, Q);
        return vs_dense_lu_factor(system) ? VS_OK : VS_ERROR_NUMERICAL;
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
    counts->assemble += assembled - begin;
    counts->factor += vs_clock() - assembled;
    system->sign_det = error ? 0 : sign * system->solver->report.sign_det;
    return error;
}

vs_error vs_linear_system_count(vs_linear_system *system, double *flops) {
    *flops = 0;
    if (system->small)
        return VS_OK;
    vs_error error = system->solver ? VS_OK : create(system);
    if (!error)
        *flops = system->solver->report.flops;
    return error;
}

double vs_linear_system_predict(const vs_linear_system *system, int iterations) {
    double rows = system->island->rows, entries = (double)vs_impulse_entries(system->island), first = 0,
           each = system->pace.seconds;
    if (!(each > 0))
        each = system->small ? SMALL_SECONDS * rows * rows * rows : entries * (ENTRY_SECONDS + FLOP_SECONDS * rows);
    if (!system->small && !system->solver)
        first = FIRST_SECONDS * entries;
    return first + iterations * each;
}

vs_error vs_linear_system_solve(vs_linear_system *system, double *x) {
    if (system->small) {
        system->shared.counts->solves++;
        vs_dense_lu_solve(system, x);
        return VS_OK;
    }
    return system->form->solve(system, x);
}
