// A context with counted memory for each test, or for each group of tests; what is left at its end is a failure.
#ifndef VS_TESTS_KIT_FIXTURE_H
#define VS_TESTS_KIT_FIXTURE_H

#include "kit/memory.h"

typedef struct fixture {
    memory m;
    vs_context *context;
} fixture;

static inline int set_up(void **state) {
    fixture *f = calloc(1, sizeof *f);
    assert_non_null(f);
    f->context = make_context(&f->m);
    *state = f;
    return 0;
}

static inline int tear_down(void **state) {
    fixture *f = *state;
    end_context(f->context, &f->m);
    free(f);
    return 0;
}

static inline vs_context *context_of(void **state) {
    return ((fixture *)*state)->context;
}

#endif
