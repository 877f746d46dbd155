// Memory and linear systems of the cascade, and the checks of options that it cannot follow.
#include "solver/coulomb/cascade_create.h"

#include <string.h>

#include "solver/coulomb/cascade_stage.h"
#include "solver/coulomb/interior/interior_start.h"
#include "solver/coulomb/jointless.h"
#include "solver/splitting/packed_sweep.h"
#include "solver/tolerance.h"

static vs_error allocate(vs_cascade *c, vs_arena *arena) {
    const vs_islands *islands = &c->islands;
    int rows = 0, most = islands->most_rows, groups = islands->most_groups, ld = 3;
    c->first = VS_NEW(arena, int, islands->count + 1);
    if (!c->first)
        return VS_ERROR_MEMORY;
    for (int k = 0; k < islands->count; k++) {
        c->first[k] = rows;
        rows += islands->island[k].rows;
        ld = islands->island[k].ld > ld ? islands->island[k].ld : ld;
    }
    c->first[islands->count] = rows;
    c->system = VS_NEW_ZERO(arena, vs_linear_system, islands->count);
    c->packed = VS_NEW_ZERO(arena, struct vs_packed *, islands->count);
    c->jointless = VS_NEW_ZERO(arena, struct vs_jointless *, islands->count);
    c->start = VS_NEW_ZERO(arena, double, rows);
    c->l = VS_NEW_ZERO(arena, double, rows);
    c->y = VS_NEW_ZERO(arena, double, rows);
    c->error = VS_NEW_ZERO(arena, double, islands->count);
    c->patience = VS_NEW_ZERO(arena, int, islands->count);
    c->spent = VS_NEW_ZERO(arena, int, islands->count);
    c->swept = VS_NEW_ZERO(arena, int, islands->count);
    c->rounded = VS_NEW_ZERO(arena, bool, islands->count);
    c->later = VS_NEW_ZERO(arena, double, islands->count);
    c->scaled_g = VS_NEW_ZERO(arena, double, c->run->scaled.m_e);
    c->scaled_lambda = VS_NEW_ZERO(arena, double, c->run->scaled.m);
    c->shared.dense = VS_NEW_ZERO(arena, double, VS_ISLAND_SMALL *VS_ISLAND_SMALL);
    c->shared.pivot = VS_NEW_ZERO(arena, int, VS_ISLAND_SMALL);
    c->progress.velocities = VS_NEW_ZERO(arena, double, islands->most_velocities);
    bool complete = c->progress.velocities && c->system && c->packed && c->jointless && c->start && c->l && c->y &&
                    c->error && c->patience && c->spent && c->swept && c->rounded && c->later && c->scaled_g &&
                    c->scaled_lambda && c->shared.dense && c->shared.pivot;
    // Stages share these, so none reads what it has not written; those that sweep do not touch most of them.
    for (int k = 0; k < VS_PROGRESS_WORK; k++)
        complete = complete && (c->progress.work[k] = VS_NEW(arena, double, most));
    for (int k = 0; k < VS_PROGRESS_BLOCKS; k++)
        complete = complete && (c->progress.blocks[k] = VS_NEW(arena, double, (int64_t)(ld * ld) * groups));
    return complete ? VS_OK : VS_ERROR_MEMORY;
}

// A linear solver that was asked for must be able to factor unsymmetric matrices in double precision.
static vs_error check_backend(const vs_solver_options *options, vs_context *context, const char **name) {
    *name = NULL;
    if (!options->linear_solver || strcmp(options->linear_solver, "auto") == 0)
        return VS_OK;
    const vs_linear_backend *backend = vs_linear_backend_find(options->linear_solver);
    if (!backend)
        return vs_fail(context, VS_ERROR_UNSUPPORTED, "linear_solver: \"%s\" is not in this build",
                       options->linear_solver);
    if (!backend->unsymmetric || backend->single)
        return vs_fail(context, VS_ERROR_UNSUPPORTED,
                       "linear_solver: %s cannot factor the unsymmetric matrices of exact friction; use frontal, klu, "
                       "lapack or mumps",
                       backend->name);
    *name = backend->name;
    return VS_OK;
}

static vs_error check_form(const vs_method_run *run) {
    bool blocks = !run->scaled.local && run->scaled.identity;
    if (run->options.form == VS_FORM_AUGMENTED)
        return vs_fail(run->context, VS_ERROR_UNSUPPORTED,
                       "form: exact friction has the impulse and the velocity form; use auto");
    if (run->options.form == VS_FORM_VELOCITY && !blocks)
        return vs_fail(
            run->context, VS_ERROR_UNSUPPORTED,
            "form: exact friction has the velocity form only for masses in small blocks; use auto or impulse");
    return VS_OK;
}

// Of large islands, whose contacts are swept in packs.
static vs_error create_packs(vs_cascade *c, vs_arena *arena) {
    vs_error error = VS_OK;
    for (int k = 0; !error && k < c->islands.count; k++) {
        const vs_impulse_problem *island = &c->islands.island[k];
        if (vs_cascade_size(island) >= VS_STAGE_LARGE && vs_packed_suits(island))
            error = vs_packed_create(island, arena, &c->packed[k]);
    }
    return error;
}

vs_error vs_cascade_create(vs_cascade *c, vs_method_run *run, vs_arena *arena) {
    *c = (vs_cascade){.run = run, .arena = arena};
    c->shared = (vs_linear_system_shared){.counts = &c->counts};
    vs_error error = check_backend(&run->options, run->context, &c->shared.backend);
    if (!error)
        error = check_form(run);
    if (!error)
        error = vs_islands_create(&c->islands, &run->scaled, run->options.form,
                                  vs_granular_tolerance(&run->options) > run->options.tolerance, arena);
    if (!error)
        error = allocate(c, arena);
    if (!error)
        error = create_packs(c, arena);
    for (int k = 0; !error && k < c->islands.count; k++)
        vs_linear_system_init(&c->system[k], &c->shared, &c->islands.island[k]);
    return error;
}

void vs_cascade_release(vs_cascade *c) {
    for (int k = 0; c->system && k < c->islands.count; k++)
        vs_linear_system_release(&c->system[k]);
    for (int k = 0; c->jointless && k < c->islands.count; k++)
        vs_jointless_release(c->jointless[k]);
}

const vs_linear_system *vs_cascade_largest(const vs_cascade *c) {
    const vs_linear_system *largest = NULL;
    for (int k = 0; k < c->islands.count; k++) {
        const vs_linear_system *system = &c->system[k];
        if (system->solver && (!largest || system->island->rows > largest->island->rows))
            largest = system;
    }
    return largest;
}

vs_error vs_cascade_update(vs_cascade *c) {
    return vs_islands_update(&c->islands);
}

bool vs_cascade_need_path(vs_cascade *c) {
    vs_islands *islands = &c->islands;
    vs_error error = VS_OK;
    int ld = 0;
    for (int k = 0; k < islands->count; k++)
        ld = islands->island[k].ld > ld ? islands->island[k].ld : ld;
    if (!c->path)
        error = vs_central_path_create(islands->most_rows, islands->most_groups, ld, c->arena, &c->path);
    if (!error && !c->homotopy.l)
        error = vs_homotopy_create(&c->homotopy, islands, c->first, c->path, c->arena);
    c->progress.failure = error;
    return !error;
}

bool vs_cascade_need_interior(vs_cascade *c) {
    if (!c->interior)
        c->progress.failure = vs_interior_create(c->islands.most_rows, c->islands.most_groups, c->arena, &c->interior);
    return c->interior != NULL;
}
