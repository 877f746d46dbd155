// Large granular islands: heaps and flows of grains, whose motion forgets the errors of its steps (bench/results/tolerance.md),
// unlike that of walls, arches and towers. By the pattern of the problem alone, an island of rigid bodies with
//
//     at least 1000 contacts, fewer than 3 per pair of bodies, and fewer than 8 per body or than 1.5 per pair
//
// Blocks that lie on each other have 4 per pair. Balls have 1, and at most 6 per body that are closed; but a fast flow has many more
// within its reach, which must not make it a structure in one step and grains in the next. An island over several processes counts
// as a whole. Problems of the local form, whose bodies are not known, and those where H couples bodies have none.
#ifndef VS_PROBLEM_GRANULAR_H
#define VS_PROBLEM_GRANULAR_H

#include "problem/island_map.h"

// Sets granular (allocated in the arena), granular_islands and granular_contacts of the map. Collective.
vs_error vs_granular_find(vs_island_map *map, const vs_problem *problem, vs_arena *arena);

#endif
