// Lines are found for values, keys and items wherever they stand; brackets in strings do not count.
#include "scenes.h"

#include "scene/read/text.h"

static const char text[] = "{\n"                          // 1
                           "  \"a\": [1, 2,\n"            // 2
                           "    {\"x\": \"}]\\\"\",\n"    // 3
                           "     \"y\": [true, null]},\n" // 4
                           "    -3e5],\n"                 // 5
                           "  \"b\\\"c\" :\n"             // 6
                           "    {},\n"                    // 7
                           "  \"d\": 1}\n";               // 8

static int line(int depth, int a, int b, int c) {
    const int ordinal[3] = {a, b, c};
    return vs_text_line(text, sizeof text - 1, ordinal, depth);
}

static void lines_of_members_and_items(void **state) {
    (void)state;
    assert_int_equal(line(0, 0, 0, 0), 1);
    assert_int_equal(line(1, 0, 0, 0), 2);
    assert_int_equal(line(2, 0, 1, 0), 2);
    assert_int_equal(line(2, 0, 2, 0), 3);
    assert_int_equal(line(3, 0, 2, 0), 3);
    assert_int_equal(line(3, 0, 2, 1), 4);
    assert_int_equal(line(2, 0, 3, 0), 5);
    assert_int_equal(line(1, 1, 0, 0), 6);
    assert_int_equal(line(1, 2, 0, 0), 8);
}

static void what_is_not_there_stays_inside_the_text(void **state) {
    (void)state;
    for (int depth = 0; depth <= 3; depth++)
        for (int k = 0; k < 40; k++) {
            const int found = line(depth, k % 5, k / 5, k % 3);
            assert_true(found >= 1 && found <= 9);
        }
    // every beginning of the text
    const int ordinal[] = {0, 2, 1};
    for (size_t length = 0; length < sizeof text; length++) {
        char *copy = malloc(length + 1); // a heap block, so that a sanitizer sees a read beyond its end
        memcpy(copy, text, length);
        assert_true(vs_text_line(copy, length, ordinal, 3) >= 1);
        free(copy);
    }
}

static void depth_counts_brackets_outside_of_strings(void **state) {
    (void)state;
    int found = -1;
    assert_int_equal(vs_text_depth(text, sizeof text - 1, 10, &found), 4);
    assert_int_equal(found, 0);
    assert_int_equal(vs_text_depth(text, sizeof text - 1, 2, &found), 4);
    assert_int_equal(found, 3);
    assert_int_equal(vs_text_depth("\"[[[\"", 5, 0, &found), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_of_members_and_items),
        cmocka_unit_test(what_is_not_there_stays_inside_the_text),
        cmocka_unit_test(depth_counts_brackets_outside_of_strings),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
