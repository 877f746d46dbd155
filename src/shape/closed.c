// Do triangles bound a solid?
//
// They do if the sum of their boundaries is zero: every edge is traversed as often from i to j as from j to i. Then
// the integrals over signed tetrahedra (mass.c) do not depend on their common apex. Vertices count as one when their
// coordinates are equal, since in many files every triangle has vertices of its own.
// Not detected here: triangles that intersect each other.
#include "base/hash.h"
#include "shape/build.h"

#include <string.h>

static uint64_t hash_vertex(vs_vec3 v) {
    const double x[3] = {v.x + 0., v.y + 0., v.z + 0.}; // -0 + 0 = 0: equal numbers have equal bits
    uint64_t hash = 0, bits;
    for (int k = 0; k < 3; k++) {
        memcpy(&bits, x + k, sizeof bits);
        hash = vs_hash_mix(hash + bits + 0x9e3779b97f4a7c15u);
    }
    return hash;
}

// A power of two, at least twice as many places as entries.
static int64_t table_size(int64_t entries) {
    int64_t size = 16;
    while (size < 2 * entries)
        size *= 2;
    return size;
}

vs_error vs_vertices_match(vs_context *context, const vs_vec3 *vertex, int vertices, int *first) {
    const int64_t size = table_size(vertices);
    vs_arena scratch;
    vs_arena_init(&scratch, context);
    int *slot = VS_NEW_ZERO(&scratch, int, size); // vertex + 1; 0: empty
    for (int k = 0; slot && k < vertices; k++) {
        const vs_vec3 v = vertex[k];
        int64_t at = (int64_t)(hash_vertex(v) & (uint64_t)(size - 1));
        first[k] = -1;
        while (slot[at] && first[k] < 0) {
            const vs_vec3 w = vertex[slot[at] - 1];
            if (v.x == w.x && v.y == w.y && v.z == w.z)
                first[k] = slot[at] - 1;
            at = (at + 1) & (size - 1);
        }
        if (first[k] < 0) {
            first[k] = k;
            slot[at] = k + 1;
        }
    }
    vs_arena_release(&scratch);
    return slot ? VS_OK : VS_ERROR_MEMORY;
}

typedef struct edge_count {
    int low, high; // both 0: empty
    int sum;       // traversals from low to high minus those back
} edge_count;

static edge_count *find_edge(edge_count *table, int64_t size, int low, int high) {
    int64_t at = (int64_t)(vs_hash_mix((uint64_t)low << 32 | (uint64_t)high) & (uint64_t)(size - 1));
    while (table[at].high && (table[at].low != low || table[at].high != high))
        at = (at + 1) & (size - 1);
    return table + at;
}

vs_error vs_triangles_closed(vs_context *context, const vs_triangles *triangles, bool *closed) {
    const int64_t corners = 3 * (int64_t)triangles->triangles, size = table_size(corners);
    vs_error error = VS_ERROR_MEMORY;
    vs_arena scratch;
    vs_arena_init(&scratch, context);
    int *first = VS_NEW(&scratch, int, triangles->vertices);
    edge_count *table = VS_NEW_ZERO(&scratch, edge_count, size);
    if (!first || !table || (error = vs_vertices_match(context, triangles->vertex, triangles->vertices, first)))
        goto cleanup;
    for (int64_t k = 0; k < corners; k++) {
        const int i = first[triangles->index[k]], j = first[triangles->index[k % 3 == 2 ? k - 2 : k + 1]];
        if (i == j)
            continue;
        edge_count *edge = find_edge(table, size, i < j ? i : j, i < j ? j : i);
        edge->low = i < j ? i : j;
        edge->high = i < j ? j : i;
        edge->sum += i < j ? 1 : -1;
    }
    *closed = true;
    for (int64_t k = 0; k < size; k++)
        *closed = *closed && table[k].sum == 0;
cleanup:
    vs_arena_release(&scratch);
    return error;
}
