// Bytes become an STL or OBJ file, which is read, as a mesh and as a hull. The first byte chooses format and scale.
// The result must be a valid shape (corners within the vertices, finite bounds that contain every corner, a closed
// hull) or an error with a text.
#include <stdlib.h>

#include "bytes.h"
#include "shape/build.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(bool good) {
    if (!good)
        abort();
}

static bool holds(vs_box3 box, vs_vec3 v) {
    return v.x >= box.low.x && v.x <= box.high.x && v.y >= box.low.y && v.y <= box.high.y && v.z >= box.low.z &&
           v.z <= box.high.z;
}

static bool count_visit(void *user, int triangle) {
    (void)triangle;
    ++*(int *)user;
    return true;
}

static void check_mesh(const vs_shape *shape) {
    const vs_triangles *t = &shape->triangles;
    int visited = 0;
    for (int k = 0; k < 3 * t->triangles; k++) {
        check(t->index[k] >= 0 && t->index[k] < t->vertices);
        check(holds(shape->bounds, t->vertex[t->index[k]]));
    }
    vs_triangles_query(t, shape->bounds, count_visit, &visited);
    check(visited == t->triangles);
}

static void check_hull(const vs_shape *shape) {
    const vs_polytope *p = &shape->polytope;
    check(p->vertices - p->edges + p->faces == 2);
    for (int k = 0; k < p->face_start[p->faces]; k++)
        check(p->face_vertex[k] >= 0 && p->face_vertex[k] < p->vertices);
    for (int k = 0; k < p->vertices; k++)
        check(holds(shape->bounds, p->vertex[k]));
    for (int f = 0; f < p->faces; f++)
        check(isfinite(p->offset[f]) && fabs(vs_length(p->normal[f]) - 1) < 1e-9);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    vs_context *context = NULL;
    if (size < 1 || vs_context_create(NULL, &context))
        return 0;
    const uint8_t choice = *data++;
    size--;
    // Of the exact length and with the zero byte that the readers need.
    char *bytes = malloc(size + 1);
    check(bytes != NULL);
    memcpy(bytes, data, size);
    bytes[size] = 0;
    const double scale = choice & 2 ? 1e-3 : 1;
    for (int hull = 0; hull < 2; hull++) {
        vs_shape *shape = NULL;
        vs_mass_properties mass;
        const vs_error error = vs_shape_from_bytes(context, "input", choice & 1 ? VS_MESH_OBJ : VS_MESH_STL, bytes,
                                                   size, scale, hull, &shape);
        check((error == VS_OK) == (shape != NULL));
        if (!shape) {
            check(error == VS_ERROR_DATA && vs_context_get_error_text(context)[0] != 0);
            continue;
        }
        if (hull)
            check_hull(shape);
        else
            check_mesh(shape);
        check(isfinite(shape->size));
        if (vs_shape_get_mass(shape, 1, &mass) == VS_OK)
            check(mass.mass > 0);
        vs_shape_release(shape);
    }
    free(bytes);
    vs_context_destroy(context);
    return 0;
}
