// Meshes of tetrahedra: creation from arrays, and queries.
//
// Everything is checked before it is used, in the order vertices, elements, connectivity, sets. After
// that a mesh is valid: indices exist, volumes are positive, the surface is closed. Topology is in tet_topology.c.
#include "shape/mesh_data.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

// ---- vertices and elements -------------------------------------------------------------------------

static vs_error check_vertices(const vs_mesh *mesh, const vs_mesh_labels *labels) {
    const double most = 1e30; // m
    for (int k = 0; k < mesh->vertices; k++) {
        const vs_vec3 v = mesh->vertex[k];
        if (!(fabs(v.x) <= most && fabs(v.y) <= most && fabs(v.z) <= most))
            return vs_fail(mesh->arena.context, VS_ERROR_DATA,
                           "%svertex %" PRId64 " is not finite or too large (%g, %g, %g)", labels->begin,
                           vs_label_vertex(labels, k), v.x, v.y, v.z);
    }
    return VS_OK;
}

// All nodes exist, and all vertices are nodes.
static vs_error check_nodes(const vs_mesh *mesh, vs_arena *scratch, const vs_mesh_labels *labels) {
    bool *used = VS_NEW_ZERO(scratch, bool, mesh->vertices);
    if (!used)
        return VS_ERROR_MEMORY;
    for (int64_t k = 0; k < mesh->nodes * (int64_t)mesh->elements; k++) {
        const int node = mesh->element[k];
        if (node < 0 || node >= mesh->vertices)
            return vs_fail(mesh->arena.context, VS_ERROR_DATA,
                           "%selement %" PRId64 ": there is no vertex %d (vertices 0 to %d)", labels->begin,
                           vs_label_element(labels, (int)(k / mesh->nodes)), node, mesh->vertices - 1);
        used[node] = true;
    }
    for (int k = 0; k < mesh->vertices; k++)
        if (!used[k])
            return vs_fail(mesh->arena.context, VS_ERROR_DATA, "%svertex %" PRId64 " belongs to no element",
                           labels->begin, vs_label_vertex(labels, k));
    return VS_OK;
}

static double longest_edge(const vs_vec3 *vertex, const int *element) {
    double most = 0;
    for (int k = 0; k < 6; k++) {
        const vs_vec3 e = vs_subtract(vertex[element[VS_MESH_EDGE[k][1]]], vertex[element[VS_MESH_EDGE[k][0]]]);
        most = fmax(most, vs_dot(e, e));
    }
    return sqrt(most);
}

static void swap(int *element, int i, int j) {
    const int k = element[i];
    element[i] = element[j];
    element[j] = k;
}

// Reverses elements of negative volume; those without volume are an error.
static vs_error orient(vs_mesh *mesh, const vs_mesh_labels *labels) {
    int turned = 0;
    for (int k = 0; k < mesh->elements; k++) {
        int *element = mesh->element + mesh->nodes * (int64_t)k;
        const double determinant = vs_mesh_tet_determinant(mesh->vertex, element),
                     edge = longest_edge(mesh->vertex, element);
        // As for triangles: a height below 1e-12 of the base has no defined direction after rounding.
        if (!(fabs(determinant) > 1e-12 * edge * edge * edge))
            return vs_fail(mesh->arena.context, VS_ERROR_DATA,
                           "%selement %" PRId64 " (%" PRId64 ", %" PRId64 ", %" PRId64 ", %" PRId64 ") has no volume",
                           labels->begin, vs_label_element(labels, k), vs_label_vertex(labels, element[0]),
                           vs_label_vertex(labels, element[1]), vs_label_vertex(labels, element[2]),
                           vs_label_vertex(labels, element[3]));
        if (determinant > 0)
            continue;
        turned++;
        swap(element, 1, 2);
        if (mesh->nodes == 10) {
            swap(element, 4, 6); // 01, 20
            swap(element, 8, 9); // 13, 23
        }
    }
    if (turned)
        vs_log(mesh->arena.context, VS_LOG_INFO, "%s%d of %d elements had negative volume and were reversed",
               labels->begin, turned, mesh->elements);
    return VS_OK;
}

