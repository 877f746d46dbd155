// A context whose memory ends after a number of allocations, and which counts what is alive.
#ifndef VS_TESTS_SCARCE_H
#define VS_TESTS_SCARCE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "voussoir/context.h"

typedef struct scarce {
    int left, live, taken; // allocations that succeed from now on; not released yet; made so far
} scarce;

static inline void *allocate_scarce(void *user, size_t bytes) {
    scarce *s = user;
    if (s->left-- <= 0)
        return NULL;
    s->live++;
    s->taken++;
    return malloc(bytes);
}

static inline void release_scarce(void *user, void *memory) {
    ((scarce *)user)->live -= memory != NULL;
    free(memory);
}

// Nothing but the context itself can be allocated at first.
static inline vs_context *make_scarce_context(scarce *s) {
    *s = (scarce){.left = 1};
    vs_context_def def = vs_context_def_default();
    def.allocate = allocate_scarce;
    def.release = release_scarce;
    def.allocator_user = s;
    vs_context *context = NULL;
    assert_int_equal(vs_context_create(&def, &context), VS_OK);
    return context;
}

#endif
