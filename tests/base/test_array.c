// Growable arrays: elements survive, new ones are zero, few allocations, no overflow, no change without memory.
#include "base/array.h"
#include "kit/fixture.h"

typedef struct item {
    int key;
    double value;
} item;

static void test_elements_survive_growth_and_new_ones_are_zero(void **state) {
    fixture *f = *state;
    VS_ARRAY(item) a = {0};
    for (int k = 0; k < 1000; k++) {
        assert_int_equal(VS_RESERVE(f->context, &a, a.count + 1), VS_OK);
        assert_true(a.data[k].key == 0 && a.data[k].value == 0);
        a.data[a.count++] = (item){k, .5 * k};
    }
    for (int k = 0; k < 1000; k++)
        assert_true(a.data[k].key == k && a.data[k].value == .5 * k);
    for (int64_t k = a.count; k < a.capacity; k++)
        assert_int_equal(a.data[k].key, 0);
    VS_ARRAY_RELEASE(f->context, &a);
    assert_true(!a.data && a.count == 0 && a.capacity == 0);
    assert_int_equal(f->m.alive, 1); // the context
}

static void test_appending_one_by_one_takes_few_allocations(void **state) {
    fixture *f = *state;
    VS_ARRAY(int) a = {0};
    const int before = f->m.calls;
    for (; a.count < 1000000; a.count++)
        assert_int_equal(VS_RESERVE(f->context, &a, a.count + 1), VS_OK);
    assert_true(f->m.calls - before < 32); // 16 * 1.5^27 > 10^6
    VS_ARRAY_RELEASE(f->context, &a);
}

static void test_enough_room_is_kept_and_none_is_not_null(void **state) {
    fixture *f = *state;
    VS_ARRAY(char) a = {0};
    assert_int_equal(VS_RESERVE(f->context, &a, 0), VS_OK);
    assert_non_null(a.data);
    assert_int_equal(VS_RESERVE(f->context, &a, 1000), VS_OK);
    const char *data = a.data;
    const int calls = f->m.calls;
    assert_int_equal(VS_RESERVE(f->context, &a, 1000), VS_OK);
    assert_int_equal(VS_RESERVE(f->context, &a, 3), VS_OK);
    assert_true(a.data == data && a.capacity >= 1000 && f->m.calls == calls);
    VS_ARRAY_RELEASE(f->context, &a);
}

static void test_lack_of_memory_and_overflow_leave_the_array_as_it_was(void **state) {
    fixture *f = *state;
    VS_ARRAY(double) a = {0};
    assert_int_equal(VS_RESERVE(f->context, &a, 1), VS_OK);
    a.data[a.count++] = 7;
    const int64_t capacity = a.capacity;
    refuse_call(&f->m, 0);
    assert_int_equal(VS_RESERVE(f->context, &a, capacity + 1), VS_ERROR_MEMORY);
    refuse_none(&f->m);
    const int calls = f->m.calls;
    assert_int_equal(VS_RESERVE(f->context, &a, INT64_MAX), VS_ERROR_MEMORY);
    assert_int_equal(VS_RESERVE(f->context, &a, INT64_MAX / 8 + 1), VS_ERROR_MEMORY);
    assert_int_equal(f->m.calls, calls); // the allocator was not even asked
    assert_string_equal(vs_context_get_error_text(f->context), "out of memory");
    assert_true(a.count == 1 && a.capacity == capacity && a.data[0] == 7);
    VS_ARRAY_RELEASE(f->context, &a);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_elements_survive_growth_and_new_ones_are_zero, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_appending_one_by_one_takes_few_allocations, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_enough_room_is_kept_and_none_is_not_null, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_lack_of_memory_and_overflow_leave_the_array_as_it_was, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
