// Copies of shapes of another size: made anew from their sizes or vertices.
#include "shape/kind/scaled.h"

static vs_vec3 *scale_vertices(vs_arena *arena, const vs_vec3 *vertex, int count, double factor) {
    vs_vec3 *out = VS_NEW(arena, vs_vec3, count);
    for (int k = 0; k < count && out; k++)
        out[k] = vs_scale(factor, vertex[k]);
    return out;
}

static vs_error scale_hull(vs_context *context, const vs_shape *shape, double factor, vs_shape **scaled) {
    const vs_polytope *p = &shape->polytope;
    vs_arena arena;
    vs_arena_init(&arena, context);
    const vs_vec3 *vertex = scale_vertices(&arena, p->vertex, p->vertices, factor);
    const vs_error error = vertex ? vs_shape_hull(context, vertex, p->vertices, scaled) : VS_ERROR_MEMORY;
    vs_arena_release(&arena);
    return error;
}

static vs_error scale_mesh(vs_context *context, const vs_shape *shape, double factor, vs_shape **scaled) {
    const vs_triangles *t = &shape->triangles;
    vs_arena arena;
    vs_arena_init(&arena, context);
    const vs_vec3 *vertex = scale_vertices(&arena, t->vertex, t->vertices, factor);
    const vs_error error =
        vertex ? vs_shape_mesh(context, vertex, t->vertices, t->index, t->triangles, scaled) : VS_ERROR_MEMORY;
    vs_arena_release(&arena);
    return error;
}

vs_error vs_shape_scaled(vs_context *context, const vs_shape *shape, double factor, vs_shape **scaled) {
    switch (shape->kind) {
    case VS_SHAPE_SPHERE:
        return vs_shape_sphere(context, factor * shape->radius, scaled);
    case VS_SHAPE_BOX:
        return vs_shape_box(context, vs_scale(factor, shape->half), scaled);
    case VS_SHAPE_CAPSULE:
        return vs_shape_capsule(context, factor * shape->radius, factor * shape->half_length, scaled);
    case VS_SHAPE_CYLINDER:
        return vs_shape_cylinder(context, factor * shape->radius, factor * shape->half_length, scaled);
    case VS_SHAPE_ELLIPSOID:
        return vs_shape_ellipsoid(context, vs_scale(factor, shape->half), scaled);
    case VS_SHAPE_HULL:
        return scale_hull(context, shape, factor, scaled);
    case VS_SHAPE_MESH:
        return scale_mesh(context, shape, factor, scaled);
    default:
        break;
    }
    return vs_fail(context, VS_ERROR_UNSUPPORTED, "a %s cannot be scaled", vs_class_of(shape)->name);
}
