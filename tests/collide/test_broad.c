// The broad phase against trying all pairs, and the sort beneath it.
#include <string.h>

#include "meeting.h"
#include "collide/broad/broad.h"

static bool accept_all(void *user, int first, int second) {
    (void)user, (void)first, (void)second;
    return true;
}

static bool accept_even_sums(void *user, int first, int second) {
    (void)user;
    return (first + second) % 2 == 0;
}

static bool touch(const vs_box3 *a, const vs_box3 *b) {
    return a->low.x <= b->high.x && b->low.x <= a->high.x && a->low.y <= b->high.y && b->low.y <= a->high.y &&
           a->low.z <= b->high.z && b->low.z <= a->high.z;
}

// Every pair that tries to hide is found once, in ascending order of its two, and no other.
static void check_pairs(const vs_broad *broad, const vs_box3 *box, int count) {
    unsigned char *seen = calloc((size_t)count * (size_t)count + 1, 1);
    assert_non_null(seen);
    for (int k = 0; k < broad->pairs; k++) {
        int i = broad->pair[k].first, j = broad->pair[k].second;
        assert_true(0 <= i && i < j && j < count);
        assert_int_equal(seen[(size_t)i * (size_t)count + (size_t)j]++, 0);
    }
    for (int i = 0; i < count; i++)
        for (int j = i + 1; j < count; j++)
            assert_int_equal(seen[(size_t)i * (size_t)count + (size_t)j], touch(&box[i], &box[j]));
    free(seen);
}

enum { MOST = 600 };

static void fill(vs_box3 *box, int count, uint64_t *seed, double decades, double space, bool slender) {
    for (int k = 0; k < count; k++) {
        vs_vec3 c = random_vec(seed, space), half;
        half.x = half.y = half.z = pow(10, random_in(seed, -decades, 0));
        if (slender)
            half.x *= 100;
        box[k] = (vs_box3){vs_subtract(c, half), vs_add(c, half)};
    }
}

static void test_pairs_are_those_of_brute_force_for_all_mixtures_of_sizes(void **state) {
    (void)state;
    vs_context *context = NULL;
    assert_int_equal(vs_context_create(NULL, &context), VS_OK);
    vs_broad broad = {.context = context};
    static vs_box3 box[MOST];
    uint64_t seed = 14;
    const int count[] = {0, 1, 2, 3, 4, 5, 9, 50, 317, MOST};
    for (size_t k = 0; k < sizeof count / sizeof *count; k++)
        for (int kind = 0; kind < 8; kind++) {
            fill(box, count[k], &seed, kind % 4 * 2, kind < 4 ? 5 : 50, kind % 2 == 1);
            assert_int_equal(vs_broad_find(&broad, box, count[k], accept_all, NULL), VS_OK);
            check_pairs(&broad, box, count[k]);
        }
    vs_broad_release(&broad);
    vs_context_destroy(context);
}

static void test_equal_flat_and_single_point_boxes_are_found(void **state) {
    (void)state;
    vs_context *context = NULL;
    assert_int_equal(vs_context_create(NULL, &context), VS_OK);
    vs_broad broad = {.context = context};
    static vs_box3 box[100];
    for (int k = 0; k < 100; k++)
        box[k] = (vs_box3){{1, 2, 3}, {1, 2, 3}};
    assert_int_equal(vs_broad_find(&broad, box, 100, accept_all, NULL), VS_OK);
    assert_int_equal(broad.pairs, 100 * 99 / 2);
    for (int k = 0; k < 100; k++) // a sheet of tiles: neighbours touch
        box[k] = (vs_box3){{k % 10, k / 10, 0}, {k % 10 + 1, k / 10 + 1, 0}};
    assert_int_equal(vs_broad_find(&broad, box, 100, accept_all, NULL), VS_OK);
    check_pairs(&broad, box, 100);
    assert_int_equal(broad.pairs, 2 * 90 + 2 * 81);
    vs_broad_release(&broad);
    vs_context_destroy(context);
}

static void test_pairs_that_are_not_accepted_are_left_out(void **state) {
    (void)state;
    vs_context *context = NULL;
    assert_int_equal(vs_context_create(NULL, &context), VS_OK);
    vs_broad broad = {.context = context};
    static vs_box3 box[200];
    uint64_t seed = 15;
    fill(box, 200, &seed, 1, 2, false);
    assert_int_equal(vs_broad_find(&broad, box, 200, accept_all, NULL), VS_OK);
    int even = 0;
    for (int k = 0; k < broad.pairs; k++)
        even += (broad.pair[k].first + broad.pair[k].second) % 2 == 0;
    assert_int_equal(vs_broad_find(&broad, box, 200, accept_even_sums, NULL), VS_OK);
    assert_true(even > 0);
    assert_int_equal(broad.pairs, even);
    vs_broad_release(&broad);
    vs_context_destroy(context);
}

