// Surfaces of shapes for glTF: those of the library (vs_shape_get_surface), or the triangles of the file.
#include "output/export/gltf_data.h"

#include <math.h>

bool vs_gltf_is_unit(int kind) {
    return kind == VS_SHAPE_SPHERE || kind == VS_SHAPE_ELLIPSOID || kind == VS_SHAPE_BOX || kind == VS_SHAPE_CYLINDER ||
           kind == VS_SHAPE_PLANE;
}

bool vs_gltf_is_sized(int kind) {
    return kind >= 0 && kind < VS_SHAPE_KINDS && VS_SHAPE_CLASS[kind]->sized;
}

void vs_gltf_scale(const vs_recorded_shape *shape, double scale[3]) {
    const double *s = shape->size;
    const int kind = shape->kind;
    for (int i = 0; i < 3; i++)
        scale[i] = kind == VS_SHAPE_SPHERE                              ? s[0]
                   : kind == VS_SHAPE_BOX || kind == VS_SHAPE_ELLIPSOID ? s[i]
                   : kind == VS_SHAPE_CYLINDER                          ? s[i == 2 ? 1 : 0]
                                                                        : 1;
}

static bool make(vs_arena *arena, vs_gltf_mesh *mesh, int64_t vertices, int64_t triangles, bool smooth) {
    *mesh = (vs_gltf_mesh){.vertices = vertices, .triangles = triangles};
    mesh->position = VS_NEW(arena, float, 3 * vertices);
    mesh->normal = smooth ? VS_NEW(arena, float, 3 * vertices) : NULL;
    mesh->index = VS_NEW(arena, uint32_t, 3 * triangles);
    return mesh->position && mesh->index && (mesh->normal || !smooth);
}

static void put3(float *to, int64_t k, double x, double y, double z) {
    to[3 * k] = (float)x, to[3 * k + 1] = (float)y, to[3 * k + 2] = (float)z;
}

// A shape of unit sizes, to be scaled; a capsule of its own.
static vs_error make_shape(vs_context *context, const vs_recorded_shape *shape, vs_shape **made) {
    switch (shape->kind) {
    case VS_SHAPE_BOX:
        return vs_shape_box(context, (vs_vec3){1, 1, 1}, made);
    case VS_SHAPE_CYLINDER:
        return vs_shape_cylinder(context, 1, 1, made);
    case VS_SHAPE_CAPSULE:
        return vs_shape_capsule(context, shape->size[0], shape->size[1], made);
    default: // ellipsoids, too
        return vs_shape_sphere(context, 1, made);
    }
}

static vs_error copy_surface(vs_arena *arena, const vs_shape *shape, vs_gltf_mesh *mesh) {
    vs_shape_surface s = {0};
    (void)vs_shape_get_surface(shape, &s); // no argument is null
    s.vertex = VS_NEW(arena, vs_vec3, s.vertices);
    s.normal = VS_NEW(arena, vs_vec3, s.vertices);
    s.triangle = VS_NEW(arena, int, 3 * (int64_t)s.triangles);
    if (!s.vertex || !s.normal || !s.triangle || !make(arena, mesh, s.vertices, s.triangles, s.smooth))
        return VS_ERROR_MEMORY;
    (void)vs_shape_get_surface(shape, &s);
    for (int k = 0; k < s.vertices; k++) {
        put3(mesh->position, k, s.vertex[k].x, s.vertex[k].y, s.vertex[k].z);
        if (mesh->normal)
            put3(mesh->normal, k, s.normal[k].x, s.normal[k].y, s.normal[k].z);
    }
    for (int64_t k = 0; k < 3 * (int64_t)s.triangles; k++)
        mesh->index[k] = (uint32_t)s.triangle[k];
    return VS_OK;
}

static vs_error make_square(vs_arena *arena, vs_gltf_mesh *mesh) {
    static const unsigned char corner[6] = {0, 1, 3, 0, 3, 2};
    if (!make(arena, mesh, 4, 2, false))
        return VS_ERROR_MEMORY;
    for (int k = 0; k < 4; k++)
        put3(mesh->position, k, k & 1 ? 1 : -1, k & 2 ? 1 : -1, 0);
    for (int k = 0; k < 6; k++)
        mesh->index[k] = corner[k];
    return VS_OK; // visible from the free side only: a wall does not hide the scene
}

static vs_error make_triangles(vs_arena *arena, const vs_recorded_shape *shape, vs_gltf_mesh *mesh) {
    if (!make(arena, mesh, shape->vertices, shape->triangles, false))
        return VS_ERROR_MEMORY;
    for (int64_t k = 0; k < 3 * shape->vertices; k++) {
        if (!isfinite(shape->vertex[k]))
            return vs_fail(arena->context, VS_ERROR_DATA, "a vertex of a surface is not finite");
        mesh->position[k] = (float)shape->vertex[k];
    }
    for (int64_t k = 0; k < 3 * shape->triangles; k++)
        mesh->index[k] = (uint32_t)shape->triangle[k];
    mesh->both_sides = VS_SHAPE_CLASS[shape->kind]->family != VS_FAMILY_CONVEX;
    return VS_OK;
}

vs_error vs_gltf_surface(vs_arena *arena, const vs_recorded_shape *shape, vs_gltf_mesh *mesh) {
    if (shape->kind == VS_SHAPE_PLANE)
        return make_square(arena, mesh);
    if (!vs_gltf_is_sized(shape->kind))
        return make_triangles(arena, shape, mesh);
    vs_shape *made = NULL;
    vs_error error = make_shape(arena->context, shape, &made);
    if (!error)
        error = copy_surface(arena, made, mesh);
    vs_shape_release(made);
    return error;
}
