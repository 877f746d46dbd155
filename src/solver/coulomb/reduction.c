// Memory of an island without its joints: see reduction.h.
#include "solver/coulomb/reduction.h"

void vs_reduction_release(vs_reduction *reduction) {
    if (reduction)
        vs_linear_system_release(&reduction->system);
}

vs_error vs_reduction_create(const vs_linear_system_shared *shared, const vs_impulse_problem *island, vs_arena *arena,
                             vs_reduction **out) {
    vs_reduction *r = VS_NEW_ZERO(arena, vs_reduction, 1);
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
