// Memory of the central path: see central_path_data.h.
#include "solver/coulomb/path/central_path_data.h"

#include <string.h>

static bool create_point(vs_path_point *p, int rows, int groups, int64_t pairs, vs_arena *arena) {
    p->pair = VS_NEW_ZERO(arena, vs_cone_pair, pairs);
    p->l = VS_NEW(arena, double, rows);
    p->rp = VS_NEW(arena, double, rows);
    p->s1 = VS_NEW_ZERO(arena, double, groups);
    p->s2 = VS_NEW_ZERO(arena, double, groups);
    return p->pair && p->l && p->rp && p->s1 && p->s2;
}

static bool create_direction(vs_path_direction *d, int rows, int groups, int64_t pairs, vs_arena *arena) {
    d->dl = VS_NEW_ZERO(arena, double, rows);
    d->dlt = VS_NEW_ZERO(arena, double, 3 * pairs);
    d->dyt = VS_NEW_ZERO(arena, double, 3 * pairs);
    d->ds1 = VS_NEW_ZERO(arena, double, groups);
    d->ds2 = VS_NEW_ZERO(arena, double, groups);
    return d->dl && d->dlt && d->dyt && d->ds1 && d->ds2;
}

static bool create_vectors(vs_central_path *path, int rows, int groups, int ld, vs_arena *arena) {
    path->rp0 = VS_NEW(arena, double, rows);
    path->L = VS_NEW(arena, double, rows);
    path->last = VS_NEW(arena, double, rows);
    path->rhs = VS_NEW(arena, double, rows);
    path->impulses = VS_NEW(arena, double, rows);
    path->velocities = VS_NEW(arena, double, rows);
    path->rz = VS_NEW_ZERO(arena, double, 3 * (int64_t)path->discs * groups);
    path->r1 = VS_NEW_ZERO(arena, double, groups);
    path->r2 = VS_NEW_ZERO(arena, double, groups);
    path->P = VS_NEW_ZERO(arena, double, (int64_t)ld *ld *groups);
    return path->rp0 && path->L && path->last && path->rhs && path->impulses && path->velocities && path->rz &&
           path->r1 && path->r2 && path->P;
}

vs_error vs_central_path_create(int rows, int groups, int ld, vs_arena *arena, vs_central_path **out) {
    vs_central_path *path = VS_NEW_ZERO(arena, vs_central_path, 1);
    if (!path)
        return VS_ERROR_MEMORY;
    vs_path_point *points[] = {&path->now, &path->kept, &path->anchor};
    vs_path_direction *directions[] = {&path->tangent, &path->corrector, &path->second};
    path->discs = ld > 3 ? VS_DISC_COUNT : 1;
    const int64_t pairs = (int64_t)path->discs * groups;
    bool complete = create_vectors(path, rows, groups, ld, arena);
    for (int k = 0; k < 3; k++)
        complete = complete && create_point(points[k], rows, groups, pairs, arena) &&
                   create_direction(directions[k], rows, groups, pairs, arena);
    *out = complete ? path : NULL;
    return complete ? VS_OK : VS_ERROR_MEMORY;
}

void vs_path_copy(const vs_central_path *path, const vs_path_point *from, vs_path_point *to) {
    size_t rows = sizeof(double) * (size_t)path->rows, groups = (size_t)path->groups;
    to->t = from->t;
    memcpy(to->pair, from->pair, sizeof *to->pair * groups * (size_t)path->discs);
    memcpy(to->l, from->l, rows);
    memcpy(to->rp, from->rp, rows);
    memcpy(to->s1, from->s1, sizeof(double) * groups);
    memcpy(to->s2, from->s2, sizeof(double) * groups);
}
