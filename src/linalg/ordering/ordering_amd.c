// Approximate minimum degree by SuiteSparse AMD, which does not know weights.
#include <amd.h>

#include "linalg/ordering/graph.h"

typedef SuiteSparse_long index;

vs_error vs_order_amd(const vs_graph *G, vs_arena *arena, int *order) {
    index vertices = G->vertices;
    index *p = VS_NEW(arena, index, vertices + 1), *i = VS_NEW(arena, index, G->p[vertices]);
    index *perm = VS_NEW(arena, index, vertices);
    if (!p || !i || !perm)
        return VS_ERROR_MEMORY;
    for (index g = 0; g <= vertices; ++g)
        p[g] = G->p[g];
    for (index k = 0; k < p[vertices]; ++k)
        i[k] = G->i[k];
    index status = amd_l_order(vertices, p, i, perm, NULL, NULL);
    if (status == AMD_OUT_OF_MEMORY)
        return vs_fail_memory(arena->context);
    if (status != AMD_OK && status != AMD_OK_BUT_JUMBLED)
        return vs_fail(arena->context, VS_ERROR_UNSUPPORTED, "AMD found no ordering (status %d)", (int)status);
    for (index g = 0; g < vertices; ++g)
        order[g] = (int)perm[g];
    return VS_OK;
}
