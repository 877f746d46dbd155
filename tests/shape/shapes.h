// What the tests of shapes share: an allocator that counts and refuses, random numbers, comparing, sample points.
#ifndef VS_TESTS_SHAPE_SHAPES_H
#define VS_TESTS_SHAPE_SHAPES_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "shape/build.h"

typedef struct memory {
    int alive, calls, refuse_at; // refuse_at: number of the call that fails, -1: never
} memory;

static inline void *take(void *user, size_t bytes) {
    memory *m = user;
    if (m->calls++ == m->refuse_at)
        return NULL;
    m->alive++;
    return malloc(bytes);
}

static inline void give(void *user, void *block) {
    memory *m = user;
    m->alive--;
    free(block);
}

static inline vs_context *make_context(memory *m) {
    vs_context_def def = vs_context_def_default();
    def.allocate = take;
    def.release = give;
    def.allocator_user = m;
    vs_context *context = NULL;
    *m = (memory){.refuse_at = -1};
    assert_int_equal(vs_context_create(&def, &context), VS_OK);
    return context;
}

// Nothing is left but the context, which goes.
static inline void end_context(vs_context *context, memory *m) {
    assert_int_equal(m->alive, 1);
    vs_context_destroy(context);
}

// Refuses each allocation in turn until making succeeds: never a leak, never another error.
static inline void refuse_each(vs_error (*make)(vs_context *context, vs_shape **shape)) {
    memory m;
    vs_context *context = make_context(&m);
    int k = 0;
    for (;; k++) {
        vs_shape *shape = NULL;
        m.calls = 0;
        m.refuse_at = k;
        const vs_error error = make(context, &shape);
        m.refuse_at = -1;
        if (!error) {
            assert_non_null(shape);
            vs_shape_release(shape);
            break;
        }
        assert_int_equal(error, VS_ERROR_MEMORY);
        assert_null(shape);
        assert_string_equal(vs_context_get_error_text(context), "out of memory");
        assert_int_equal(m.alive, 1);
        assert_true(k < 100);
    }
    assert_true(k > 0);
    end_context(context, &m);
}

#define assert_close(a, b, tolerance) check_close((a), (b), (tolerance), #a, __FILE__, __LINE__)
#define assert_vec(a, b, tolerance) check_vec((a), (b), (tolerance), #a, __FILE__, __LINE__)

static inline void check_close(double a, double b, double tolerance, const char *what, const char *file, int line) {
    if (fabs(a - b) <= tolerance || a == b)
        return;
    print_error("%s = %.17g, expected %.17g, difference %.3g > %.3g\n", what, a, b, fabs(a - b), tolerance);
    _fail(file, line);
}

static inline void check_vec(vs_vec3 a, vs_vec3 b, double tolerance, const char *what, const char *file, int line) {
    for (int k = 0; k < 3; k++)
        check_close(vs_component(a, k), vs_component(b, k), tolerance, what, file, line);
}

// A small generator: the same numbers everywhere. 0 <= x < 1
static inline double next_random(uint64_t *state) {
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (double)(*state >> 11) * 0x1p-53;
}

static inline vs_vec3 random_vec(uint64_t *state) { // in [-1, 1]^3
    const double x = 2 * next_random(state) - 1, y = 2 * next_random(state) - 1;
    return (vs_vec3){x, y, 2 * next_random(state) - 1};
}

static inline vs_pose random_pose(uint64_t *state) {
    const vs_vec3 position = random_vec(state);
    return (vs_pose){position, vs_quat_exp(vs_scale(3, random_vec(state)))};
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
