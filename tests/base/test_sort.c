// Search among ascending keys: against a walk through them, however they are spread.
#include "base/sort.h"
#include "kit/fixture.h"

enum { COUNT = 3000 };

typedef struct item {
    uint64_t key;
    int value;
} item;

static int64_t walk(const item *items, int64_t count, uint64_t key) {
    int64_t k = 0;
    while (k < count && items[k].key < key)
        k++;
    return k;
}

static void check(const item *items, int64_t count) {
    for (int64_t k = 0; k < count; k += 7)
        for (uint64_t aside = 0; aside < 3; aside++) { // the key before, this one, the next: they may wrap around
            const uint64_t key = items[k].key + aside - 1;
            assert_int_equal(vs_find_first(items, count, sizeof *items, key), walk(items, count, key));
        }
    const uint64_t ends[] = {0, 1, UINT64_MAX - 1, UINT64_MAX};
    for (int k = 0; k < 4; k++)
        assert_int_equal(vs_find_first(items, count, sizeof *items, ends[k]), walk(items, count, ends[k]));
}

static int compare(const void *a, const void *b) {
    const uint64_t x = ((const item *)a)->key, y = ((const item *)b)->key;
    return (x > y) - (x < y);
}

static void test_first_of_equal_keys_is_found_for_even_and_uneven_keys(void **state) {
    (void)state;
    static item items[COUNT];
    for (int kind = 0; kind < 4; kind++) {
        uint64_t seed = 5;
        for (int k = 0; k < COUNT; k++) {
            seed = seed * 6364136223846793005u + 1442695040888963407u;
            const uint64_t key[4] = {seed,                             // hashes
                                     (uint64_t)k / 3,                  // small numbers, each three times
                                     k < COUNT / 2 ? 0 : seed,         // rows without a pair before the others
                                     (uint64_t)1 << (k * 64 / COUNT)}; // powers
            items[k] = (item){key[kind], k};
        }
        qsort(items, COUNT, sizeof *items, compare);
        for (int64_t count = 0; count < 12; count++)
            check(items, count);
        check(items, COUNT);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_first_of_equal_keys_is_found_for_even_and_uneven_keys),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
