// A problem taken apart: islands of rows that N couples.
#ifndef VS_SOLVER_IMPULSE_ISLANDS_H
#define VS_SOLVER_IMPULSE_ISLANDS_H

#include "solver/impulse/delassus.h"
#include "solver/impulse/island.h"

typedef struct vs_islands {
    int count;
    vs_island *island;          // (count) in the order of their first rows
    vs_delassus delassus;       // of the whole
    double *free;               // (m_e + m) y of no impulses, scaled.h's units
    double *row_scale;          // (m_e + m) from scaled.h's rows to an island's: 1, friction sqrt(mu) and 1/sqrt(mu)
    double *wide_n;             // (n) work
    int most_rows, most_groups; // of one island
} vs_islands;

vs_error vs_islands_create(vs_islands *islands, const vs_scaled *problem, vs_arena *arena);
// New values of the problem.
vs_error vs_islands_update(vs_islands *islands);

// Between the stacked rows of the problem (g, lambda in scaled.h's units) and one island's.
void vs_islands_gather(const vs_islands *islands, const vs_island *island, const double *g, const double *lambda,
                       double *l);
void vs_islands_scatter(const vs_islands *islands, const vs_island *island, const double *l, double *g, double *lambda);

#endif
