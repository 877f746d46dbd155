// The shapes of a trajectory.
#include "output/trajectory/recorded_shapes.h"
#include "base/elementary.h"
#include "base/vec.h"
#include "voussoir/shape.h"

#include <math.h>
#include <string.h>

static vs_error table(const vs_h5_group *root, const char *path, vs_number number, int width, vs_arena *arena,
                      int64_t *count, void *to) {
    void *data = NULL;
    const vs_error error = vs_h5_read_table(root, path, number, width, arena, count, &data);
    (void)memcpy(to, &data, sizeof data);
    return error;
}

static bool fits(const int64_t *offset, int64_t count, int64_t rows) {
    bool good = offset[0] == 0 && offset[count] == rows;
    for (int64_t k = 0; k < count; k++)
        good = good && offset[k] <= offset[k + 1];
    return good;
}

bool vs_recorded_shapes_fit(const vs_recorded_shapes *a) {
    return fits(a->vertex_offset, a->count, a->vertices) && fits(a->triangle_offset, a->count, a->triangles);
}

vs_error vs_recorded_shapes_read(const vs_h5_group *root, vs_arena *arena, vs_recorded_shapes *a) {
    *a = (vs_recorded_shapes){.count = -1, .vertices = -1, .triangles = -1};
    vs_error error = table(root, "bodies/shape/kind", VS_NUMBER_INT, 1, arena, &a->count, &a->kind);
    int64_t offsets = a->count + 1;
    if (!error)
        error = table(root, "bodies/shape/size", VS_NUMBER_DOUBLE, 3, arena, &a->count, &a->size);
    if (!error)
        error = table(root, "bodies/shape/vertex_offset", VS_NUMBER_INT64, 1, arena, &offsets, &a->vertex_offset);
    if (!error)
        error = table(root, "bodies/shape/triangle_offset", VS_NUMBER_INT64, 1, arena, &offsets, &a->triangle_offset);
    if (!error)
        error = table(root, "bodies/shape/vertex", VS_NUMBER_DOUBLE, 3, arena, &a->vertices, &a->vertex);
    if (!error)
        error = table(root, "bodies/shape/triangle", VS_NUMBER_INT, 3, arena, &a->triangles, &a->triangle);
    if (!error && !vs_recorded_shapes_fit(a))
        error = vs_fail(arena->context, VS_ERROR_DATA, "offsets of bodies/shape are invalid");
    return error;
}

vs_recorded_shape vs_recorded_shapes_at(const vs_recorded_shapes *a, int64_t k) {
    static const double none[3] = {0};
    const int64_t v = a->vertex_offset[k], t = a->triangle_offset[k];
    return (vs_recorded_shape){a->kind ? a->kind[k] : VS_SHAPE_HULL,
                               a->size ? a->size + 3 * k : none,
                               a->vertex_offset[k + 1] - v,
                               a->triangle_offset[k + 1] - t,
                               a->vertex + 3 * v,
                               a->triangle + 3 * t};
}

vs_error vs_recorded_shape_check(vs_context *context, const vs_recorded_shape *shape) {
    bool good = shape->kind >= 0 && shape->kind < VS_SHAPE_KINDS;
    for (int i = 0; i < 3; i++)
        good = good && isfinite(shape->size[i]) && shape->size[i] >= 0;
    for (int64_t k = 0; good && k < 3 * shape->triangles; k++)
        good = shape->triangle[k] >= 0 && shape->triangle[k] < shape->vertices;
    return good ? VS_OK : vs_fail(context, VS_ERROR_DATA, "bodies/shape contains an invalid shape");
}

static vs_vec3 corner(const vs_recorded_shape *shape, int64_t k) {
    const double *x = shape->vertex + 3 * (int64_t)shape->triangle[k];
    return (vs_vec3){x[0], x[1], x[2]};
}

// By the divergence theorem.
static double volume_within(const vs_recorded_shape *shape) {
    double volume = 0;
    for (int64_t k = 0; k < 3 * shape->triangles; k += 3)
        volume += vs_dot(corner(shape, k), vs_cross(corner(shape, k + 1), corner(shape, k + 2))) / 6;
    return fmax(0, volume);
}

double vs_recorded_shape_volume(const vs_recorded_shape *shape) {
    const double *size = shape->size, r = size[0];
    switch (shape->kind) {
    case VS_SHAPE_SPHERE:
        return 4 * VS_PI / 3 * r * r * r;
    case VS_SHAPE_BOX:
        return 8 * r * size[1] * size[2];
    case VS_SHAPE_ELLIPSOID:
        return 4 * VS_PI / 3 * r * size[1] * size[2];
    case VS_SHAPE_CAPSULE:
        return VS_PI * r * r * (2 * size[1] + 4 * r / 3);
    case VS_SHAPE_CYLINDER:
        return 2 * VS_PI * r * r * size[1];
    case VS_SHAPE_HULL:
    case VS_SHAPE_MESH:
        return volume_within(shape);
    default:
        return 0;
    }
}
