// The graph that is ordered: one vertex per group of unknowns. Undirected, without loops, every edge in both lists.
#ifndef VS_LINALG_GRAPH_H
#define VS_LINALG_GRAPH_H

#include "base/arena.h"

typedef struct vs_graph {
    int vertices;
    const int *first; // (vertices + 1) first unknown of each; null: one unknown each
    int64_t *p;       // (vertices + 1)
    int *i;           // (p[vertices]) neighbours
} vs_graph;

static inline int vs_graph_weight(const vs_graph *G, int vertex) {
    return G->first ? G->first[vertex + 1] - G->first[vertex] : 1;
}

// The two ways to a minimum degree ordering, order (vertices): position -> vertex. AMD of SuiteSparse is not in every
// build; ours is. Both are deterministic and allocate in the arena.
vs_error vs_order_amd(const vs_graph *G, vs_arena *arena, int *order);
vs_error vs_order_minimum_degree(const vs_graph *G, vs_arena *arena, int *order);

#endif
