// Islands of a distributed problem brought together on process 0, as a problem of its own: rows and velocities of one process
// after the other. For islands that only a serial method solves, and that one process has room for.
#ifndef VS_PROBLEM_GATHERED_H
#define VS_PROBLEM_GATHERED_H

#include "problem/island_map.h"

typedef struct vs_gathered {
    const vs_problem *part; // this process's; not owned
    int rows, joint_rows;   // of the part that take part
    int *row, *joint_row;   // (rows), (joint_rows)
    vs_problem *whole;      // process 0; null elsewhere
    double *wide;           // (rows or joint rows, the larger number) work
} vs_gathered;

// The islands of the map with a flag in `island` (map->count); null: all. Collective; after an error, too, end with
// vs_gathered_destroy().
vs_error vs_gathered_create(vs_gathered *gathered, const vs_problem *part, const vs_island_map *map, const bool *island,
                            vs_arena *arena);
void vs_gathered_destroy(vs_gathered *gathered);

// Impulses of the part, g (m_e) and lambda (m), and those of the whole, all_… (null but on process 0). Collective.
void vs_gathered_collect(const vs_gathered *gathered, const double *g, const double *lambda, double *all_g,
                         double *all_lambda);
void vs_gathered_spread(const vs_gathered *gathered, const double *all_g, const double *all_lambda, double *g,
                        double *lambda);

#endif
