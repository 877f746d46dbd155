// Memory of an island without its joints: see jointless.h.
#include "solver/coulomb/jointless.h"

void vs_jointless_release(vs_jointless *jointless) {
    if (jointless)
        vs_linear_system_release(&jointless->system);
}

vs_error vs_jointless_create(const vs_linear_system_shared *shared, const vs_impulse_problem *island, vs_arena *arena,
                             vs_jointless **out) {
    vs_jointless *r = VS_NEW_ZERO(arena, vs_jointless, 1);
    vs_error error = r ? vs_joint_elimination_create(&r->elimination, island, arena) : VS_ERROR_MEMORY;
    if (error)
        return error;
    r->lambda = VS_NEW(arena, double, r->elimination.reduced.rows);
    r->y = VS_NEW(arena, double, r->elimination.reduced.rows);
    r->l = VS_NEW(arena, double, island->rows);
    r->v = VS_NEW(arena, double, island->rows);
    if (!r->lambda || !r->y || !r->l || !r->v)
        return VS_ERROR_MEMORY;
    vs_linear_system_init(&r->system, shared, &r->elimination.reduced);
    *out = r;
    return VS_OK;
}
