// A context with counted memory and an arena for each test.
#ifndef VS_TESTS_LINALG_ARENA_FIXTURE_H
#define VS_TESTS_LINALG_ARENA_FIXTURE_H

#include "base/arena.h"
#include "kit/memory.h"

typedef struct fixture {
    memory m;
    vs_context *context;
    vs_arena arena;
    uint64_t seed;
} fixture;

static inline int set_up(void **state) {
    fixture *f = calloc(1, sizeof *f);
    assert_non_null(f);
    f->context = make_context(&f->m);
    f->seed = 1;
    vs_arena_init(&f->arena, f->context);
    *state = f;
    return 0;
}

static inline int tear_down(void **state) {
    fixture *f = *state;
    vs_arena_release(&f->arena);
    end_context(f->context, &f->m);
    free(f);
    return 0;
}

#endif
