// Growable arrays in the context's memory. A zero-initialized array is empty.
//
//     VS_ARRAY(vs_contact) contacts = {0};
//     if (VS_RESERVE(context, &contacts, contacts.count + 1))
//         return VS_ERROR_MEMORY;
//     contacts.data[contacts.count++] = contact;
//     VS_ARRAY_RELEASE(context, &contacts);
//
// Elements may move whenever the array grows.
#ifndef VS_BASE_ARRAY_H
#define VS_BASE_ARRAY_H

#include "base/context.h"

#define VS_ARRAY(type)                                                                                                 \
    struct {                                                                                                           \
        type *data;              /* (capacity) */                                                                      \
        int64_t count, capacity; /* elements in use, elements with memory */                                           \
    }

// Room for `wanted` elements: data is not null afterwards. Elements beyond the old capacity are zero-filled; those in
// use and their count stay. Returns VS_ERROR_MEMORY, with the text set and the array as it was, if the allocator fails
// or the number of bytes overflows.
#define VS_RESERVE(context, array, wanted)                                                                             \
    vs_array_reserve((context), &(array)->data, &(array)->capacity, (wanted), sizeof *(array)->data)

#define VS_ARRAY_RELEASE(context, array)                                                                               \
    (vs_release((context), (array)->data), (array)->data = NULL, (array)->count = (array)->capacity = 0)

// The same for a pointer and a capacity of their own; `data` is the address of the pointer to elements of `size` bytes.
// Capacities grow by half, so that appending n elements one by one copies O(n).
vs_error vs_array_reserve(vs_context *context, void *data, int64_t *capacity, int64_t wanted, size_t size);

#endif
