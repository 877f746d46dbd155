// Surfaces of shapes as triangles, for drawing: round ones by rings of vertices about z, others by their own faces.
#include "base/elementary.h"
#include "shape/build.h"

enum { COLUMNS = 32, BALL_ROWS = 16 };

void vs_surface_turn(const vs_profile *profile, int count, const bool *joined, vs_shape_surface *surface) {
    int bands = 0, t = 0;
    for (int r = 0; r + 1 < count; r++)
        bands += joined[r];
    surface->vertices = count * (COLUMNS + 1);
    surface->triangles = bands * COLUMNS * 2;
    surface->smooth = true;
    for (int r = 0; r < count; r++)
        for (int c = 0; c <= COLUMNS; c++) {
            const double angle = 2 * VS_PI * (c % COLUMNS) / COLUMNS, x = vs_cos(angle), y = vs_sin(angle);
            const int a = r * (COLUMNS + 1) + c, b = a + COLUMNS + 1;
            const vs_profile *p = &profile[r];
            if (surface->vertex)
                surface->vertex[a] = (vs_vec3){p->radius * x, p->radius * y, p->z};
            if (surface->normal)
                surface->normal[a] = (vs_vec3){p->normal * x, p->normal * y, p->normal_z};
            if (!surface->triangle || r + 1 == count || !joined[r] || c == COLUMNS)
                continue;
            const int corner[6] = {a, a + 1, b, b, a + 1, b + 1}; // profiles run upwards
            for (int i = 0; i < 6; i++)
                surface->triangle[t++] = corner[i];
        }
}

// A unit ball, stretched; normals by the inverse.
void vs_surface_ball(vs_vec3 half, vs_shape_surface *surface) {
    vs_profile profile[BALL_ROWS + 1];
    bool joined[BALL_ROWS + 1];
    for (int r = 0; r <= BALL_ROWS; r++) {
        const double angle = VS_PI * ((double)r / BALL_ROWS - .5), c = vs_cos(angle), s = vs_sin(angle);
        profile[r] = (vs_profile){c, s, c, s};
        joined[r] = true;
    }
    vs_surface_turn(profile, BALL_ROWS + 1, joined, surface);
    const bool ball = half.x == half.y && half.y == half.z;
    for (int k = 0; k < surface->vertices; k++) {
        if (surface->vertex) {
            vs_vec3 *v = &surface->vertex[k];
            *v = (vs_vec3){half.x * v->x, half.y * v->y, half.z * v->z};
        }
        if (surface->normal && !ball) {
            vs_vec3 *n = &surface->normal[k];
            *n = vs_normalize((vs_vec3){n->x / half.x, n->y / half.y, n->z / half.z});
        }
    }
}

void vs_surface_polytope(const vs_shape *shape, vs_shape_surface *surface) {
    const vs_polytope *p = &shape->polytope;
    surface->vertices = p->vertices;
    surface->triangles = vs_polytope_triangles(p, surface->triangle);
    surface->smooth = false;
    for (int k = 0; surface->vertex && k < p->vertices; k++)
        surface->vertex[k] = p->vertex[k];
}

void vs_surface_triangles(const vs_shape *shape, vs_shape_surface *surface) {
    const vs_triangles *t = &shape->triangles;
    surface->vertices = t->vertices;
    surface->triangles = t->triangles;
    surface->smooth = false;
    for (int k = 0; surface->vertex && k < t->vertices; k++)
        surface->vertex[k] = t->vertex[k];
    for (int64_t k = 0; surface->triangle && k < 3 * (int64_t)t->triangles; k++)
        surface->triangle[k] = t->index[k];
}

vs_error vs_shape_get_surface(const vs_shape *shape, vs_shape_surface *surface) {
    if (!shape || !surface)
        return vs_fail(shape ? shape->arena.context : NULL, VS_ERROR_ARGUMENT, "shape or surface is null");
    vs_class_of(shape)->surface(shape, surface);
    return VS_OK;
}
