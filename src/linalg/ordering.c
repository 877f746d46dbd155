// Fill-reducing orderings. The graph that is ordered has one vertex per group of unknowns (a body: 6, a contact:
// 3), weighted with the size of the group; unknowns of a group stay together and in their order.
//
// Nested dissection (METIS) for large systems, approximate minimum degree (AMD) for small ones and without METIS.
// METIS draws random numbers from rand() of the C library: seeded here, and locked, so that an order depends on
// nothing but the pattern. (Another thread of the program that calls rand() meanwhile would disturb this.)
#include "linalg/ordering.h"

#include <amd.h>
#include <limits.h>
#include <string.h>
#ifdef VS_METIS
#include <metis.h>
#include <pthread.h>
#endif

enum { METIS_FROM = 2000 }; // unknowns; below, AMD fills no more and is several times faster

// Undirected, without loops, every edge in both lists.
typedef struct graph {
    int vertices;
    const int *weight_start; // (vertices + 1) first unknown of each; null: one unknown each
    SuiteSparse_long *p;     // (vertices + 1)
    int *i;                  // (p[vertices])
} graph;

// Visits each pair of neighbouring groups h > g once: counts (fill null) or writes both directions.
static void list_edges(const vs_linear_pattern *A, const int *group_of, int *mark, graph *G, SuiteSparse_long *fill) {
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

static vs_error make_graph(const vs_linear_pattern *A, vs_arena *arena, graph *G) {
    int vertices = A->groups > 0 ? A->groups : A->n;
    int *group_of = VS_NEW(arena, int, A->n);
    int *mark = VS_NEW(arena, int, vertices);
    SuiteSparse_long *fill = VS_NEW(arena, SuiteSparse_long, vertices);
    *G = (graph){vertices, A->groups > 0 ? A->group : NULL, VS_NEW_ZERO(arena, SuiteSparse_long, vertices + 1), NULL};
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

static vs_error order_metis(const graph *G, vs_arena *arena, int *order) {
    idx_t vertices = G->vertices, options[METIS_NOPTIONS];
    idx_t *p = VS_NEW(arena, idx_t, vertices + 1), *i = VS_NEW(arena, idx_t, G->p[vertices]);
    idx_t *weight = VS_NEW(arena, idx_t, vertices);
    idx_t *perm = VS_NEW(arena, idx_t, vertices), *inverse = VS_NEW(arena, idx_t, vertices);
    if (!p || !i || !weight || !perm || !inverse)
        return VS_ERROR_MEMORY;
    for (int g = 0; g <= vertices; ++g)
        p[g] = (idx_t)G->p[g];
    for (SuiteSparse_long k = 0; k < G->p[vertices]; ++k)
        i[k] = G->i[k];
    for (int g = 0; g < vertices; ++g)
        weight[g] = G->weight_start ? G->weight_start[g + 1] - G->weight_start[g] : 1;

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

static vs_error order_metis(const graph *G, vs_arena *arena, int *order) {
    (void)G, (void)order;
    return vs_fail(arena->context, VS_ERROR_UNSUPPORTED, "built without METIS");
}

#endif

static vs_error order_amd(const graph *G, vs_arena *arena, int *order) {
    SuiteSparse_long vertices = G->vertices;
    SuiteSparse_long *i = VS_NEW(arena, SuiteSparse_long, G->p[vertices]);
    SuiteSparse_long *perm = VS_NEW(arena, SuiteSparse_long, vertices);
    if (!i || !perm)
        return VS_ERROR_MEMORY;
    for (SuiteSparse_long k = 0; k < G->p[vertices]; ++k)
        i[k] = G->i[k];
    SuiteSparse_long status = amd_l_order(vertices, G->p, i, perm, NULL, NULL);
    if (status == AMD_OUT_OF_MEMORY)
        return vs_fail_memory(arena->context);
    if (status != AMD_OK && status != AMD_OK_BUT_JUMBLED)
        return vs_fail(arena->context, VS_ERROR_UNSUPPORTED, "AMD found no ordering (status %d)", (int)status);
    for (SuiteSparse_long g = 0; g < vertices; ++g)
        order[g] = (int)perm[g];
    return VS_OK;
}

static bool metis_pays(const vs_linear_pattern *A, const graph *G) {
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
    graph G;
    int *order = NULL;
    vs_error error = make_graph(pattern, &arena, &G);
    if (error)
        goto cleanup;
    order = VS_NEW(&arena, int, G.vertices);
    if (!order) {
        error = VS_ERROR_MEMORY;
        goto cleanup;
    }
    error = metis_pays(pattern, &G) ? order_metis(&G, &arena, order) : order_amd(&G, &arena, order);
    if (error)
        goto cleanup;

    for (int k = 0, position = 0; k < G.vertices; ++k) {
        int begin = G.weight_start ? G.weight_start[order[k]] : order[k];
        int end = G.weight_start ? G.weight_start[order[k] + 1] : order[k] + 1;
        for (int j = begin; j < end; ++j)
            permutation[position++] = j;
    }
cleanup:
    vs_arena_release(&arena);
    return error;
}
