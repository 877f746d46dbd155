// Surfaces of shapes for glTF: round ones by rings of smooth vertices about z, others by their own triangles.
#include "base/elementary.h"
#include "output/export/gltf_data.h"

#include <math.h>

enum { COLUMNS = 32, BALL_ROWS = 16, CAP_ROWS = 6 };

bool vs_gltf_is_unit(int kind) {
    return kind == VS_SHAPE_SPHERE || kind == VS_SHAPE_ELLIPSOID || kind == VS_SHAPE_BOX || kind == VS_SHAPE_CYLINDER ||
           kind == VS_SHAPE_PLANE;
}

void vs_gltf_scale(const vs_gltf_shape *shape, double scale[3]) {
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

// One point of a profile of revolution about z.
typedef struct turned {
    double radius, z;        // m
    double normal, normal_z; // outwards
} turned;

// Rings of COLUMNS + 1 vertices, connected where `joined` is true.
static vs_error turn(vs_arena *arena, const turned *profile, int count, const bool *joined, vs_gltf_mesh *mesh) {
    int bands = 0;
    for (int r = 0; r + 1 < count; r++)
        bands += joined[r];
    if (!make(arena, mesh, (int64_t)count * (COLUMNS + 1), (int64_t)bands * COLUMNS * 2, true))
        return VS_ERROR_MEMORY;
    int64_t t = 0;
    for (int r = 0; r < count; r++)
        for (int c = 0; c <= COLUMNS; c++) {
            const double angle = 2 * 3.14159265358979323846 * (c % COLUMNS) / COLUMNS, x = vs_cos(angle),
                         y = vs_sin(angle);
            const int64_t k = (int64_t)r * (COLUMNS + 1) + c;
            const turned *p = &profile[r];
            put3(mesh->position, k, p->radius * x, p->radius * y, p->z);
            put3(mesh->normal, k, p->normal * x, p->normal * y, p->normal_z);
            if (r + 1 == count || !joined[r] || c == COLUMNS)
                continue;
            const uint32_t a = (uint32_t)k, b = a + COLUMNS + 1;
            const uint32_t corner[6] = {a, a + 1, b, b, a + 1, b + 1}; // profiles run upwards
            for (int i = 0; i < 6; i++)
                mesh->index[t++] = corner[i];
        }
    return VS_OK;
}

static vs_error make_ball(vs_arena *arena, vs_gltf_mesh *mesh) {
    turned profile[BALL_ROWS + 1];
    bool joined[BALL_ROWS + 1];
    for (int r = 0; r <= BALL_ROWS; r++) {
        const double angle = 3.14159265358979323846 * ((double)r / BALL_ROWS - .5), c = vs_cos(angle),
                     s = vs_sin(angle);
        profile[r] = (turned){c, s, c, s};
        joined[r] = true;
    }
    return turn(arena, profile, BALL_ROWS + 1, joined, mesh);
}

static vs_error make_capsule(vs_arena *arena, double radius, double half, vs_gltf_mesh *mesh) {
    turned profile[2 * CAP_ROWS + 2];
    bool joined[2 * CAP_ROWS + 2];
    for (int r = 0; r < 2 * CAP_ROWS + 2; r++) {
        const int above = r > CAP_ROWS, row = above ? r - CAP_ROWS - 1 : r - CAP_ROWS;
        const double angle = .5 * 3.14159265358979323846 * row / CAP_ROWS, c = vs_cos(angle), s = vs_sin(angle);
        profile[r] = (turned){radius * c, radius * s + (above ? half : -half), c, s};
        joined[r] = true;
    }
    return turn(arena, profile, 2 * CAP_ROWS + 2, joined, mesh);
}

// Edges are sharp: the rims are duplicated.
static vs_error make_cylinder(vs_arena *arena, vs_gltf_mesh *mesh) {
    static const turned profile[6] = {{0, -1, 0, -1}, {1, -1, 0, -1}, {1, -1, 1, 0},
                                      {1, 1, 1, 0},   {1, 1, 0, 1},   {0, 1, 0, 1}};
    static const bool joined[6] = {true, false, true, false, true, false};
    return turn(arena, profile, 6, joined, mesh);
}

static vs_error make_box(vs_arena *arena, vs_gltf_mesh *mesh) {
    // Corner k has x, y, z by its bits; two triangles per side, counter-clockwise from outside.
    static const unsigned char side[36] = {0, 4, 6, 0, 6, 2, 1, 3, 7, 1, 7, 5, 0, 1, 5, 0, 5, 4,
                                           2, 6, 7, 2, 7, 3, 0, 2, 3, 0, 3, 1, 4, 5, 7, 4, 7, 6};
    if (!make(arena, mesh, 8, 12, false))
        return VS_ERROR_MEMORY;
    for (int k = 0; k < 8; k++)
        put3(mesh->position, k, k & 1 ? 1 : -1, k & 2 ? 1 : -1, k & 4 ? 1 : -1);
    for (int k = 0; k < 36; k++)
        mesh->index[k] = side[k];
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

static vs_error make_triangles(vs_arena *arena, const vs_gltf_shape *shape, vs_gltf_mesh *mesh) {
    if (!make(arena, mesh, shape->vertices, shape->triangles, false))
        return VS_ERROR_MEMORY;
    for (int64_t k = 0; k < 3 * shape->vertices; k++) {
        if (!isfinite(shape->vertex[k]))
            return vs_fail(arena->context, VS_ERROR_DATA, "a vertex of a surface is not finite");
        mesh->position[k] = (float)shape->vertex[k];
    }
    for (int64_t k = 0; k < 3 * shape->triangles; k++)
        mesh->index[k] = (uint32_t)shape->triangle[k];
    mesh->both_sides = shape->kind != VS_SHAPE_HULL;
    return VS_OK;
}

vs_error vs_gltf_surface(vs_arena *arena, const vs_gltf_shape *shape, vs_gltf_mesh *mesh) {
    switch (shape->kind) {
    case VS_SHAPE_SPHERE:
    case VS_SHAPE_ELLIPSOID:
        return make_ball(arena, mesh);
    case VS_SHAPE_BOX:
        return make_box(arena, mesh);
    case VS_SHAPE_CYLINDER:
        return make_cylinder(arena, mesh);
    case VS_SHAPE_CAPSULE:
        return make_capsule(arena, shape->size[0], shape->size[1], mesh);
    case VS_SHAPE_PLANE:
        return make_square(arena, mesh);
    default:
        return make_triangles(arena, shape, mesh);
    }
}
