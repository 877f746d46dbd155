// Bytes as a gmsh file, text or binary. The result must be a valid mesh (nodes within the vertices, positive volumes, a
// surface whose faces point out of their elements, sets in order) or an error with a text. Memory must not grow faster
// than the file: a few bytes that declare 10^12 nodes must not get any. Valid meshes with four nodes are refined to
// ten.
#include <stdlib.h>
#include <string.h>

#include "bytes.h"
#include "shape/mesh_data.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(bool good) {
    if (!good)
        abort();
}

// ---- memory ----------------------------------------------------------------------------------------

typedef struct budget {
    size_t used, most;
} budget;

typedef struct head {
    size_t bytes, padding; // keeps 16-byte alignment
} head;

static void *allocate(void *user, size_t bytes) {
    budget *b = user;
    if (bytes > b->most - b->used)
        return NULL;
    head *h = malloc(sizeof *h + bytes);
    check(h != NULL);
    h->bytes = bytes;
    b->used += bytes;
    return h + 1;
}

static void release(void *user, void *memory) {
    head *h = (head *)memory - 1;
    ((budget *)user)->used -= h->bytes;
    free(h);
}

// ---- validity --------------------------------------------------------------------------------------

static void check_elements(const vs_mesh_view *v) {
    for (int64_t k = 0; k < v->nodes * (int64_t)v->elements; k++)
        check(v->element[k] >= 0 && v->element[k] < v->vertices);
    for (int k = 0; k < v->elements; k++)
        check(vs_mesh_tet_determinant(v->vertex, v->element + v->nodes * (int64_t)k) > 0);
    for (int k = 0; k < v->vertices; k++) {
        const vs_vec3 x = v->vertex[k];
        check(x.x >= v->low.x && x.x <= v->high.x && x.y >= v->low.y && x.y <= v->high.y && x.z >= v->low.z &&
              x.z <= v->high.z);
    }
}

static void check_surface(const vs_mesh *mesh, const vs_mesh_view *v) {
    check(v->vertex_face_start[v->vertices] == v->face_nodes * v->faces);
    for (int k = 0; k < v->faces; k++) {
        int node[6];
        check(vs_mesh_get_side_nodes(mesh, v->face_side[k], node) == v->face_nodes);
        check(memcmp(node, v->face + v->face_nodes * (int64_t)k, (size_t)v->face_nodes * sizeof(int)) == 0);
        check(vs_mesh_find_face(mesh, v->face_side[k]) == k);
    }
    for (int k = 0; k < v->edges; k++)
        check(v->edge[2 * k] < v->edge[2 * k + 1]);
}

static void check_sets(const vs_mesh *mesh, const vs_mesh_view *v) {
    for (int k = 0; k < vs_mesh_get_set_count(mesh); k++) {
        const vs_mesh_set set = vs_mesh_get_set_at(mesh, k);
        const int limit = set.kind == VS_MESH_SET_VERTICES ? v->vertices
                          : set.kind == VS_MESH_SET_FACES  ? 4 * v->elements
                                                           : v->elements;
        check(set.name[0] != 0 && set.count > 0);
        for (int j = 0; j < set.count; j++)
            check(set.item[j] >= 0 && set.item[j] < limit && (j == 0 || set.item[j] > set.item[j - 1]));
    }
}

static void check_mesh(const vs_mesh *mesh) {
    const vs_mesh_view v = vs_mesh_get_view(mesh);
    vs_mesh_quality quality;
    check_elements(&v);
    check_surface(mesh, &v);
    check_sets(mesh, &v);
    if (vs_mesh_get_quality(mesh, &quality) == VS_OK)
        check(quality.parts >= 1 && quality.volume_least <= quality.volume_most);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    vs_context *context = NULL;
    vs_context_def def = vs_context_def_default();
    // An element of 8 bytes may be in 32 groups, with three vertices and a face each.
    budget b = {.most = ((size_t)1 << 20) + 4096 * size};
    def.allocate = allocate;
    def.release = release;
    def.allocator_user = &b;
    check(vs_context_create(&def, &context) == VS_OK);
    // Of the exact length and with the zero byte that the reader needs.
    char *bytes = malloc(size + 1);
    check(bytes != NULL);
    memcpy(bytes, data, size);
    bytes[size] = 0;
    vs_mesh *mesh = NULL, *quadratic = NULL;
    const vs_error error = vs_mesh_from_bytes(context, "input", bytes, size, 1, &mesh);
    check((error == VS_OK) == (mesh != NULL));
    if (mesh) {
        check_mesh(mesh);
        if (vs_mesh_get_view(mesh).nodes == 4 && vs_mesh_make_quadratic(mesh, &quadratic) == VS_OK)
            check_mesh(quadratic);
    } else {
        check(error == VS_ERROR_DATA && strncmp(vs_context_get_error_text(context), "input", 5) == 0);
    }
    vs_mesh_destroy(quadratic);
    vs_mesh_destroy(mesh);
    free(bytes);
    vs_context_destroy(context);
    check(b.used == 0);
    return 0;
}
