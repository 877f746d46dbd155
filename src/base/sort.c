// Sorting of plain numbers, and search in what is sorted.
#include "base/sort.h"

#include <stdlib.h>
#include <string.h>

static int compare(const void *a, const void *b) {
    int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

void vs_sort_ints(int *x, int64_t count) {
    if (count > 1)
        qsort(x, (size_t)count, sizeof *x, compare);
}

static uint64_t key_at(const void *items, size_t size, int64_t k) {
    uint64_t key;
    memcpy(&key, (const char *)items + size * (size_t)k, sizeof key);
    return key;
}

// Keys are mostly hashes: a few guesses by their size come closer than halving, which needs 20 looks at a million of them,
// each in another place of memory. Where keys are not spread evenly the rest is halved.
int64_t vs_find_first(const void *items, int64_t count, size_t size, uint64_t key) {
    enum { GUESSES = 6, NEAR = 8 };
    int64_t low = 0, high = count;
    uint64_t least = 0, most = UINT64_MAX; // bounds of the keys in [low, high)
    for (int k = 0; k < GUESSES && high - low > NEAR && least < key && key < most; k++) {
        const double share = (double)(key - least) / (double)(most - least);
        int64_t guess = low + (int64_t)(share * (double)(high - low));
        guess = guess < high ? guess : high - 1;
        const uint64_t found = key_at(items, size, guess);
        if (found < key)
            low = guess + 1, least = found;
        else
            high = guess, most = found;
    }
    while (low < high) {
        const int64_t middle = low + (high - low) / 2;
        if (key_at(items, size, middle) < key)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}
