// Sorting of plain numbers, and search in what is sorted.
#ifndef VS_BASE_SORT_H
#define VS_BASE_SORT_H

#include <stddef.h>
#include <stdint.h>

void vs_sort_ints(int *x, int64_t count); // ascending
// The first of `count` items of `size` bytes whose key is not below this one; count: there is none. Each item begins with its key,
// a uint64_t; keys ascend.
int64_t vs_find_first(const void *items, int64_t count, size_t size, uint64_t key);

#endif
