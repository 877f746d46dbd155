// Mechanisms whose contacts with friction are open, by the trees of their joints: bodies are nodes, a joint ties a node to the one above it or to
// the ground, and the equations
//
//     [ H  -C' ] [ v ]   [ f ]        H: blocks of 6, one per body
//     [ C   E  ] [ g ] = [ b ]
//
// are eliminated exactly from the leaves on, without fill, in time proportional to the number of bodies: each node adds to the
// one above it the inertia that its joint transfers (the articulated inertia of Featherstone 1983). What is left are the rows
// that are not joints of the tree: motors, limits and dry friction, and joints that close loops. They are solved as a small dense
// problem with bounds by exchanges of rows, at most so many at once that they cannot cycle (forest_bounds.c). Contacts with
// friction get no impulse. The result is measured as any other, contacts included; where it misses the tolerance, the method of the
// solver solves the problem.
#ifndef VS_SOLVER_FOREST_FOREST_H
#define VS_SOLVER_FOREST_FOREST_H

#include "solver/forest/forest_data.h"

// *forest: null if the problem is none, or has too many rows beside its trees.
vs_error vs_forest_create(vs_method_run *run, vs_arena *arena, vs_forest **forest);
// *solved: the run has ended, converged. Else nothing is decided.
vs_error vs_forest_solve(vs_forest *s, bool *solved);

#endif
