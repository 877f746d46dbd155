// A ring of tetrahedra: cells around an axis, each cut into six (Kuhn, see tet_solids.c). The cut is the same in every
// cell, so that the last one fits the first.
#include "base/elementary.h"
#include "shape/mesh_data.h"

#include <math.h>

static const int WAY[6][3] = {{0, 1, 2}, {1, 2, 0}, {2, 0, 1}, {0, 2, 1}, {2, 1, 0}, {1, 0, 2}};

// around, outwards, along z
static int vertex_at(const int *cells, int i, int j, int k) {
    return i % cells[0] + cells[0] * (j + (cells[1] + 1) * k);
}

static void place(const int *cells, double inner, double outer, double half_length, vs_vec3 *vertex) {
    const double pi = 3.14159265358979323846;
    for (int k = 0; k <= cells[2]; k++)
        for (int j = 0; j <= cells[1]; j++)
            for (int i = 0; i < cells[0]; i++) {
                double angle = 2 * pi * i / cells[0], r = inner + (outer - inner) * j / cells[1];
                vertex[vertex_at(cells, i, j, k)] =
                    (vs_vec3){r * vs_cos(angle), r * vs_sin(angle), half_length * (2. * k / cells[2] - 1)};
            }
}

static void cut(const int *cells, int *element) {
    for (int k = 0; k < cells[2]; k++)
        for (int j = 0; j < cells[1]; j++)
            for (int i = 0; i < cells[0]; i++)
                for (int w = 0; w < 6; w++, element += 4) {
                    int at[3] = {i, j, k};
                    element[0] = vertex_at(cells, at[0], at[1], at[2]);
                    for (int s = 0; s < 3; s++) {
                        at[WAY[w][s]]++;
                        element[s + 1] = vertex_at(cells, at[0], at[1], at[2]);
                    }
                }
}

// The four surfaces as sets of vertices; item (2 vertices: at most so many in two opposite ones).
static void make_sets(const int *cells, int vertices, int *item, vs_mesh_set_def set[4]) {
    static const char *const name[4] = {"inside", "outside", "-z", "+z"};
    for (int s = 0; s < 4; s++) {
        int count = 0;
        for (int v = 0; v < vertices; v++) {
            int j = v / cells[0] % (cells[1] + 1), k = v / cells[0] / (cells[1] + 1);
            int at = s < 2 ? j : k, end = s % 2 ? cells[s < 2 ? 1 : 2] : 0;
            if (at == end)
                item[count++] = v;
        }
        set[s] = (vs_mesh_set_def){.kind = VS_MESH_SET_VERTICES, .name = name[s], .count = count, .item = item};
        item += count;
    }
}

static vs_error make(vs_context *context, vs_arena *scratch, const double *size, const int *cells, vs_mesh **mesh) {
    int vertices = cells[0] * (cells[1] + 1) * (cells[2] + 1), elements = 6 * cells[0] * cells[1] * cells[2];
    vs_mesh_def def = vs_mesh_def_default();
    vs_vec3 *vertex = VS_NEW(scratch, vs_vec3, vertices);
    int *element = VS_NEW(scratch, int, 4 * (int64_t)elements), *item = VS_NEW(scratch, int, 4 * (int64_t)vertices);
    if (!vertex || !element || !item)
        return VS_ERROR_MEMORY;
    vs_mesh_set_def set[4];
    place(cells, size[0], size[1], size[2], vertex);
    cut(cells, element);
    make_sets(cells, vertices, item, set);
    def.vertices = vertices, def.vertex = vertex;
    def.elements = elements, def.element = element;
    def.sets = 4, def.set = set;
    return vs_mesh_create(context, &def, mesh);
}

vs_error vs_mesh_ring(vs_context *context, double inner, double outer, double half_length, const int *cells, int nodes,
                      vs_mesh **mesh) {
    if (!context || !mesh || !cells)
        return vs_fail(context, VS_ERROR_ARGUMENT, "ring: an argument is null");
    *mesh = NULL;
    if (!(inner > 0 && outer > inner && half_length > 0) || !isfinite(outer) || !isfinite(half_length))
        return vs_fail(context, VS_ERROR_ARGUMENT,
                       "ring: need 0 < inner < outer and half length > 0 (radii %g and %g m, half length %g m)", inner,
                       outer, half_length);
    if (nodes != 4 && nodes != 10)
        return vs_fail(context, VS_ERROR_ARGUMENT, "ring: nodes must be 4 or 10 (is %d)", nodes);
    double product = 1;
    for (int k = 0; k < 3; k++) {
        if (cells[k] < (k == 0 ? 3 : 1))
            return vs_fail(context, VS_ERROR_ARGUMENT, "ring: too few cells: cells[%d] is %d", k, cells[k]);
        product *= cells[k] + 1.;
    }
    if (6 * product > VS_MESH_MOST)
        return vs_fail(context, VS_ERROR_ARGUMENT, "ring: too many cells");
    vs_arena scratch;
    vs_arena_init(&scratch, context);
    vs_mesh *linear = NULL;
    vs_error error = make(context, &scratch, (const double[]){inner, outer, half_length}, cells, &linear);
    vs_arena_release(&scratch);
    if (error || nodes == 4) {
        *mesh = linear;
        return error;
    }
    error = vs_mesh_make_quadratic(linear, mesh);
    vs_mesh_destroy(linear);
    return error;
}