// Where element matrices are integrated, det J must be positive. Nodes in another order are rejected here.
static vs_error check_jacobians(const vs_mesh *mesh, const vs_mesh_labels *labels) {
    const double far = .5854101966249685, near = .1381966011250105; // the 4-point rule: (5 + 3 sqrt 5) / 20, …
    for (int k = 0; k < mesh->elements; k++)
        for (int c = 0; c < 4; c++) {
            double at[4] = {near, near, near, near};
            at[c] = far;
            if (!(vs_mesh_tet_jacobian(mesh->vertex, mesh->element + 10 * (int64_t)k, at) > 0))
                return vs_fail(mesh->arena.context, VS_ERROR_DATA,
                               "%selement %" PRId64
                               ": its middle nodes invert it (wrong order of nodes, or too curved)",
                               labels->begin, vs_label_element(labels, k));
        }
    return VS_OK;
}

void vs_mesh_measure(vs_mesh *mesh) {
    double sum = 0, rest = 0; // Kahan's sum: a million equal terms would lose five digits
    for (int k = 0; k < mesh->elements; k++) {
        const double next =
            vs_mesh_tet_volume(mesh->vertex, mesh->element + mesh->nodes * (int64_t)k, mesh->nodes) - rest;
        const double total = sum + next;
        rest = (total - sum) - next;
        sum = total;
    }
    mesh->volume = sum;
    mesh->low = mesh->high = mesh->vertex[0];
    for (int k = 1; k < mesh->vertices; k++) {
        const vs_vec3 v = mesh->vertex[k], l = mesh->low, h = mesh->high;
        mesh->low = (vs_vec3){fmin(l.x, v.x), fmin(l.y, v.y), fmin(l.z, v.z)};
        mesh->high = (vs_vec3){fmax(h.x, v.x), fmax(h.y, v.y), fmax(h.z, v.z)};
    }
}

// ---- sets ------------------------------------------------------------------------------------------

static int compare_ints(const void *a, const void *b) {
    const int i = *(const int *)a, j = *(const int *)b;
    return (i > j) - (i < j);
}

typedef struct set_name {
    vs_mesh_set_kind kind;
    const char *text;
} set_name;

static int compare_names(const void *a, const void *b) {
    const set_name *p = a, *q = b;
    return p->kind != q->kind ? (p->kind > q->kind) - (p->kind < q->kind) : strcmp(p->text, q->text);
}

static vs_error check_names(const vs_mesh *mesh, vs_arena *scratch, const vs_mesh_def *def) {
    set_name *sorted = VS_NEW(scratch, set_name, def->sets);
    if (!sorted)
        return VS_ERROR_MEMORY;
    for (int k = 0; k < def->sets; k++) {
        const vs_mesh_set_def *set = def->set + k;
        if ((int)set->kind < VS_MESH_SET_VERTICES || set->kind > VS_MESH_SET_ELEMENTS)
            return vs_fail(mesh->arena.context, VS_ERROR_ARGUMENT, "set[%d].kind: there is no kind %d", k,
                           (int)set->kind);
        if (!set->name || !set->name[0] || strnlen(set->name, VS_MESH_NAME_MOST + 1) > VS_MESH_NAME_MOST)
            return vs_fail(mesh->arena.context, VS_ERROR_ARGUMENT, "set[%d].name must have 1 to %d characters", k,
                           VS_MESH_NAME_MOST);
        if (set->count < 0 || (set->count > 0 && !set->item))
            return vs_fail(mesh->arena.context, VS_ERROR_ARGUMENT, "set '%s': count is negative or item is null",
                           set->name);
        sorted[k] = (set_name){set->kind, set->name};
    }
    qsort(sorted, (size_t)def->sets, sizeof *sorted, compare_names);
    for (int k = 1; k < def->sets; k++)
        if (compare_names(sorted + k - 1, sorted + k) == 0)
            return vs_fail(mesh->arena.context, VS_ERROR_DATA, "two sets of one kind have the name '%s'",
                           sorted[k].text);
    return VS_OK;
}

// The member with the index k of a set as it is stored, -1 if it does not exist.
static int find_member(const vs_mesh *mesh, const vs_sides *sides, const vs_mesh_set_def *set, int k) {
    if (set->kind == VS_MESH_SET_FACES)
        return vs_sides_find(sides, set->item + 3 * (int64_t)k);
    const int limit = set->kind == VS_MESH_SET_VERTICES ? mesh->vertices : mesh->elements;
    return set->item[k] < limit ? set->item[k] : -1;
}

