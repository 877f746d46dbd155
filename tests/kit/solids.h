// Closed meshes: prisms and a torus.
#ifndef VS_TESTS_KIT_SOLIDS_H
#define VS_TESTS_KIT_SOLIDS_H

#include "base/vec.h"
#include "kit/test.h"
#include "shape/shape_data.h"

// Prism over a polygon in the x-y plane, counter-clockwise, from -height/2 to height/2; cap: triangles of the polygon.
static inline vs_shape *prism(vs_context *context, const double (*corner)[2], int corners, const int (*cap)[3],
                              double height) {
    enum { MOST = 32 };
    assert_true(corners <= MOST);
    vs_vec3 vertex[2 * MOST];
    int triangle[3 * (4 * MOST)], *at = triangle;
    for (int k = 0; k < corners; k++) {
        vertex[k] = (vs_vec3){corner[k][0], corner[k][1], -.5 * height};
        vertex[corners + k] = (vs_vec3){corner[k][0], corner[k][1], .5 * height};
    }
    for (int k = 0; k < corners - 2; k++)
        for (int i = 0; i < 3; i++) {
            at[6 * k + i] = cap[k][2 - i];
            at[6 * k + 3 + i] = corners + cap[k][i];
        }
    at += 6 * (corners - 2);
    for (int k = 0; k < corners; k++, at += 6) {
        const int next = (k + 1) % corners, side[6] = {k, next, corners + next, k, corners + next, corners + k};
        for (int i = 0; i < 6; i++)
            at[i] = side[i];
    }
    vs_shape *shape = NULL;
    assert_int_equal(vs_shape_mesh(context, vertex, 2 * corners, triangle, 4 * corners - 4, &shape), VS_OK);
    assert_true(shape->triangles.surface.closed);
    return shape;
}

static inline vs_shape *box_mesh(vs_context *context, double x, double y, double z) { // half edges
    const double corner[4][2] = {{-x, -y}, {x, -y}, {x, y}, {-x, y}};
    const int cap[2][3] = {{0, 1, 2}, {0, 2, 3}};
    return prism(context, corner, 4, cap, 2 * z);
}

// A square of 1 m without its upper right quarter.
static inline vs_shape *angle_mesh(vs_context *context, double height) {
    const double corner[6][2] = {{-.5, -.5}, {.5, -.5}, {.5, 0}, {0, 0}, {0, .5}, {-.5, .5}};
    const int cap[4][3] = {{0, 1, 2}, {0, 2, 3}, {0, 3, 4}, {0, 4, 5}};
    return prism(context, corner, 6, cap, height);
}

// A torus about z: radius of the circle of centres, radius of the tube.
static inline vs_shape *torus_mesh(vs_context *context, double large, double small, int around, int across) {
    enum { MOST = 4096 };
    assert_true(around * across <= MOST);
    static vs_vec3 vertex[MOST];
    static int triangle[6 * MOST];
    const double turn = 6.283185307179586;
    for (int i = 0; i < around; i++)
        for (int j = 0; j < across; j++) {
            const double u = turn * i / around, v = turn * j / across, r = large + small * cos(v);
            vertex[i * across + j] = (vs_vec3){r * cos(u), r * sin(u), small * sin(v)};
            const int next = (i + 1) % around * across, up = (j + 1) % across;
            const int here[6] = {i * across + j, next + j, next + up, i * across + j, next + up, i * across + up};
            for (int k = 0; k < 6; k++)
                triangle[6 * (i * across + j) + k] = here[k];
        }
    vs_shape *shape = NULL;
    assert_int_equal(vs_shape_mesh(context, vertex, around * across, triangle, 2 * around * across, &shape), VS_OK);
    return shape;
}

#endif
