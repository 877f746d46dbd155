// Fill-reducing orderings. The graph that is ordered has one vertex per group of unknowns (a body: 6, a contact:
// 3), weighted with the size of the group; unknowns of a group stay together and in their order.
//
// Nested dissection (METIS) for large systems, approximate minimum degree (AMD, or ours without SuiteSparse) for small
// ones and without METIS.
// METIS draws random numbers from rand() of the C library: seeded here, and locked, so that an order depends on
// nothing but the pattern. (Another thread of the program that calls rand() meanwhile would disturb this.)
#include "linalg/ordering/ordering.h"

#include <limits.h>
#include <string.h>
#ifdef VS_METIS
#include <metis.h>
#include <pthread.h>
#endif

#include "linalg/ordering/graph.h"

enum { METIS_FROM = 2000 }; // unknowns; below, AMD fills no more and is several times faster

// Visits each pair of neighbouring groups h > g once: counts (fill null) or writes both directions.
static void list_edges(const vs_linear_pattern *A, const int *group_of, int *mark, vs_graph *G, int64_t *fill) {
    for (int h = 0; h < G->vertices; ++h)
        mark[h] = -1;
    for (int j = 0; j < A->n; ++j) {
        int g = group_of[j];
        for (int64_t k = A->p[j]; k < A->p[j + 1]; ++k) {
            int h = A->i[k] > j ? group_of[A->i[k]] : g;
            if (h == g || mark[h] == g)
                continue;
            mark[h] = g;
            if (fill) {
                G->i[fill[g]++] = h;
                G->i[fill[h]++] = g;
            } else {
                G->p[g + 1]++;
                G->p[h + 1]++;
            }
        }
    }
}

static vs_error make_graph(const vs_linear_pattern *A, vs_arena *arena, vs_graph *G) {
    int vertices = A->groups > 0 ? A->groups : A->n;
    int *group_of = VS_NEW(arena, int, A->n);
    int *mark = VS_NEW(arena, int, vertices);
    int64_t *fill = VS_NEW(arena, int64_t, vertices);
    *G = (vs_graph){vertices, A->groups > 0 ? A->group : NULL, VS_NEW_ZERO(arena, int64_t, vertices + 1), NULL};
    if (!group_of || !mark || !fill || !G->p)
        return VS_ERROR_MEMORY;
    for (int g = 0; g < vertices; ++g) {
        int begin = A->groups > 0 ? A->group[g] : g, end = A->groups > 0 ? A->group[g + 1] : g + 1;
        for (int j = begin; j < end; ++j)
            group_of[j] = g;
    }

    list_edges(A, group_of, mark, G, NULL);
    for (int g = 0; g < vertices; ++g) {
        G->p[g + 1] += G->p[g];
        fill[g] = G->p[g];
    }
    G->i = VS_NEW(arena, int, G->p[vertices]);
    if (!G->i)
        return VS_ERROR_MEMORY;
    list_edges(A, group_of, mark, G, fill);
    return VS_OK;
}

#ifdef VS_METIS

static pthread_mutex_t metis_lock = PTHREAD_MUTEX_INITIALIZER; // guards rand(), see above

static vs_error order_metis(const vs_graph *G, vs_arena *arena, int *order) {
    idx_t vertices = G->vertices, options[METIS_NOPTIONS];
    idx_t *p = VS_NEW(arena, idx_t, vertices + 1), *i = VS_NEW(arena, idx_t, G->p[vertices]);
    idx_t *weight = VS_NEW(arena, idx_t, vertices);
    idx_t *perm = VS_NEW(arena, idx_t, vertices), *inverse = VS_NEW(arena, idx_t, vertices);
    if (!p || !i || !weight || !perm || !inverse)
        return VS_ERROR_MEMORY;
    for (int g = 0; g <= vertices; ++g)
        p[g] = (idx_t)G->p[g];
    for (int64_t k = 0; k < G->p[vertices]; ++k)
        i[k] = G->i[k];
    for (int g = 0; g < vertices; ++g)
        weight[g] = vs_graph_weight(G, g);

    METIS_SetDefaultOptions(options);
    options[METIS_OPTION_NSEPS] = 5; // best of five separators: an eighth fewer flops than one
    options[METIS_OPTION_SEED] = 1;
    options[METIS_OPTION_NUMBERING] = 0;
    pthread_mutex_lock(&metis_lock);
    int status = METIS_NodeND(&vertices, p, i, weight, options, perm, inverse);
    pthread_mutex_unlock(&metis_lock);
    if (status == METIS_ERROR_MEMORY)
        return vs_fail_memory(arena->context);
    if (status != METIS_OK)
        return vs_fail(arena->context, VS_ERROR_UNSUPPORTED, "METIS found no ordering (status %d)", status);
    for (int g = 0; g < vertices; ++g)
        order[g] = (int)perm[g];
    return VS_OK;
}

#else

static vs_error order_metis(const vs_graph *G, vs_arena *arena, int *order) {
    (void)G, (void)order;
    return vs_fail(arena->context, VS_ERROR_UNSUPPORTED, "built without METIS");
}

#endif

static vs_error order_small(const vs_graph *G, vs_arena *arena, int *order) {
#ifdef VS_SUITESPARSE
    return vs_order_amd(G, arena, order);
#else
    return vs_order_minimum_degree(G, arena, order);
#endif
}

static bool metis_pays(const vs_linear_pattern *A, const vs_graph *G) {
#ifdef VS_METIS
    // Debian's METIS counts in 32 bits
    return A->n >= METIS_FROM && G->p[G->vertices] > 0 && G->p[G->vertices] < INT_MAX;
#else
    (void)A, (void)G;
    return false;
#endif
}

vs_error vs_ordering(vs_context *context, const vs_linear_pattern *pattern, int *permutation) {
    if (pattern->order) {
        memcpy(permutation, pattern->order, sizeof(int) * (size_t)pattern->n);
        return VS_OK;
    }
    vs_arena arena;
    vs_arena_init(&arena, context);
    vs_graph G;
    int *order = NULL;
    vs_error error = make_graph(pattern, &arena, &G);
    if (error)
        goto cleanup;
    order = VS_NEW(&arena, int, G.vertices);
    if (!order) {
        error = VS_ERROR_MEMORY;
        goto cleanup;
    }
    error = metis_pays(pattern, &G) ? order_metis(&G, &arena, order) : order_small(&G, &arena, order);
    if (error)
        goto cleanup;

    for (int k = 0, position = 0; k < G.vertices; ++k) {
        int begin = G.first ? G.first[order[k]] : order[k];
        int end = G.first ? G.first[order[k] + 1] : order[k] + 1;
        for (int j = begin; j < end; ++j)
            permutation[position++] = j;
    }
cleanup:
    vs_arena_release(&arena);
    return error;
}
