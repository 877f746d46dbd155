// Bytes become a solid of cubes, which is decomposed: the first four choose the cubes of a 3 x 3 x 3 grid, the next the options,
// the others move vertices. Parts must be finite and, if no vertex was moved, have together at least the volume of the solid.
#include <stdlib.h>
#include <string.h>

#include "bytes.h"
#include "shape/build.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { N = 3, POINTS = 64, MOST = 27 * 12, PARTS = 8 };

static void check(bool good) {
    if (!good)
        abort();
}

static bool has(uint32_t cubes, int x, int y, int z) {
    return x >= 0 && y >= 0 && z >= 0 && x < N && y < N && z < N && (cubes >> (x + N * (y + N * z)) & 1);
}

static int point_at(const int at[3]) {
    return at[0] + 4 * (at[1] + 4 * at[2]);
}

// The side of a cube towards axis, side 0 or 1: two triangles, counter-clockwise seen from outside.
static int add_side(const int cube[3], int axis, int side, int *index) {
    static const int turn[2][4][2] = {{{0, 0}, {0, 1}, {1, 1}, {1, 0}}, {{0, 0}, {1, 0}, {1, 1}, {0, 1}}};
    int corner[4];
    for (int k = 0; k < 4; k++) {
        int at[3] = {cube[0], cube[1], cube[2]};
        at[axis] += side;
        at[(axis + 1) % 3] += turn[side][k][0];
        at[(axis + 2) % 3] += turn[side][k][1];
        corner[k] = point_at(at);
    }
    const int both[6] = {corner[0], corner[1], corner[2], corner[0], corner[2], corner[3]};
    memcpy(index, both, sizeof both);
    return 2;
}

static int surface_of(uint32_t cubes, int *index) {
    int triangles = 0;
    for (int k = 0; k < N * N * N; k++) {
        const int cube[3] = {k % N, k / N % N, k / (N * N)};
        for (int axis = 0; axis < 3 && has(cubes, cube[0], cube[1], cube[2]); axis++)
            for (int side = 0; side < 2; side++) {
                int next[3] = {cube[0], cube[1], cube[2]};
                next[axis] += side ? 1 : -1;
                if (!has(cubes, next[0], next[1], next[2]))
                    triangles += add_side(cube, axis, side, index + 3 * triangles);
            }
    }
    return triangles;
}

static void check_parts(const vs_shape *mesh, const vs_decompose_options *options, bool exact) {
    vs_shape *part[PARTS] = {NULL};
    int parts = 0;
    double error = 0, sum = 0;
    vs_mass_properties whole = {0}, mass = {0};
    if (vs_shape_get_mass(mesh, 1, &whole) != VS_OK || vs_shape_decompose(mesh, options, part, &parts, &error) != VS_OK)
        return;
    check(parts >= 1 && parts <= options->parts && isfinite(error));
    for (int k = 0; k < parts; k++) {
        check(part[k] && vs_shape_get_mass(part[k], 1, &mass) == VS_OK);
        check(isfinite(mass.mass) && mass.mass > 0);
        sum += mass.mass;
        vs_shape_release(part[k]);
    }
    if (exact)
        check(sum >= whole.mass * (1 - 1e-9) && error >= -1e-9);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    vs_context *context = NULL;
    vs_shape *mesh = NULL;
    vs_vec3 vertex[POINTS];
    int index[3 * MOST];
    if (size < 5 || vs_context_create(NULL, &context))
        return 0;
    const uint32_t cubes = data[0] | (uint32_t)data[1] << 8 | (uint32_t)data[2] << 16 | (uint32_t)data[3] << 24;
    const vs_decompose_options options = {.error = data[4] & 1 ? .01 : 0, .parts = 1 + (data[4] >> 5)};
    for (int k = 0; k < POINTS; k++)
        vertex[k] = (vs_vec3){k % 4, k / 4 % 4, k / 16};
    for (size_t k = 5; k < size && k - 5 < 3 * POINTS; k++) {
        vs_vec3 *v = &vertex[(k - 5) / 3];
        double *x = (k - 5) % 3 == 0 ? &v->x : (k - 5) % 3 == 1 ? &v->y : &v->z;
        *x += ((double)data[k] - 128) / 512;
    }
    const int triangles = surface_of(cubes, index);
    if (triangles > 0 && vs_shape_mesh(context, vertex, POINTS, index, triangles, &mesh) == VS_OK)
        check_parts(mesh, &options, size == 5);
    vs_shape_release(mesh);
    vs_context_destroy(context);
    return 0;
}
