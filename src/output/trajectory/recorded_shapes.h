// The shapes of a trajectory: /bodies/shape (docs/formats.md).
#ifndef VS_OUTPUT_RECORDED_SHAPES_H
#define VS_OUTPUT_RECORDED_SHAPES_H

#include "output/trajectory/dataset_rows.h"

typedef struct vs_recorded_shape {
    int kind;           // vs_shape_kind
    const double *size; // (3)
    int64_t vertices, triangles;
    const double *vertex; // (3 vertices)
    const int *triangle;  // (3 triangles)
} vs_recorded_shape;

// All of them, in an arena. Without kinds and sizes: closed surfaces.
typedef struct vs_recorded_shapes {
    int64_t count, vertices, triangles;
    int *kind, *triangle;                     // (count), (3 triangles)
    double *size, *vertex;                    // (3 count), (3 vertices)
    int64_t *vertex_offset, *triangle_offset; // (count + 1)
} vs_recorded_shapes;

vs_error vs_recorded_shapes_read(const vs_h5_group *root, vs_arena *arena, vs_recorded_shapes *a);
// Offsets begin at 0, do not decrease, and end with the number of rows.
bool vs_recorded_shapes_fit(const vs_recorded_shapes *a);
vs_recorded_shape vs_recorded_shapes_at(const vs_recorded_shapes *a, int64_t k);
// VS_ERROR_DATA unless its kind is known, its sizes are finite, and its triangles have vertices that exist.
vs_error vs_recorded_shape_check(vs_context *context, const vs_recorded_shape *shape);
// m^3; 0 of planes and height fields, without meaning for open meshes
double vs_recorded_shape_volume(const vs_recorded_shape *shape);

#endif
