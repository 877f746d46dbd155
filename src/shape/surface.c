// How triangles hang together: edges with their two triangles, neighbours and normals of vertices.
//
// Vertices with equal coordinates count as one, since in many files every triangle has vertices of its own. An edge that
// more than two triangles share is several edges: triangles that traverse it in opposite directions belong together, in
// the order of the triangles.
#include "base/hash.h"
#include "shape/build.h"

#include <math.h>
#include <string.h>

// ---- equal vertices --------------------------------------------------------------------------------

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

// ---- edges -----------------------------------------------------------------------------------------

// Edges by their vertices: open addressing; edge + 1, 0: empty.
typedef struct edge_table {
    int *slot;
    int64_t size; // a power of two
} edge_table;

static int64_t place_of(const edge_table *table, int i, int j) {
    const uint64_t low = (uint64_t)(i < j ? i : j), high = (uint64_t)(i < j ? j : i);
    return (int64_t)(vs_hash_mix(low << 32 | high) & (uint64_t)(table->size - 1));
}

// The edge from i to j of a triangle: the second side of a known one, or a new one.
static int take_edge(vs_surface *s, const edge_table *table, int i, int j, int triangle) {
    int64_t at = place_of(table, i, j);
    for (; table->slot[at]; at = (at + 1) & (table->size - 1)) {
        vs_surface_edge *edge = s->edge + table->slot[at] - 1;
        if (edge->vertex[0] != j || edge->vertex[1] != i || edge->triangle[1] >= 0)
            continue;
        edge->triangle[1] = triangle;
        return table->slot[at] - 1;
    }
    s->edge[s->edges] = (vs_surface_edge){{i, j}, {triangle, -1}, 0};
    table->slot[at] = ++s->edges;
    return s->edges - 1;
}

static vs_error find_edges(vs_arena *arena, const vs_triangles *t, vs_surface *s) {
    const int64_t sides = 3 * (int64_t)t->triangles;
    edge_table table = {.size = table_size(sides)};
    vs_arena scratch;
    vs_arena_init(&scratch, arena->context);
    table.slot = VS_NEW_ZERO(&scratch, int, table.size);
    s->edge = VS_NEW(&scratch, vs_surface_edge, sides);
    bool good = table.slot && s->edge;
    for (int64_t k = 0; k < sides && good; k++)
        s->side[k] = take_edge(s, &table, s->corner[k], s->corner[k % 3 == 2 ? k - 2 : k + 1], (int)(k / 3));
    if (good)
        good = (s->edge = VS_COPY(arena, vs_surface_edge, s->edge, s->edges)) != NULL;
    vs_arena_release(&scratch);
    return good ? VS_OK : VS_ERROR_MEMORY;
}

// The corner of a triangle that is not on the edge.
static vs_vec3 opposite_corner(const vs_triangles *t, const vs_surface_edge *edge, int triangle) {
    const int *corner = t->surface.corner + 3 * (int64_t)triangle;
    for (int k = 0; k < 3; k++)
        if (corner[k] != edge->vertex[0] && corner[k] != edge->vertex[1])
            return t->vertex[corner[k]];
    return t->vertex[edge->vertex[0]];
}

vs_vec3 vs_surface_across(const vs_triangles *t, const vs_surface_edge *edge, int side) {
    const vs_vec3 from = t->vertex[edge->vertex[0]];
    const vs_vec3 along = vs_normalize(vs_subtract(t->vertex[edge->vertex[1]], from));
    const vs_vec3 r = vs_subtract(opposite_corner(t, edge, edge->triangle[side]), from);
    return vs_normalize(vs_add_scaled(r, -vs_dot(r, along), along));
}

// Triangles bound a solid if the sum of their boundaries is zero: every edge is traversed as often from i to j as from j
// to i, and has two triangles. Then the integrals over signed tetrahedra (mass.c) do not depend on their common apex. Not
// detected: triangles that intersect each other.
static void find_folds(const vs_triangles *t, vs_surface *s) {
    s->closed = true;
    for (int k = 0; k < s->edges; k++)
        if (s->edge[k].triangle[1] >= 0)
            s->edge[k].fold = vs_dot(s->normal[s->edge[k].triangle[0]], vs_surface_across(t, &s->edge[k], 1));
        else
            s->closed = false;
}

// ---- vertices --------------------------------------------------------------------------------------

static double angle_at(vs_vec3 v, vs_vec3 a, vs_vec3 b) {
    const vs_vec3 p = vs_subtract(a, v), q = vs_subtract(b, v);
    return vs_atan2(vs_length(vs_cross(p, q)), vs_dot(p, q));
}

static void find_normals(const vs_triangles *t, vs_surface *s) {
    for (int k = 0; k < t->vertices; k++)
        s->outward[k] = VS_ZERO3;
    for (int k = 0; k < t->triangles; k++) {
        const int *corner = s->corner + 3 * (int64_t)k;
        vs_vec3 v[3];
        for (int i = 0; i < 3; i++)
            v[i] = t->vertex[corner[i]];
        s->normal[k] = vs_normalize(vs_cross(vs_subtract(v[1], v[0]), vs_subtract(v[2], v[0])));
        for (int i = 0; i < 3; i++)
            s->across[3 * (int64_t)k + i] = vs_cross(vs_normalize(vs_subtract(v[(i + 1) % 3], v[i])), s->normal[k]);
        for (int i = 0; i < 3; i++)
            s->outward[corner[i]] =
                vs_add_scaled(s->outward[corner[i]], angle_at(v[i], v[(i + 1) % 3], v[(i + 2) % 3]), s->normal[k]);
    }
    for (int k = 0; k < t->vertices; k++)
        s->outward[k] = vs_normalize(s->outward[k]);
}

