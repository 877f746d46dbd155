// The Delassus matrix N = J H^-1 J' of the stacked rows J = [C; D], or N of the local form, in the units of scaled.h
// and without compliance. Groups: every joint row by itself, then the cones. Distributed, these are the rows of this
// process; a general H has all of them on one.
#ifndef VS_SOLVER_IMPULSE_DELASSUS_H
#define VS_SOLVER_IMPULSE_DELASSUS_H

#include "solver/impulse/delassus_pairs.h"

enum { VS_DELASSUS_COLUMNS = 32 }; // right-hand sides solved at a time; more gain nothing: bench/results/flexible.md

typedef struct vs_delassus {
    vs_context *context;
    const vs_scaled *problem;
    vs_rows N;               // (m_e + m) square; distributed: with columns for the ghosts, also in N.row
    int *group_of;           // (m_e + m + ghosts) group of each stacked row; ghosts have groups after the others
    double *wide_n, *wide_m; // (n VS_DELASSUS_COLUMNS), (m_e + m) work of a general H
    int64_t *filled;         // (groups) columns of each that are known during an update
    vs_delassus_pairs pairs; // of single rows, of a block-diagonal H
} vs_delassus;

// Pattern and memory; then vs_delassus_update() for the values.
vs_error vs_delassus_create(vs_delassus *d, const vs_scaled *problem, vs_arena *arena);
// Of some groups only, which others are not coupled to: those have no columns. stored (groups); null: all
vs_error vs_delassus_create_some(vs_delassus *d, const vs_scaled *problem, const bool *stored, vs_arena *arena);
void vs_delassus_update(vs_delassus *d); // collective for a general H
// N <- S N S with S = diag(scale) (all rows): to other units.
void vs_delassus_scale(vs_delassus *d, const double *scale);

// Position of column `col` in the ascending columns of group g; it must be there.
int64_t vs_delassus_find(const vs_rows *N, int g, int col);

#endif
