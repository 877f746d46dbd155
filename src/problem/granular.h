// Large granular islands: heaps and flows of grains, whose motion forgets the errors of its steps (bench/results/tolerance.md),
// unlike that of walls, arches and towers. By the pattern of the problem alone, an island of rigid bodies with
//
//     at least 1000 contacts, or 300 that are fewer than 4 per body; and
//     fewer than 3 per pair of bodies and 8 per body, or
//     a tenth of its pairs in a single contact, and fewer than 1.8 pairs per body in three or more: touching with faces
//
// Heaps of balls that have come to rest in disorder have 2 to 3.3 contacts per body, pyramids of balls in rows, which stand by their
// friction, 4.4 and more: small ones are structures (one of 204 balls stands at 1e-6 and creeps apart at 1e-3).
// Blocks that lie on each other have 4 contacts per pair. Walls have no single ones; where the corners of four stones of a dome meet
// there are some, but 2 pairs of faces per stone. A flowing heap of polyhedra has 1.0 to 1.6, and half of its pairs single. Balls have
// only single ones, however many a fast flow has within its reach. An island over several processes counts
// as a whole. Problems of the local form, whose bodies are not known, and those where H couples bodies have none.
#ifndef VS_PROBLEM_GRANULAR_H
#define VS_PROBLEM_GRANULAR_H

#include "problem/island_map.h"

// Sets granular (allocated in the arena), granular_islands and granular_contacts of the map. Collective.
vs_error vs_granular_find(vs_island_map *map, const vs_problem *problem, vs_arena *arena);

#endif
