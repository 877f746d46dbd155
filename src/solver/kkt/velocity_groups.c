// Velocities that belong together, found by a hash of the rows that touch each: see velocity_groups.h.
#include "solver/kkt/velocity_groups.h"

#include "base/hash.h"

// A hash of the groups of rows that touch each column.
static void hash_columns(const vs_rows *A, uint64_t seed, uint64_t *hash) {
    for (int g = 0; g < A->groups; g++)
        for (int64_t t = A->start[g]; t < A->start[g + 1]; t++)
            hash[A->col[t]] += vs_hash_mix((uint64_t)g + seed);
}

// And of the velocities that a general H couples it to: nodes that nothing touches are not one body.
static void hash_masses(const vs_sparse *H, uint64_t seed, uint64_t *hash) {
    for (int j = 0; j < H->cols; j++)
        for (int64_t t = H->p[j]; t < H->p[j + 1]; t++)
            hash[j] += vs_hash_mix((uint64_t)H->i[t] + seed);
}

// Rigid bodies, six velocities each: every group of rows touches at most two of them, some group one by more than three
// velocities. Columns that happen to be zero (a sphere's spin about the vertical, on the floor) would hide them.
static bool touches_bodies(const vs_rows *A, bool *spins) {
    enum { BODY = 6 };
    for (int g = 0; g < A->groups; g++) {
        int bodies = 0, columns = 0, last = -1;
        for (int64_t t = A->start[g]; t < A->start[g + 1]; t++) {
            int body = A->col[t] / BODY;
            columns = body == last ? columns + 1 : 1;
            bodies += body != last;
            last = body;
            *spins |= columns > BODY / 2;
        }
        if (bodies > 2)
            return false;
    }
    return true;
}

vs_error vs_newton_group_velocities(const vs_scaled *problem, vs_arena *arena, int *group, int *groups) {
    enum { BODY = 6 };
    bool spins = false;
    if (problem->identity && problem->n % BODY == 0 && touches_bodies(&problem->D, &spins) &&
        touches_bodies(&problem->C, &spins) && spins) {
        *groups = problem->n / BODY;
        for (int k = 0; k <= *groups; k++)
            group[k] = BODY * k;
        return VS_OK;
    }
    uint64_t *hash = VS_NEW_ZERO(arena, uint64_t, problem->n);
    if (!hash)
        return VS_ERROR_MEMORY;
    hash_columns(&problem->D, 1, hash);
    hash_columns(&problem->C, (uint64_t)1 << 40, hash);
    if (!problem->identity)
        hash_masses(&problem->H, (uint64_t)1 << 41, hash);
    int count = 0;
    for (int j = 0; j < problem->n; j++)
        if (j == 0 || hash[j] != hash[j - 1] || j - group[count - 1] >= VS_NEWTON_WIDEST)
            group[count++] = j;
    group[count] = problem->n;
    *groups = count;
    return VS_OK;
}
