// Connectivity of tetrahedra: faces, surface, edges, by sorting.
//
// Faces are tuples of three vertices in ascending order, edges of two. They are sorted by counting, one component after
// the other from the last (stable, linear in their number, the same on every machine); equal ones are then neighbours:
//
//     a face that occurs   once    is on the surface
//                          twice   lies between two elements, which must lie on different sides of it
//                          more    is an error
//
// Elements are positive here, so that VS_MESH_SIDE runs counter-clockwise seen from outside.
#include "shape/mesh_data.h"

#include <inttypes.h>
#include <string.h>

int64_t vs_label_element(const vs_mesh_labels *labels, int element) {
    return labels->element ? labels->element[element] : element;
}

int64_t vs_label_vertex(const vs_mesh_labels *labels, int vertex) {
    return labels->vertex ? labels->vertex[vertex] : vertex;
}

// ---- sorting ---------------------------------------------------------------------------------------

// Stable: `to` has the indices of `from`, ascending by one component of the tuples.
static void sort_pass(const int *component, int width, int64_t count, int limit, const int *from, int *to, int *start) {
    memset(start, 0, ((size_t)limit + 1) * sizeof *start);
    for (int64_t k = 0; k < count; k++)
        start[component[width * k] + 1]++;
    for (int v = 0; v < limit; v++)
        start[v + 1] += start[v];
    for (int64_t k = 0; k < count; k++)
        to[start[component[width * (int64_t)from[k]]]++] = from[k];
}

vs_error vs_tuples_sort(vs_arena *scratch, const int *key, int width, int64_t count, int limit, int **order) {
    int *from = VS_NEW(scratch, int, count), *to = VS_NEW(scratch, int, count);
    int *start = VS_NEW(scratch, int, (int64_t)limit + 1);
    if (!from || !to || !start)
        return VS_ERROR_MEMORY;
    for (int64_t k = 0; k < count; k++)
        from[k] = (int)k;
    for (int c = width - 1; c >= 0; c--) {
        sort_pass(key + c, width, count, limit, from, to, start);
        int *swap = from;
        from = to;
        to = swap;
    }
    *order = from;
    return VS_OK;
}

// ---- faces -----------------------------------------------------------------------------------------

static void swap_if(int *a, int *b) {
    if (*a > *b) {
        const int c = *a;
        *a = *b;
        *b = c;
    }
}

static void sort3(int x[3]) {
    swap_if(x, x + 1);
    swap_if(x + 1, x + 2);
    swap_if(x, x + 1);
}

static int compare3(const int *a, const int *b) {
    for (int c = 0; c < 3; c++)
        if (a[c] != b[c])
            return a[c] < b[c] ? -1 : 1;
    return 0;
}

vs_error vs_sides_sort(vs_arena *scratch, const vs_mesh *mesh, vs_sides *sides) {
    sides->count = 4 * (int64_t)mesh->elements;
    sides->corner = VS_NEW(scratch, int, 3 * sides->count);
    if (!sides->corner)
        return VS_ERROR_MEMORY;
    for (int64_t k = 0; k < sides->count; k++) {
        const int *element = mesh->element + mesh->nodes * (k / 4);
        for (int c = 0; c < 3; c++)
            sides->corner[3 * k + c] = element[VS_MESH_SIDE[k % 4][c]];
        sort3(sides->corner + 3 * k);
    }
    return vs_tuples_sort(scratch, sides->corner, 3, sides->count, mesh->vertices, &sides->order);
}

