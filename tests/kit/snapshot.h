// Snapshots of simulations, and their parts: {tag, version, bytes}, as docs/formats.md describes them.
#ifndef VS_TESTS_KIT_SNAPSHOT_H
#define VS_TESTS_KIT_SNAPSHOT_H

#include "base/bytes.h"
#include "kit/memory.h"
#include "voussoir/simulation.h"

typedef struct snapshot {
    char *bytes; // owned
    size_t count;
} snapshot;

static inline snapshot take_snapshot(const vs_simulation *simulation, const vs_context *context) {
    snapshot s = {NULL, 0};
    must(vs_simulation_save(simulation, NULL, 0, &s.count), context);
    s.bytes = malloc(s.count);
    assert_non_null(s.bytes);
    must(vs_simulation_save(simulation, s.bytes, s.count, &s.count), context);
    return s;
}

static inline void use_snapshot(vs_simulation *simulation, const snapshot *s, const vs_context *context) {
    must(vs_simulation_restore(simulation, s->bytes, s->count), context);
}

static inline void free_snapshot(snapshot *s) {
    free(s->bytes);
    *s = (snapshot){NULL, 0};
}

static inline snapshot copy_snapshot(const snapshot *s) {
    snapshot copy = {malloc(s->count), s->count};
    assert_non_null(copy.bytes);
    memcpy(copy.bytes, s->bytes, s->count);
    return copy;
}

// ---- parts ----------------------------------------------------------------------------------------------

enum { STATE_HEAD = 24, PART_HEAD = 16 }; // bytes

static inline uint64_t get_number(const char *from, int bytes) {
    return vs_get_bytes((const unsigned char *)from, bytes);
}

static inline void put_number(char *to, int bytes, uint64_t x) {
    vs_put_bytes((unsigned char *)to, bytes, x);
}

// With its head.
static inline size_t part_bytes(const char *part) {
    return PART_HEAD + (size_t)get_number(part + 8, 8);
}

static inline char *find_part(const snapshot *s, const char *tag) {
    for (char *at = s->bytes + STATE_HEAD; at < s->bytes + s->count; at += part_bytes(at))
        if (memcmp(at, tag, 4) == 0)
            return at;
    return NULL;
}

// A copy with other bytes (a part, several or none) in place of a part.
static inline snapshot replace_part(const snapshot *s, const char *tag, const char *by, size_t size) {
    const char *old = find_part(s, tag);
    assert_non_null(old);
    const size_t before = (size_t)(old - s->bytes), after = s->count - before - part_bytes(old);
    snapshot made = {malloc(before + size + after), before + size + after};
    assert_non_null(made.bytes);
    memcpy(made.bytes, s->bytes, before);
    memcpy(made.bytes + before, by, size);
    memcpy(made.bytes + before + size, old + part_bytes(old), after);
    put_number(made.bytes + 16, 8, made.count - STATE_HEAD);
    return made;
}

#endif
