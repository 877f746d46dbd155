// A context for each test of a file, with an allocator that counts: set up by begin(), ended by end().
#ifndef VS_TESTS_SHAPE_COUNTED_H
#define VS_TESTS_SHAPE_COUNTED_H

#include "shapes.h"

static memory counted;
static vs_context *context;

static inline int begin(void **state) {
    (void)state;
    context = make_context(&counted);
    return 0;
}

static inline int end(void **state) {
    (void)state;
    end_context(context, &counted);
    return 0;
}

#endif
