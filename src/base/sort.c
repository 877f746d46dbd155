// Sorting of plain numbers.
#include "base/sort.h"

#include <stdlib.h>

static int compare(const void *a, const void *b) {
    int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

void vs_sort_ints(int *x, int64_t count) {
    if (count > 1)
        qsort(x, (size_t)count, sizeof *x, compare);
}
