// Groups that may be solved at the same time: groups of one colour are not coupled.
#ifndef VS_SOLVER_SPLITTING_COLOURING_H
#define VS_SOLVER_SPLITTING_COLOURING_H

#include "solver/impulse/impulse_problem.h"

enum { VS_COLOURS_MOST = 64 };

typedef struct vs_colouring {
    int colours;
    int *start; // (VS_COLOURS_MOST + 1) colour k: group[start[k]] … group[start[k + 1] - 1], ascending
    int *group; // (groups) after the last colour come those without a colour: to be solved one by one, ascending
} vs_colouring;

// Depends on the pattern alone: the same for all values of a problem, and for any number of threads.
vs_error vs_colouring_create(vs_colouring *c, const vs_impulse_problem *problem, vs_arena *arena);

#endif