static vs_error fail_member(const vs_mesh *mesh, const vs_mesh_labels *labels, const vs_mesh_set_def *set, int k) {
    vs_context *context = mesh->arena.context;
    if (set->kind != VS_MESH_SET_FACES)
        return vs_fail(context, VS_ERROR_DATA, "%sset '%s': there is no %s %d", labels->begin, set->name,
                       set->kind == VS_MESH_SET_VERTICES ? "vertex" : "element", set->item[k]);
    int64_t corner[3];
    for (int c = 0; c < 3; c++) {
        const int v = set->item[3 * (int64_t)k + c];
        corner[c] = v >= 0 && v < mesh->vertices ? vs_label_vertex(labels, v) : v;
    }
    return vs_fail(context, VS_ERROR_DATA,
                   "%sset '%s': the triangle (%" PRId64 ", %" PRId64 ", %" PRId64 ") is not a face of any element",
                   labels->begin, set->name, corner[0], corner[1], corner[2]);
}

static vs_error copy_set(vs_mesh *mesh, const vs_sides *sides, const vs_mesh_labels *labels, const vs_mesh_set_def *def,
                         vs_mesh_set *set) {
    int *item = VS_NEW(&mesh->arena, int, def->count);
    const char *name = VS_COPY(&mesh->arena, char, def->name, (int64_t)strlen(def->name) + 1);
    if (!item || !name)
        return VS_ERROR_MEMORY;
    for (int k = 0; k < def->count; k++) {
        item[k] = find_member(mesh, sides, def, k);
        if (item[k] < 0)
            return fail_member(mesh, labels, def, k);
    }
    qsort(item, (size_t)def->count, sizeof *item, compare_ints);
    int kept = 0;
    for (int k = 0; k < def->count; k++)
        if (kept == 0 || item[k] != item[kept - 1])
            item[kept++] = item[k];
    *set = (vs_mesh_set){.kind = def->kind, .name = name, .tag = def->tag, .count = kept, .item = item};
    return VS_OK;
}

static vs_error copy_sets(vs_mesh *mesh, vs_arena *scratch, const vs_mesh_def *def, const vs_sides *sides,
                          const vs_mesh_labels *labels) {
    mesh->set = VS_NEW(&mesh->arena, vs_mesh_set, def->sets);
    vs_error error = mesh->set ? check_names(mesh, scratch, def) : VS_ERROR_MEMORY;
    for (int k = 0; !error && k < def->sets; k++) {
        error = copy_set(mesh, sides, labels, def->set + k, mesh->set + k);
        mesh->sets = k + 1;
    }
    return error;
}

// ---- making ----------------------------------------------------------------------------------------

vs_mesh_def vs_mesh_def_default(void) {
    return (vs_mesh_def){.nodes = 4};
}

static vs_error copy_arrays(vs_mesh *mesh, const vs_mesh_def *def) {
    const int64_t nodes = def->nodes * (int64_t)def->elements;
    mesh->vertices = def->vertices;
    mesh->elements = def->elements;
    mesh->nodes = def->nodes;
    mesh->vertex = VS_COPY(&mesh->arena, vs_vec3, def->vertex, def->vertices);
    mesh->element = VS_COPY(&mesh->arena, int, def->element, nodes);
    mesh->tag =
        def->tag ? VS_COPY(&mesh->arena, int, def->tag, def->elements) : VS_NEW_ZERO(&mesh->arena, int, def->elements);
    return mesh->vertex && mesh->element && mesh->tag ? VS_OK : VS_ERROR_MEMORY;
}

static vs_error fill(vs_mesh *mesh, vs_arena *scratch, const vs_mesh_def *def, const vs_mesh_labels *labels) {
    vs_sides sides;
    vs_error error = copy_arrays(mesh, def);
    if (error || (error = check_vertices(mesh, labels)) || (error = check_nodes(mesh, scratch, labels)) ||
        (error = orient(mesh, labels)))
        return error;
    if (mesh->nodes == 10 && (error = check_jacobians(mesh, labels)))
        return error;
    if ((error = vs_sides_sort(scratch, mesh, &sides)) || (error = vs_mesh_connect(mesh, scratch, &sides, labels)) ||
        (error = copy_sets(mesh, scratch, def, &sides, labels)))
        return error;
    vs_mesh_measure(mesh);
    return VS_OK;
}

