// What the tests of scenes share: a context that counts its allocations and can let the k-th one fail.
#ifndef VS_TEST_SCENES_H
#define VS_TEST_SCENES_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/vec.h"
#include "body/world_data.h"
#include "voussoir/scene.h"

#define assert_close(x, y, tolerance) expect_close((x), (y), (tolerance), __FILE__, __LINE__)
static inline void expect_close(double x, double y, double tolerance, const char *file, int line) {
    if (!(fabs(x - y) <= tolerance)) {
        print_error("%.17g is not %.17g within %g\n", x, y, tolerance);
        _fail(file, line);
    }
}

typedef struct memory {
    long live, made, fail_at; // fail_at: 0 = never
} memory;

static inline void *test_allocate(void *user, size_t bytes) {
    memory *m = user;
    m->made++;
    if (m->fail_at && m->made >= m->fail_at)
        return NULL;
    void *p = malloc(bytes);
    m->live += p != NULL;
    return p;
}

static inline void test_release(void *user, void *p) {
    memory *m = user;
    m->live--;
    free(p);
}

static inline vs_context *make_context(memory *m) {
    *m = (memory){0};
    vs_context_def def = vs_context_def_default();
    def.allocate = test_allocate;
    def.release = test_release;
    def.allocator_user = m;
    vs_context *context = NULL;
    assert_int_equal(vs_context_create(&def, &context), VS_OK);
    return context;
}

static inline void end_context(vs_context *context, memory *m) {
    vs_context_destroy(context);
    assert_int_equal(m->live, 0);
}

#endif
