#include "base/array.h"

#include <string.h>

vs_error vs_array_reserve(vs_context *context, void *data, int64_t *capacity, int64_t wanted, size_t size) {
    void *old;
    memcpy(&old, data, sizeof old); // `data` points to a pointer of any type
    if (old && wanted <= *capacity)
        return VS_OK;
    const int64_t most = size > 0 ? (int64_t)(PTRDIFF_MAX / size) : INT64_MAX;
    if (wanted > most)
        return vs_fail_memory(context);
    int64_t grown = *capacity <= most / 2 ? *capacity + *capacity / 2 + 16 : wanted;
    grown = grown > wanted ? grown : wanted;
    grown = grown < most ? grown : most;
    char *larger = vs_allocate(context, (size_t)grown * size);
    if (!larger)
        return vs_fail_memory(context);
    const size_t kept = old ? (size_t)*capacity * size : 0;
    if (kept > 0)
        memcpy(larger, old, kept);
    memset(larger + kept, 0, (size_t)grown * size - kept);
    vs_release(context, old);
    memcpy(data, &larger, sizeof larger);
    *capacity = grown;
    return VS_OK;
}