vs_error vs_mesh_build(vs_context *context, const vs_mesh_def *def, const vs_mesh_labels *labels, vs_mesh **mesh) {
    vs_mesh *made = vs_allocate(context, sizeof *made);
    if (!made)
        return vs_fail_memory(context);
    vs_arena scratch;
    vs_arena_init(&scratch, context);
    *made = (vs_mesh){0};
    vs_arena_init(&made->arena, context);
    vs_error error = fill(made, &scratch, def, labels);
    vs_arena_release(&scratch);
    if (error)
        vs_mesh_destroy(made);
    else
        *mesh = made;
    return error;
}

vs_error vs_mesh_create(vs_context *context, const vs_mesh_def *def, vs_mesh **mesh) {
    static const vs_mesh_labels plain = {.begin = ""};
    if (mesh)
        *mesh = NULL;
    if (!context || !def || !mesh)
        return vs_fail(context, VS_ERROR_ARGUMENT, "context, def or mesh is null");
    if (def->nodes != 4 && def->nodes != 10)
        return vs_fail(context, VS_ERROR_ARGUMENT, "nodes must be 4 or 10 (is %d)", def->nodes);
    if (def->vertices < 4 || def->elements < 1 || def->vertices > VS_MESH_MOST || def->elements > VS_MESH_MOST)
        return vs_fail(context, VS_ERROR_ARGUMENT, "a mesh has 4 to %d vertices and 1 to %d elements (has %d and %d)",
                       VS_MESH_MOST, VS_MESH_MOST, def->vertices, def->elements);
    if (def->sets < 0 || !def->vertex || !def->element || (def->sets > 0 && !def->set))
        return vs_fail(context, VS_ERROR_ARGUMENT, "vertex, element or set is null, or sets is negative");
    return vs_mesh_build(context, def, &plain, mesh);
}

void vs_mesh_destroy(vs_mesh *mesh) {
    if (!mesh)
        return;
    vs_context *context = mesh->arena.context;
    vs_arena_release(&mesh->arena);
    vs_release(context, mesh);
}

// ---- queries ---------------------------------------------------------------------------------------

vs_mesh_view vs_mesh_get_view(const vs_mesh *mesh) {
    if (!mesh)
        return (vs_mesh_view){0};
    return (vs_mesh_view){
        .vertices = mesh->vertices,
        .vertex = mesh->vertex,
        .elements = mesh->elements,
        .nodes = mesh->nodes,
        .element = mesh->element,
        .tag = mesh->tag,
        .faces = mesh->faces,
        .face_nodes = mesh->face_nodes,
        .face = mesh->face,
        .face_side = mesh->face_side,
        .surface_vertices = mesh->surface_vertices,
        .surface_vertex = mesh->surface_vertex,
        .vertex_face_start = mesh->vertex_face_start,
        .vertex_face = mesh->vertex_face,
        .edges = mesh->edges,
        .edge = mesh->edge,
        .surface_edges = mesh->surface_edges,
        .surface_edge = mesh->surface_edge,
        .volume = mesh->volume,
        .low = mesh->low,
        .high = mesh->high,
    };
}

int vs_mesh_find_face(const vs_mesh *mesh, int side) {
    if (!mesh || mesh->faces == 0)
        return -1;
    const int *found = bsearch(&side, mesh->face_side, (size_t)mesh->faces, sizeof side, compare_ints);
    return found ? (int)(found - mesh->face_side) : -1;
}

int vs_mesh_get_set_count(const vs_mesh *mesh) {
    return mesh ? mesh->sets : 0;
}

vs_mesh_set vs_mesh_get_set_at(const vs_mesh *mesh, int index) {
    return mesh && index >= 0 && index < mesh->sets ? mesh->set[index] : (vs_mesh_set){0};
}

int vs_mesh_find_set(const vs_mesh *mesh, vs_mesh_set_kind kind, const char *name) {
    for (int k = 0; mesh && name && k < mesh->sets; k++)
        if (mesh->set[k].kind == kind && strcmp(mesh->set[k].name, name) == 0)
            return k;
    return -1;
}
