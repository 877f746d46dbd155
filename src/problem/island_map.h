// Islands of a problem: its contacts, joints and velocities in the finest groups that do not act on each other. Whatever
// happens in one island is of no consequence in another, so an error is measured within its island.
//
// Two contacts or joints belong together if they share a velocity, or velocities that H couples; in the local form, if N
// couples their rows. Islands are found from the pattern alone.
//
// Distributed, the first `shared` islands lie on several processes, are the same in number and order on each of them, and
// have their sums taken by vs_island_map_sum(); an island of this range may be empty here. The others are this process's
// own.
#ifndef VS_PROBLEM_ISLAND_MAP_H
#define VS_PROBLEM_ISLAND_MAP_H

#include "problem/problem_data.h"

enum { VS_NO_ISLAND = -1 };

typedef struct vs_island_map {
    int count;      // islands known here
    int shared;     // of these the first so many are shared by processes
    double total;   // islands of the whole problem
    int *contact;   // (contacts) island of each
    int *joint;     // (joints)
    int *entry;     // (n; local form: columns of N) island of each velocity or row, VS_NO_ISLAND if nothing acts on it
    bool *granular; // (islands) large and made of grains: set by vs_granular_find()
    double granular_islands, granular_contacts; // of all processes
} vs_island_map;

// Allocates in the arena. Collective.
vs_error vs_island_map_create(vs_island_map *map, const vs_problem *problem, vs_arena *arena);
// x (count parts): adds up the parts of shared islands, `parts` numbers per island. Collective.
static inline void vs_island_map_sum(const vs_island_map *map, const vs_space *space, int parts, double *x) {
    if (map->shared > 0)
        vs_space_sums(space, parts * map->shared, x);
}
// Does this process count the island in sums over all islands?
static inline bool vs_island_map_counts(const vs_island_map *map, const vs_space *space, int island) {
    return island >= map->shared || !space || space->rank == 0;
}

#endif
