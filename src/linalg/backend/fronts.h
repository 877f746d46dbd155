// The fronts of a sparse LU factorization: which dense matrices to assemble and eliminate, in which order. Found once for
// a pattern.
//
// A front is a run of pivots with (nearly) the same neighbours, followed by its border, the later unknowns that they touch.
// Eliminating the pivots leaves a matrix on the border, which is added to the front that eliminates the first of it.
// Fronts are numbered so that the ones that add to a front come before it, the last of them directly before it.
#ifndef VS_LINALG_FRONTS_H
#define VS_LINALG_FRONTS_H

#include "linalg/linear_solver.h"

typedef struct vs_fronts {
    int count;
    int *position;   // (n) of an unknown in the order of elimination
    int *first;      // (count + 1) position of the first pivot of each front; first[count] = n
    int64_t *rows;   // (count + 1) where a front's border begins in `border`
    int *border;     // (rows[count]) positions, ascending
    int *place;      // (rows[count]) the same as rows of the front that they are added to
    int *parent;     // (count) that front; `count`: none
    int *child;      // (count) the last front that adds to this one; -1: none
    int *sibling;    // (count) the next one before that adds to the same front; -1: none
    int64_t *entry;  // (count + 1) where a front's part of the matrix begins in `value`, `row` and `col`
    int64_t *value;  // (nonzeros) index of a value of the pattern
    int *row, *col;  // (nonzeros) its row and column in the front
    int largest;     // rows of the largest front
    int64_t numbers; // of the factors
    int64_t stack;   // most numbers on borders that wait to be added
    double flops;    // of a factorization
} vs_fronts;

// Allocates in the arena.
vs_error vs_fronts_create(vs_fronts *fronts, const vs_linear_pattern *pattern, vs_arena *arena);

static inline int vs_front_pivots(const vs_fronts *fronts, int f) {
    return fronts->first[f + 1] - fronts->first[f];
}

static inline int vs_front_border(const vs_fronts *fronts, int f) {
    return (int)(fronts->rows[f + 1] - fronts->rows[f]);
}

#endif
