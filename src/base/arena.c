// The arena: objects of one lifetime, cut in order from chunks of the context's memory.
//
//     chunk:  header | objects, each at a multiple of 64 bytes | free
//
// Chunks double in size up to a limit, so that the number of allocations grows with the logarithm of a small problem's
// size and little is wasted on a large one. A large object gets a chunk of its own. Single objects are not released.
// Under the address sanitizer, unused memory is poisoned and objects are kept apart, so that an access beyond the end
// of an object is detected although its neighbour lies in the same chunk.
#include "base/arena.h"

#include <string.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer) && !defined(__SANITIZE_ADDRESS__)
#define __SANITIZE_ADDRESS__ 1
#endif
#endif
#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>
enum { GAP = 64 };
#else
#define ASAN_POISON_MEMORY_REGION(address, size) ((void)(address), (void)(size))
#define ASAN_UNPOISON_MEMORY_REGION(address, size) ((void)(address), (void)(size))
enum { GAP = 0 };
#endif

enum {
    ALIGNMENT = 64,        // bytes: a cache line, the widest vector register
    FIRST_CHUNK = 1 << 14, // bytes
    LAST_CHUNK = 1 << 23   // bytes; larger chunks hold one object only
};

typedef struct vs_arena_chunk {
    struct vs_arena_chunk *next;
    char *free;       // multiple of ALIGNMENT
    size_t free_size; // bytes left, multiple of ALIGNMENT
    size_t size;      // bytes for objects when new
} chunk;

void vs_arena_init(vs_arena *arena, vs_context *context) {
    *arena = (vs_arena){.context = context};
}

void vs_arena_release(vs_arena *arena) {
    chunk *c = arena->chunks;
    while (c) {
        chunk *next = c->next;
        char *end = c->free + c->free_size;
        ASAN_UNPOISON_MEMORY_REGION(end - c->size, c->size);
        (void)end;
        vs_release(arena->context, c);
        c = next;
    }
    vs_arena_init(arena, arena->context);
}

// A chunk with `size` bytes for objects, a multiple of ALIGNMENT; the allocator itself aligns to 16 only.
static chunk *make_chunk(vs_arena *arena, size_t size) {
    chunk *c = vs_allocate(arena->context, sizeof *c + ALIGNMENT - 1 + size);
    if (!c)
        return NULL;
    char *begin = (char *)(c + 1);
    begin += (ALIGNMENT - (uintptr_t)begin % ALIGNMENT) % ALIGNMENT;
    *c = (chunk){.free = begin, .free_size = size, .size = size};
    ASAN_POISON_MEMORY_REGION(begin, size);
    return c;
}

// A new chunk with room for `bytes`, linked into the arena.
static chunk *add_chunk(vs_arena *arena, size_t bytes) {
    chunk *newest = arena->chunks;
    size_t usual = newest ? 2 * (newest->size < LAST_CHUNK / 2 ? newest->size : LAST_CHUNK / 2) : FIRST_CHUNK;
    chunk *c = make_chunk(arena, bytes > usual ? bytes : usual);
    if (!c)
        return NULL;
    // A chunk of one object is linked behind the newest, whose free space stays in use.
    if (newest && bytes > usual) {
        c->next = newest->next;
        newest->next = c;
    } else {
        c->next = newest;
        arena->chunks = c;
    }
    return c;
}

void *vs_arena_allocate(vs_arena *arena, int64_t count, size_t size) {
    // Half of the address space leaves room for headers and rounding without further checks.
    const size_t limit = SIZE_MAX / 2 - 4096;
    if (count < 0 || (size > 0 && (uint64_t)count > limit / size)) {
        (void)vs_fail_memory(arena->context);
        return NULL;
    }
    size_t wanted = (size_t)count * size;
    size_t bytes = ((wanted ? wanted : 1) + GAP + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    chunk *c = arena->chunks;
    if (!c || c->free_size < bytes)
        c = add_chunk(arena, bytes);
    if (!c) {
        (void)vs_fail_memory(arena->context);
        return NULL;
    }
    void *object = c->free;
    c->free += bytes;
    c->free_size -= bytes;
    arena->bytes += wanted;
    ASAN_UNPOISON_MEMORY_REGION(object, wanted);
    return object;
}

void *vs_arena_allocate_zero(vs_arena *arena, int64_t count, size_t size) {
    void *object = vs_arena_allocate(arena, count, size);
    if (object && count > 0)
        memset(object, 0, (size_t)count * size);
    return object;
}

void *vs_arena_copy(vs_arena *arena, const void *source, int64_t count, size_t size) {
    void *object = vs_arena_allocate(arena, count, size);
    if (object && count > 0 && size > 0)
        memcpy(object, source, (size_t)count * size);
    return object;
}
