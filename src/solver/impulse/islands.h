// Problems in impulses made from a scaled problem: one for each island of rows that N couples, or one for all of it.
#ifndef VS_SOLVER_IMPULSE_ISLANDS_H
#define VS_SOLVER_IMPULSE_ISLANDS_H

#include "solver/impulse/delassus.h"
#include "solver/impulse/impulse_problem.h"
#include "voussoir/solver.h"

typedef struct vs_islands {
    int count;
    vs_impulse_problem *island; // (count) in the order of their first rows
    const vs_scaled *scaled;    // not owned
    vs_delassus delassus;       // N of all rows; not where velocities are carried
    double *free;               // (m_e + m) y of no impulses, scaled.h's units
    double *row_scale;          // (m_e + m + ghosts) to an island's rows: 1, friction sqrt(mu) and 1/sqrt(mu)
    double *wide_n;             // (n) work
    int most_rows, most_groups; // of one island
    int most_velocities;        // carried by one island of several
} vs_islands;

enum {
    VS_ISLAND_SMALL = 36,  // rows up to which an island has a dense N, unless velocities are asked for
    VS_ISLAND_LARGE = 1000 // contacts from which velocities are carried where they can be
};

// Every island by itself, with N stored and compliance in it, or with carried velocities and compliance beside N. form:
// asked for. loose: granular islands have a looser tolerance than others. Serial.
vs_error vs_islands_create(vs_islands *islands, const vs_scaled *problem, vs_form form, bool loose, vs_arena *arena);
// The whole problem as one island, with compliance beside N, or with carried velocities instead of N.
vs_error vs_islands_create_whole(vs_islands *islands, const vs_scaled *problem, vs_arena *arena);
// New values of the problem.
vs_error vs_islands_update(vs_islands *islands);

#endif
