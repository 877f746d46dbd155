// Disjoint sets of the numbers 0 … n-1, for connected parts of a graph: parent[k] = k at the beginning, each edge joins the
// sets of its ends, and numbers with the same root are connected.
#ifndef VS_BASE_DISJOINT_SETS_H
#define VS_BASE_DISJOINT_SETS_H

#include <stdbool.h>

// The root of k's set. Shortens the way there for later calls.
static inline int vs_sets_root(int *parent, int k) {
    while (parent[k] != k) {
        parent[k] = parent[parent[k]];
        k = parent[k];
    }
    return k;
}

// One set of the two: its root is the lesser one of theirs, and so always the least of its numbers. Returns whether they
// were two.
static inline bool vs_sets_join(int *parent, int j, int k) {
    int a = vs_sets_root(parent, j), b = vs_sets_root(parent, k);
    parent[a > b ? a : b] = a > b ? b : a;
    return a != b;
}

#endif
