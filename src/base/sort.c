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

int64_t vs_find_first(const void *items, int64_t count, size_t size, uint64_t key) {
    int64_t low = 0, high = count;
    while (low < high) {
        const int64_t middle = low + (high - low) / 2;
        uint64_t found;
        memcpy(&found, (const char *)items + size * (size_t)middle, sizeof found);
        if (found < key)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}