static void find_neighbours(const vs_triangles *t, vs_surface *s) {
    int *start = s->neighbour_start;
    for (int k = 0; k <= t->vertices; k++)
        start[k] = 0;
    for (int k = 0; k < s->edges; k++)
        for (int i = 0; i < 2; i++)
            start[s->edge[k].vertex[i] + 1]++;
    for (int k = 0; k < t->vertices; k++)
        start[k + 1] += start[k];
    for (int k = s->edges - 1; k >= 0; k--)
        for (int i = 0; i < 2; i++)
            s->neighbour[--start[s->edge[k].vertex[i] + 1]] = s->edge[k].vertex[1 - i];
    // Each start now is in the next place.
    for (int k = 0; k < t->vertices; k++)
        start[k] = start[k + 1];
    start[t->vertices] = 2 * s->edges;
}

static void find_owners(const vs_triangles *t, vs_surface *s) {
    for (int k = 0; k < t->vertices; k++)
        s->owner[k] = -1;
    for (int64_t k = 3 * (int64_t)t->triangles - 1; k >= 0; k--)
        s->owner[s->corner[k]] = (int)(k / 3);
}

static void find_own(const vs_triangles *t, vs_surface *s) {
    for (int k = 0; k < t->triangles; k++) {
        s->own[k] = 0;
        for (int i = 0; i < 3; i++) {
            const vs_surface_edge *edge = &s->edge[s->side[3 * (int64_t)k + i]];
            if (s->owner[s->corner[3 * (int64_t)k + i]] == k)
                s->own[k] |= (uint8_t)(VS_OWN_CORNER << i);
            if (edge->triangle[0] == k && vs_surface_sticks_out(s, edge))
                s->own[k] |= (uint8_t)(VS_OWN_SIDE << i);
            if (edge->fold > VS_SURFACE_FLAT || (!s->closed && edge->fold < -VS_SURFACE_FLAT))
                s->own[k] |= VS_OWN_VALLEY;
        }
    }
}

vs_error vs_surface_connect(vs_arena *arena, vs_triangles *triangles) {
    const int64_t corners = 3 * (int64_t)triangles->triangles;
    vs_surface *s = &triangles->surface;
    vs_arena scratch;
    vs_arena_init(&scratch, arena->context);
    int *first = VS_NEW(&scratch, int, triangles->vertices);
    s->corner = VS_NEW(arena, int, corners);
    s->side = VS_NEW(arena, int, corners);
    s->owner = VS_NEW(arena, int, triangles->vertices);
    s->normal = VS_NEW(arena, vs_vec3, triangles->triangles);
    s->across = VS_NEW(arena, vs_vec3, corners);
    s->outward = VS_NEW(arena, vs_vec3, triangles->vertices);
    s->own = VS_NEW(arena, uint8_t, triangles->triangles);
    s->neighbour_start = VS_NEW(arena, int, triangles->vertices + (int64_t)1);
    vs_error error = first && s->corner && s->side && s->owner && s->normal && s->across && s->outward && s->own &&
                             s->neighbour_start
                         ? vs_vertices_match(arena->context, triangles->vertex, triangles->vertices, first)
                         : VS_ERROR_MEMORY;
    for (int64_t k = 0; k < corners && !error; k++)
        s->corner[k] = first[triangles->index[k]];
    vs_arena_release(&scratch);
    if (!error)
        error = find_edges(arena, triangles, s);
    if (!error && !(s->neighbour = VS_NEW(arena, int, 2 * (int64_t)s->edges)))
        error = VS_ERROR_MEMORY;
    if (error)
        return error;
    find_normals(triangles, s);
    find_folds(triangles, s);
    find_neighbours(triangles, s);
    find_owners(triangles, s);
    find_own(triangles, s);
    return VS_OK;
}

// ---- inside -----------------------------------------------------------------------------------------

// The solid angle of the surface seen from there is 4 pi inside, 0 outside (Van Oosterom and
// Strackee 1983); on the surface in between.
bool vs_triangles_contain(const vs_triangles *t, vs_vec3 x) {
    const double half_turn = 3.14159265358979323846;
    double sum = 0; // half of the angle
    for (int64_t k = 0; k < 3 * (int64_t)t->triangles; k += 3) {
        const vs_vec3 a = vs_subtract(t->vertex[t->index[k]], x), b = vs_subtract(t->vertex[t->index[k + 1]], x),
                      c = vs_subtract(t->vertex[t->index[k + 2]], x);
        const double p = vs_length(a), q = vs_length(b), r = vs_length(c);
        sum += vs_atan2(vs_dot(a, vs_cross(b, c)), p * q * r + vs_dot(a, b) * r + vs_dot(b, c) * p + vs_dot(c, a) * q);
    }
    return sum > half_turn;
}
