// Sorting of plain numbers.
#ifndef VS_BASE_SORT_H
#define VS_BASE_SORT_H

#include <stdint.h>

void vs_sort_ints(int *x, int64_t count); // ascending

#endif
