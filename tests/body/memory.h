// What the tests of worlds share: a context whose memory is counted and can be refused, comparison of numbers.
#ifndef VS_TESTS_BODY_MEMORY_H
#define VS_TESTS_BODY_MEMORY_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "body/joint_rows.h"

typedef struct memory {
    int alive, calls, refuse_at; // refuse_at: number of the call that fails, -1: never
} memory;

static inline void *take_memory(void *user, size_t bytes) {
    memory *m = user;
    if (m->calls++ == m->refuse_at)
        return NULL;
    m->alive++;
    return malloc(bytes);
}

static inline void give_memory(void *user, void *block) {
    memory *m = user;
    m->alive--;
    free(block);
}

static inline vs_context *open_context(memory *m) {
    *m = (memory){.refuse_at = -1};
    vs_context_def def = vs_context_def_default();
    def.allocate = take_memory;
    def.release = give_memory;
    def.allocator_user = m;
    vs_context *context = NULL;
    assert_int_equal(vs_context_create(&def, &context), VS_OK);
    return context;
}

// Destroys the context and proves that nothing is left.
static inline void close_context(vs_context *context, const memory *m) {
    vs_context_destroy(context);
    assert_int_equal(m->alive, 0);
}

static inline vs_world *open_world(vs_context *context, vs_vec3 gravity) {
    vs_world_def def = vs_world_def_default();
    def.gravity = gravity;
    vs_world *world = NULL;
    assert_int_equal(vs_world_create(context, &def, &world), VS_OK);
    return world;
}

// |x - y| <= tolerance, with all three said otherwise.
#define assert_close(x, y, tolerance) close_or_fail((x), (y), (tolerance), __FILE__, __LINE__)
static inline void close_or_fail(double x, double y, double tolerance, const char *file, int line) {
    if (!(fabs(x - y) <= tolerance)) {
        print_error("%.17g is not %.17g: difference %.3g, tolerance %.3g\n", x, y, x - y, tolerance);
        _fail(file, line);
    }
}
#define assert_close3(a, b, tolerance) assert_close(vs_length(vs_subtract((a), (b))), 0, tolerance)

static inline vs_signal constant(double value) {
    return (vs_signal){.kind = VS_SIGNAL_CONSTANT, .value = value};
}

#endif