static void test_order_of_pairs_is_the_same_each_time(void **state) {
    (void)state;
    vs_context *context = NULL;
    assert_int_equal(vs_context_create(NULL, &context), VS_OK);
    vs_broad one = {.context = context}, two = {.context = context};
    static vs_box3 box[MOST];
    uint64_t seed = 16;
    fill(box, MOST, &seed, 3, 50, true);
    assert_int_equal(vs_broad_find(&two, box, MOST, accept_all, NULL), VS_OK); // leaves traces in its memory
    fill(box, MOST, &seed, 2, 5, false);
    assert_int_equal(vs_broad_find(&one, box, MOST, accept_all, NULL), VS_OK);
    assert_int_equal(vs_broad_find(&two, box, MOST, accept_all, NULL), VS_OK);
    assert_int_equal(one.pairs, two.pairs);
    assert_memory_equal(one.pair, two.pair, (size_t)one.pairs * sizeof *one.pair);
    vs_broad_release(&one);
    vs_broad_release(&two);
    vs_context_destroy(context);
}

// A body that left the scene: the others share one cell of the first sort.
static void test_something_far_away_changes_no_pair(void **state) {
    (void)state;
    vs_context *context = NULL;
    assert_int_equal(vs_context_create(NULL, &context), VS_OK);
    vs_broad broad = {.context = context};
    static vs_box3 box[MOST];
    uint64_t seed = 25;
    for (int decade = 3; decade <= 300; decade += 27) {
        fill(box, MOST, &seed, 1, 5, false);
        for (int k = 0; k < 3; k++)
            box[k].low.x = box[k].high.x = pow(10, decade) * (k + 1);
        assert_int_equal(vs_broad_find(&broad, box, MOST, accept_all, NULL), VS_OK);
        check_pairs(&broad, box, MOST);
    }
    vs_broad_release(&broad);
    vs_context_destroy(context);
}

typedef struct watched {
    int tests;
} watched;

static bool count_tests(void *user, int first, int second) {
    (void)first, (void)second;
    ((watched *)user)->tests++;
    return false;
}

static void test_boxes_that_are_no_numbers_do_no_harm(void **state) {
    (void)state;
    vs_context *context = NULL;
    assert_int_equal(vs_context_create(NULL, &context), VS_OK);
    vs_broad broad = {.context = context};
    static vs_box3 box[50];
    uint64_t seed = 17;
    fill(box, 50, &seed, 0, 1, false);
    watched clean = {0}, dirty = {0};
    assert_int_equal(vs_broad_find(&broad, box, 49, count_tests, &clean), VS_OK);
    box[49] = (vs_box3){{NAN, NAN, NAN}, {NAN, NAN, NAN}};
    assert_int_equal(vs_broad_find(&broad, box, 50, count_tests, &dirty), VS_OK);
    assert_int_equal(clean.tests, dirty.tests);
    vs_broad_release(&broad);
    vs_context_destroy(context);
}

static void test_sort_is_stable_and_ascending(void **state) {
    (void)state;
    enum { N = 5000 };
    static uint64_t key[N], before[N], spare_key[N];
    static int value[N], spare[N];
    uint64_t seed = 18;
    for (int bits = 1; bits <= 64; bits += 9) {
        for (int k = 0; k < N; k++) {
            (void)random_in(&seed, 0, 1);
            before[k] = key[k] = seed >> (64 - bits);
            value[k] = k;
        }
        vs_sort_keys(key, value, spare_key, spare, N);
        for (int k = 0; k < N; k++) {
            assert_true(key[k] == before[value[k]]);
            if (k > 0)
                assert_true(key[k - 1] < key[k] || (key[k - 1] == key[k] && value[k - 1] < value[k]));
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pairs_are_those_of_brute_force_for_all_mixtures_of_sizes),
        cmocka_unit_test(test_equal_flat_and_single_point_boxes_are_found),
        cmocka_unit_test(test_pairs_that_are_not_accepted_are_left_out),
        cmocka_unit_test(test_order_of_pairs_is_the_same_each_time),
        cmocka_unit_test(test_something_far_away_changes_no_pair),
        cmocka_unit_test(test_boxes_that_are_no_numbers_do_no_harm),
        cmocka_unit_test(test_sort_is_stable_and_ascending),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
