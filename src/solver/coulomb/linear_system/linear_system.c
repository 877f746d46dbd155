// Choosing a form and a backend, factoring and solving (P + Q N) d = rhs: see linear_system.h.
#include "solver/coulomb/linear_system/linear_system.h"

#include <string.h>

#include "base/clock.h"
#include "solver/coulomb/linear_system/dense_lu.h"
#include "solver/coulomb/linear_system/impulse_form.h"
#include "solver/coulomb/linear_system/velocity_form.h"
#include "solver/impulse/operator.h"

enum {
    DENSE_MOST = 150,  // unknowns up to which LAPACK's dense factor beats a sparse one
    SPARSE_LEAST = 3,  // a pattern with fewer than 1/3 zeros counts as dense
    DENSE_FULL = 2500, // unknowns up to which such a pattern is factored as dense
    KLU_MOST = 2500    // unknowns up to which KLU is tried
};
// Time of a factorization before one was measured, s: of a small one per cube of the rows; otherwise per entry of N, and
// per entry and row; and once, for ordering, analysis and the first factorization, per entry. Measured on piles and
// walls of 200 to 1500 rows, within a factor of two.
static const double SMALL_SECONDS = 1.5e-9, ENTRY_SECONDS = 15e-9, FLOP_SECONDS = 1.5e-10, FIRST_SECONDS = 60e-9;
static const double KLU_FLOPS = 4e6; // of a factorization, up to which KLU beats MUMPS

void vs_system_init(vs_system *system, const vs_system_shared *shared, int k) {
    const vs_impulse_problem *island = &shared->islands->island[k];
    bool small = island->rows <= VS_ISLAND_SMALL && !island->carried;
    *system = (vs_system){.shared = *shared, .island = island, .small = small};
    vs_arena_init(&system->arena, island->context);
}

void vs_system_release(vs_system *system) {
    vs_linear_solver_destroy(system->solver);
    system->solver = NULL;
    if (system->island)
        vs_arena_release(&system->arena);
}

// ---- choice ----------------------------------------------------------------------------------------

static const vs_linear_backend *choose_backend(const vs_system *system, int64_t unknowns, int64_t entries) {
    bool full = unknowns * unknowns < SPARSE_LEAST * entries;
    const char *dense[] = {"lapack", "klu", "mumps"}, *sparse[] = {"klu", "mumps", "lapack"},
               *large[] = {"mumps", "klu", "lapack"};
    const char *const *names = unknowns <= DENSE_MOST || (full && unknowns <= DENSE_FULL) ? dense
                               : unknowns <= KLU_MOST                                     ? sparse
                                                                                          : large;
    if (system->shared.backend)
        return vs_linear_backend_find(system->shared.backend);
    for (int k = 0; k < 3; k++)
        if (vs_linear_backend_find(names[k]))
            return vs_linear_backend_find(names[k]);
    return NULL;
}

static vs_error create(vs_system *system) {
    const vs_system_form *form = system->island->carried ? &vs_system_velocity : &vs_system_impulse;
    vs_error error = form->create(system);
    if (error)
        return error;
    const vs_linear_backend *backend = choose_backend(system, system->pattern.n, system->pattern.p[system->pattern.n]);
    if (!backend)
        return vs_fail(system->island->context, VS_ERROR_UNSUPPORTED,
                       "exact friction needs a linear solver for unsymmetric matrices (lapack, klu or mumps); this "
                       "build has none");
    system->form = form;
    return vs_linear_solver_create(system->island->context, backend, &system->pattern, &system->solver);
}

// ---- factor and solve ------------------------------------------------------------------------------

// KLU was chosen by the number of unknowns; its first factorization tells the work, of which MUMPS does much faster.
static vs_error reconsider(vs_system *system) {
    const vs_linear_backend *mumps = vs_linear_backend_find("mumps");
    bool heavy = strcmp(system->solver->backend->name, "klu") == 0 && system->solver->report.flops > KLU_FLOPS;
    if (!heavy || !mumps || system->shared.backend)
        return VS_OK;
    vs_linear_solver_destroy(system->solver);
    system->solver = NULL;
    vs_error error = vs_linear_solver_create(system->island->context, mumps, &system->pattern, &system->solver);
    return error ? error : vs_linear_solver_factor(system->solver, system->x);
}

vs_error vs_system_factor(vs_system *system, const double *P, const double *Q) {
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
    if (!error)
        error = reconsider(system);
    counts->assemble += assembled - begin;
    counts->factor += vs_clock() - assembled;
    system->sign_det = error ? 0 : sign * system->solver->report.sign_det;
    return error;
}

double vs_system_predict(const vs_system *system, int iterations) {
    double rows = system->island->rows, entries = (double)vs_impulse_entries(system->island), first = 0,
           each = system->pace.seconds;
    if (!(each > 0))
        each = system->small ? SMALL_SECONDS * rows * rows * rows : entries * (ENTRY_SECONDS + FLOP_SECONDS * rows);
    if (!system->small && !system->solver)
        first = FIRST_SECONDS * entries;
    return first + iterations * each;
}

vs_error vs_system_solve(vs_system *system, double *x) {
    if (system->small) {
        system->shared.counts->solves++;
        vs_dense_lu_solve(system, x);
        return VS_OK;
    }
    return system->form->solve(system, x);
}