int vs_sides_find(const vs_sides *sides, const int corner[3]) {
    int key[3] = {corner[0], corner[1], corner[2]};
    sort3(key);
    int64_t low = 0, high = sides->count; // the first that is not below the key
    while (low < high) {
        const int64_t middle = low + (high - low) / 2;
        if (compare3(sides->corner + 3 * (int64_t)sides->order[middle], key) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == sides->count || compare3(sides->corner + 3 * (int64_t)sides->order[low], key) != 0)
        return -1;
    return sides->order[low];
}

// Is the order of the face's vertices even, seen from outside its element?
static bool is_even(const vs_mesh *mesh, int side) {
    const int *element = mesh->element + mesh->nodes * (int64_t)(side / 4), *at = VS_MESH_SIDE[side % 4];
    const int a = element[at[0]], b = element[at[1]], c = element[at[2]];
    return (a < b) + (b < c) + (c < a) == 2; // two rises of three: a rotation of ascending order
}

static vs_error fail_face(const vs_mesh *mesh, const vs_sides *sides, const vs_mesh_labels *labels, int64_t at,
                          bool third) {
    const int *corner = sides->corner + 3 * (int64_t)sides->order[at];
    int64_t element[3], vertex[3];
    for (int k = 0; k < 3; k++) {
        element[k] = vs_label_element(labels, sides->order[k < 2 || third ? at + k : at] / 4);
        vertex[k] = vs_label_vertex(labels, corner[k]);
    }
    if (third)
        return vs_fail(mesh->arena.context, VS_ERROR_DATA,
                       "%selements %" PRId64 ", %" PRId64 " and %" PRId64 " have the same face (%" PRId64 ", %" PRId64
                       ", %" PRId64 ")",
                       labels->begin, element[0], element[1], element[2], vertex[0], vertex[1], vertex[2]);
    return vs_fail(mesh->arena.context, VS_ERROR_DATA,
                   "%selements %" PRId64 " and %" PRId64 " overlap: they lie on the same side of their face (%" PRId64
                   ", %" PRId64 ", %" PRId64 ")",
                   labels->begin, element[0], element[1], vertex[0], vertex[1], vertex[2]);
}

// alone[side]: no other element has the face.
static vs_error match_faces(const vs_mesh *mesh, const vs_sides *sides, const vs_mesh_labels *labels, bool *alone) {
    int64_t next;
    for (int64_t k = 0; k < sides->count; k = next) {
        const int *key = sides->corner + 3 * (int64_t)sides->order[k];
        next = k + 1;
        while (next < sides->count && compare3(sides->corner + 3 * (int64_t)sides->order[next], key) == 0)
            next++;
        if (next - k > 2)
            return fail_face(mesh, sides, labels, k, true);
        if (next - k == 2 && is_even(mesh, sides->order[k]) == is_even(mesh, sides->order[k + 1]))
            return fail_face(mesh, sides, labels, k, false);
        for (int64_t j = k; j < next; j++)
            alone[sides->order[j]] = next - k == 1;
    }
    return VS_OK;
}

int vs_mesh_get_side_nodes(const vs_mesh *mesh, int side, int node[6]) {
    if (!mesh || !node || side < 0 || side / 4 >= mesh->elements)
        return 0;
    const int *element = mesh->element + mesh->nodes * (int64_t)(side / 4), *at = VS_MESH_SIDE[side % 4];
    for (int c = 0; c < 3; c++)
        node[c] = element[at[c]];
    for (int c = 0; mesh->nodes == 10 && c < 3; c++)
        node[3 + c] = element[vs_mesh_tet_middle(at[c], at[(c + 1) % 3])];
    return mesh->nodes == 10 ? 6 : 3;
}

static vs_error list_surface(vs_mesh *mesh, vs_arena *scratch, const vs_sides *sides, const vs_mesh_labels *labels) {
    bool *alone = VS_NEW(scratch, bool, sides->count);
    vs_error error = alone ? match_faces(mesh, sides, labels, alone) : VS_ERROR_MEMORY;
    if (error)
        return error;
    for (int64_t k = 0; k < sides->count; k++)
        mesh->faces += alone[k];
    mesh->face_nodes = mesh->nodes == 10 ? 6 : 3;
    mesh->face_side = VS_NEW(&mesh->arena, int, mesh->faces);
    mesh->face = VS_NEW(&mesh->arena, int, mesh->face_nodes *(int64_t)mesh->faces);
    if (!mesh->face_side || !mesh->face)
        return VS_ERROR_MEMORY;
    int face = 0;
    for (int64_t k = 0; k < sides->count; k++) {
        int node[6];
        if (!alone[k])
            continue;
        const int count = vs_mesh_get_side_nodes(mesh, (int)k, node);
        mesh->face_side[face] = (int)k;
        memcpy(mesh->face + count * (int64_t)face++, node, (size_t)count * sizeof *node);
    }
    return VS_OK;
}

// The faces of every vertex, and the vertices that have any.
static vs_error list_adjacency(vs_mesh *mesh) {
    const int64_t count = mesh->face_nodes * (int64_t)mesh->faces;
    int *start = VS_NEW_ZERO(&mesh->arena, int, (int64_t)mesh->vertices + 1);
    mesh->vertex_face = VS_NEW(&mesh->arena, int, count);
    if (!start || !mesh->vertex_face)
        return VS_ERROR_MEMORY;
    for (int64_t k = 0; k < count; k++)
        start[mesh->face[k] + 1]++;
    for (int v = 0; v < mesh->vertices; v++) {
        mesh->surface_vertices += start[v + 1] > 0;
        start[v + 1] += start[v];
    }
    for (int64_t k = 0; k < count; k++)
        mesh->vertex_face[start[mesh->face[k]]++] = (int)(k / mesh->face_nodes);
    memmove(start + 1, start, (size_t)mesh->vertices * sizeof *start); // each is now where its successor began
    start[0] = 0;
    mesh->vertex_face_start = start;
    mesh->surface_vertex = VS_NEW(&mesh->arena, int, mesh->surface_vertices);
    if (!mesh->surface_vertex)
        return VS_ERROR_MEMORY;
    for (int v = 0, k = 0; v < mesh->vertices; v++)
        if (start[v + 1] > start[v])
            mesh->surface_vertex[k++] = v;
    return VS_OK;
}

// ---- edges -----------------------------------------------------------------------------------------

// The different ones of `count` edges in key (2 count); number[k], if not null: that of the k-th one.
static vs_error list_edges(vs_mesh *mesh, vs_arena *scratch, const int *key, int64_t count, int *edges, int **edge,
                           int *number) {
    int *order;
    vs_error error = vs_tuples_sort(scratch, key, 2, count, mesh->vertices, &order);
    if (error)
        return error;
    for (int pass = 0; pass < 2; pass++) {
        int found = 0;
        const int *last = NULL;
        for (int64_t k = 0; k < count; k++) {
            const int *this = key + 2 * (int64_t)order[k];
            if (!last || this[0] != last[0] || this[1] != last[1]) {
                if (pass)
                    memcpy(*edge + 2 * (int64_t)found, this, 2 * sizeof *this);
                found++;
            }
            last = this;
            if (pass && number)
                number[order[k]] = found - 1;
        }
        *edges = found;
        if (!pass && !(*edge = VS_NEW(&mesh->arena, int, 2 * (int64_t)found)))
            return VS_ERROR_MEMORY;
    }
    return VS_OK;
}

static void put_edge(int *key, int a, int b) {
    key[0] = a < b ? a : b;
    key[1] = a < b ? b : a;
}

// of_element (6 elements): the edges of each element.
static vs_error find_edges(vs_mesh *mesh, vs_arena *scratch, int **of_element) {
    const int64_t count = 6 * (int64_t)mesh->elements;
    int *key = VS_NEW(scratch, int, 2 * count);
    *of_element = VS_NEW(scratch, int, count);
    if (!key || !*of_element)
        return VS_ERROR_MEMORY;
    for (int64_t k = 0; k < count; k++) {
        const int *element = mesh->element + mesh->nodes * (k / 6), *ends = VS_MESH_EDGE[k % 6];
        put_edge(key + 2 * k, element[ends[0]], element[ends[1]]);
    }
    return list_edges(mesh, scratch, key, count, &mesh->edges, &mesh->edge, *of_element);
}

static vs_error find_surface_edges(vs_mesh *mesh, vs_arena *scratch) {
    const int64_t count = 3 * (int64_t)mesh->faces;
    int *key = VS_NEW(scratch, int, 2 * count);
    if (!key)
        return VS_ERROR_MEMORY;
    for (int64_t k = 0; k < count; k++) {
        const int *face = mesh->face + mesh->face_nodes * (k / 3);
        put_edge(key + 2 * k, face[k % 3], face[(k + 1) % 3]);
    }
    return list_edges(mesh, scratch, key, count, &mesh->surface_edges, &mesh->surface_edge, NULL);
}

// Neighbours must have the same node in the middle of an edge, and that node must have no other role.
static vs_error check_middles(const vs_mesh *mesh, vs_arena *scratch, const int *of_element,
                              const vs_mesh_labels *labels) {
    int *role = VS_NEW_ZERO(scratch, int, mesh->vertices); // 0: none yet, -1: corner, k + 1: middle of edge k
    int *first = VS_NEW_ZERO(scratch, int, mesh->edges);   // the first element at an edge + 1
    int *middle = VS_NEW(scratch, int, mesh->edges);
    if (!role || !first || !middle)
        return VS_ERROR_MEMORY;
    for (int64_t k = 0; k < 4 * (int64_t)mesh->elements; k++)
        role[mesh->element[10 * (k / 4) + k % 4]] = -1;
    for (int64_t k = 0; k < 6 * (int64_t)mesh->elements; k++) {
        const int edge = of_element[k], element = (int)(k / 6), node = mesh->element[10 * (k / 6) + 4 + k % 6];
        const int64_t a = vs_label_vertex(labels, mesh->edge[2 * (int64_t)edge]),
                      b = vs_label_vertex(labels, mesh->edge[2 * (int64_t)edge + 1]);
        if (first[edge] && middle[edge] != node)
            return vs_fail(mesh->arena.context, VS_ERROR_DATA,
                           "%selements %" PRId64 " and %" PRId64 " have different nodes (%" PRId64 " and %" PRId64
                           ") in the middle of their edge (%" PRId64 ", %" PRId64 ")",
                           labels->begin, vs_label_element(labels, first[edge] - 1), vs_label_element(labels, element),
                           vs_label_vertex(labels, middle[edge]), vs_label_vertex(labels, node), a, b);
        if (role[node] != 0 && role[node] != edge + 1)
            return vs_fail(mesh->arena.context, VS_ERROR_DATA,
                           "%selement %" PRId64 ": vertex %" PRId64 " in the middle of the edge (%" PRId64 ", %" PRId64
                           ") is also %s",
                           labels->begin, vs_label_element(labels, element), vs_label_vertex(labels, node), a, b,
                           role[node] < 0 ? "a corner" : "in the middle of another one");
        role[node] = edge + 1;
        middle[edge] = node;
        if (!first[edge])
            first[edge] = element + 1;
    }
    return VS_OK;
}

vs_error vs_mesh_connect(vs_mesh *mesh, vs_arena *scratch, const vs_sides *sides, const vs_mesh_labels *labels) {
    int *of_element;
    vs_error error = list_surface(mesh, scratch, sides, labels);
    if (error || (error = list_adjacency(mesh)) || (error = find_edges(mesh, scratch, &of_element)))
        return error;
    if (mesh->nodes == 10 && (error = check_middles(mesh, scratch, of_element, labels)))
        return error;
    return find_surface_edges(mesh, scratch);
}
