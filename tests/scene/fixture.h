// A context of its own for each test.
#ifndef VS_TEST_SCENE_FIXTURE_H
#define VS_TEST_SCENE_FIXTURE_H

#include "scenes.h"

typedef struct fixture {
    memory m;
    vs_context *context;
} fixture;

static inline int set_up(void **state) {
    fixture *f = calloc(1, sizeof *f);
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

#endif
