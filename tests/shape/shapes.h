// Sample points, a cube, and shapes made while memory fails.
#ifndef VS_TESTS_SHAPE_SHAPES_H
#define VS_TESTS_SHAPE_SHAPES_H

#include "kit/compare.h"
#include "kit/memory.h"
#include "kit/random.h"
#include "shape/build.h"

typedef struct shape_making {
    vs_context *context;
    vs_error (*make)(vs_context *context, vs_shape **shape);
} shape_making;

static inline vs_error try_shape(void *user) {
    const shape_making *m = user;
    vs_shape *shape = NULL;
    const vs_error error = m->make(m->context, &shape);
    assert_int_equal(shape == NULL, error != VS_OK);
    vs_shape_release(shape);
    return error;
}

// make() with each of its allocations refused in turn.
static inline void refuse_each_of_shape(vs_error (*make)(vs_context *context, vs_shape **shape)) {
    memory m;
    vs_context *context = make_context(&m);
    assert_true(refuse_each(&m, context, try_shape, &(shape_making){context, make}) > 0);
    end_context(context, &m);
}

// On a capsule with axis z: `rings` of `round` points on each end and the two poles. Returns how many, 2 rings round
// + 2.
static inline int sample_capsule(double radius, double half_length, int rings, int round, vs_vec3 *point) {
    const double pi = 3.14159265358979323846;
    int count = 0;
    for (int side = -1; side <= 1; side += 2) {
        for (int i = 0; i < rings; i++)
            for (int j = 0; j < round; j++) {
                const double t = pi / 2 * i / rings, s = 2 * pi * j / round;
                point[count++] = (vs_vec3){radius * cos(t) * cos(s), radius * cos(t) * sin(s),
                                           side * (half_length + radius * sin(t))};
            }
        point[count++] = (vs_vec3){0, 0, side * (half_length + radius)};
    }
    return count;
}

// Two triangles a side, counter-clockwise seen from outside; vertices by bits.
static const int CUBE_TRIANGLES[36] = {0, 4, 6, 0, 6, 2, 1, 3, 7, 1, 7, 5, 0, 1, 5, 0, 5, 4,
                                       2, 6, 7, 2, 7, 3, 0, 2, 3, 0, 3, 1, 4, 5, 7, 4, 7, 6};

static inline void cube_vertices(vs_vec3 half, vs_vec3 vertex[8]) {
    for (int k = 0; k < 8; k++)
        vertex[k] = (vs_vec3){k & 1 ? half.x : -half.x, k & 2 ? half.y : -half.y, k & 4 ? half.z : -half.z};
}

#endif
