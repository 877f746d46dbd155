// The arena: aligned, disjoint objects, few allocations, no leak, no overflow.
#include "base/arena.h"
#include "kit/memory.h"

static void test_objects_are_aligned_to_64_bytes_and_disjoint(void **state) {
    (void)state;
    for (size_t shift = 0; shift < 64; shift += 16) {
        memory m = {.aligned = 64, .shift = shift};
        const vs_context_def def = context_def_of(&m);
        vs_context *context = NULL;
        assert_int_equal(vs_context_create(&def, &context), VS_OK);
        vs_arena arena;
        vs_arena_init(&arena, context);
        enum { COUNT = 300 };
        unsigned char *object[COUNT];
        size_t total = 0;
        for (int k = 0; k < COUNT; k++) {
            int64_t size = k * k; // up to 89 kB: beyond the first chunks
            object[k] = vs_arena_allocate(&arena, size, 1);
            assert_non_null(object[k]);
            assert_int_equal((uintptr_t)object[k] % 64, 0);
            memset(object[k], k & 255, (size_t)size);
            total += (size_t)size;
        }
        for (int k = 0; k < COUNT; k++) {
            for (int64_t b = 0; b < k * k; b++)
                assert_int_equal(object[k][b], k & 255);
        }
        assert_int_equal(arena.bytes, total);
        vs_arena_release(&arena);
        assert_int_equal(m.alive, 1); // the context
        vs_context_destroy(context);
        assert_int_equal(m.alive, 0);
    }
}

static void test_many_small_objects_need_few_allocations(void **state) {
    (void)state;
    memory m;
    vs_context *context = make_context(&m);
    vs_arena arena;
    vs_arena_init(&arena, context);
    for (int k = 0; k < 100000; k++)
        assert_non_null(VS_NEW(&arena, double, 4));
    assert_true(m.calls < 20); // 6.4 MB (13 MB with the sanitizer's gaps) from 16 kB by doubling: 9 or 10 chunks
    vs_arena_release(&arena);
    vs_context_destroy(context);
}

static void test_large_object_does_not_waste_the_rest_of_the_newest_chunk(void **state) {
    (void)state;
    memory m;
    vs_context *context = make_context(&m);
    vs_arena arena;
    vs_arena_init(&arena, context);
    assert_non_null(VS_NEW(&arena, char, 10));
    assert_non_null(VS_NEW(&arena, char, 1 << 24));
    int calls = m.calls;
    assert_non_null(VS_NEW(&arena, char, 10));
    assert_int_equal(m.calls, calls);
    vs_arena_release(&arena);
    vs_context_destroy(context);
    assert_int_equal(m.alive, 0);
}

static void test_released_arena_can_be_used_again(void **state) {
    (void)state;
    memory m;
    vs_context *context = make_context(&m);
    vs_arena arena;
    vs_arena_init(&arena, context);
    vs_arena_release(&arena); // empty: nothing happens
    for (int round = 0; round < 3; round++) {
        assert_non_null(VS_NEW(&arena, double, 1000));
        vs_arena_release(&arena);
        assert_int_equal(arena.bytes, 0);
        assert_int_equal(m.alive, 1);
    }
    vs_context_destroy(context);
}

static void test_zero_and_copy_fill_the_object(void **state) {
    (void)state;
    memory m;
    vs_context *context = make_context(&m);
    vs_arena arena;
    vs_arena_init(&arena, context);
    memset(vs_arena_allocate(&arena, 5000, 1), 255, 5000);
    vs_arena_release(&arena); // the next chunk may well be this dirty memory again
    int *zeros = VS_NEW_ZERO(&arena, int, 1000);
    for (int k = 0; k < 1000; k++)
        assert_int_equal(zeros[k], 0);
    int source[3] = {4, 5, 6};
    int *copy = VS_COPY(&arena, int, source, 3);
    assert_memory_equal(copy, source, sizeof source);
    assert_non_null(VS_COPY(&arena, int, NULL, 0));
    vs_arena_release(&arena);
    vs_context_destroy(context);
}

static void test_overflowing_and_negative_counts_are_refused(void **state) {
    (void)state;
    memory m;
    vs_context *context = make_context(&m);
    vs_arena arena;
    vs_arena_init(&arena, context);
    assert_null(vs_arena_allocate(&arena, INT64_MAX, 8));
    assert_null(vs_arena_allocate(&arena, INT64_MAX / 4, 16)); // the product alone wraps to a small number
    assert_null(vs_arena_allocate(&arena, INT64_MAX, 1));
    assert_null(vs_arena_allocate(&arena, -1, 8));
    assert_null(vs_arena_allocate_zero(&arena, -1, 8));
    assert_null(vs_arena_copy(&arena, &m, -1, 8));
    assert_string_equal(vs_context_get_error_text(context), "out of memory");
    assert_int_equal(m.calls, 1); // the allocator was not even asked
    vs_context_destroy(context);
}

static void test_refused_allocation_leaves_the_arena_usable(void **state) {
    (void)state;
    memory m;
    vs_context *context = make_context(&m);
    refuse_call(&m, 1); // call 0 is the first chunk
    vs_arena arena;
    vs_arena_init(&arena, context);
    assert_non_null(VS_NEW(&arena, double, 10));
    assert_null(VS_NEW(&arena, double, 100000));
    assert_string_equal(vs_context_get_error_text(context), "out of memory");
    assert_int_equal(arena.bytes, 10 * sizeof(double));
    assert_non_null(VS_NEW(&arena, double, 100000));
    vs_arena_release(&arena);
    vs_context_destroy(context);
    assert_int_equal(m.alive, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_objects_are_aligned_to_64_bytes_and_disjoint),
        cmocka_unit_test(test_many_small_objects_need_few_allocations),
        cmocka_unit_test(test_large_object_does_not_waste_the_rest_of_the_newest_chunk),
        cmocka_unit_test(test_released_arena_can_be_used_again),
        cmocka_unit_test(test_zero_and_copy_fill_the_object),
        cmocka_unit_test(test_overflowing_and_negative_counts_are_refused),
        cmocka_unit_test(test_refused_allocation_leaves_the_arena_usable),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
