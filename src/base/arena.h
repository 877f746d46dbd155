// An arena: memory of many objects with one lifetime, released together. Every larger object (problem, solver)
// owns one, so that a failed construction leaks nothing: releasing the arena releases everything.
#ifndef VS_BASE_ARENA_H
#define VS_BASE_ARENA_H

#include "base/context.h"

typedef struct vs_arena {
    vs_context *context;
    struct vs_arena_chunk *chunks; // newest first
    size_t bytes;                  // handed out so far
} vs_arena;

void vs_arena_init(vs_arena *arena, vs_context *context);
void vs_arena_release(vs_arena *arena); // leaves an empty arena that may be used again

// 64-byte aligned; null when the allocator fails or count * size overflows. The text of the error is set.
void *vs_arena_allocate(vs_arena *arena, int64_t count, size_t size);      // uninitialized
void *vs_arena_allocate_zero(vs_arena *arena, int64_t count, size_t size); // zero-filled
void *vs_arena_copy(vs_arena *arena, const void *source, int64_t count, size_t size);

#define VS_NEW(arena, type, count) ((type *)vs_arena_allocate((arena), (count), sizeof(type)))
#define VS_NEW_ZERO(arena, type, count) ((type *)vs_arena_allocate_zero((arena), (count), sizeof(type)))
#define VS_COPY(arena, type, source, count) ((type *)vs_arena_copy((arena), (source), (count), sizeof(type)))

#endif
