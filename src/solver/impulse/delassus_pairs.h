// Pairs of single rows that have columns of the Jacobian in common, as every update of the Delassus matrix multiplies them:
// found once, with the pattern.
#ifndef VS_SOLVER_IMPULSE_DELASSUS_PAIRS_H
#define VS_SOLVER_IMPULSE_DELASSUS_PAIRS_H

#include "solver/scale/scaled.h"

// Columns of the Jacobian that two rows have: `count` from places a and b on.
typedef struct vs_delassus_run {
    int a, b, count;
} vs_delassus_run;

// A group of one row and what it is multiplied with: a group, or rows of a joint one after the other.
typedef struct vs_delassus_pair {
    int h, rows; // the (first) group, all rows
    bool joints; // several groups of one row
    int runs;
    const vs_delassus_run *run;
} vs_delassus_pair;

typedef struct vs_delassus_pairs {
    int64_t *of;            // (groups + 1) pairs of each group, none of groups of several rows
    vs_delassus_pair *pair; // (of[groups]) from the group itself on, ascending
} vs_delassus_pairs;

// Of the groups of N, whose pattern is known. group_of: of each stacked row
vs_error vs_delassus_pairs_create(vs_delassus_pairs *list, const vs_scaled *problem, const vs_rows *N,
                                  const int *group_of, vs_arena *arena);

#endif
