// Contexts whose allocations are counted and can be refused.
#ifndef VS_TESTS_KIT_MEMORY_H
#define VS_TESTS_KIT_MEMORY_H

#include "kit/test.h"
#include "voussoir/context.h"

typedef struct memory {
    int alive, calls;           // blocks not released yet; allocations requested so far
    int refuse_from, refuse_to; // calls with these numbers, [from, to), fail; none by default
    size_t largest;             // allocation requested, bytes
    size_t aligned, shift;      // if not 0: blocks miss a multiple of this alignment by `shift` bytes
} memory;

static inline void *take_memory(void *user, size_t bytes) {
    memory *m = user;
    const int call = m->calls++;
    m->largest = bytes > m->largest ? bytes : m->largest;
    if (call >= m->refuse_from && call < m->refuse_to)
        return NULL;
    char *whole = malloc(m->aligned ? bytes + 2 * m->aligned + m->shift + sizeof whole : bytes), *block = whole;
    if (!whole)
        return NULL;
    m->alive++;
    if (m->aligned) { // C11's aligned_alloc() is missing on Windows
        block += sizeof whole;
        block += m->aligned - (uintptr_t)block % m->aligned + m->shift;
        memcpy(block - sizeof whole, &whole, sizeof whole);
    }
    return block;
}

static inline void give_memory(void *user, void *block) {
    memory *m = user;
    m->alive--;
    if (m->aligned)
        memcpy(&block, (char *)block - sizeof block, sizeof block);
    free(block);
}

// The default definition with this memory.
static inline vs_context_def context_def_of(memory *m) {
    vs_context_def def = vs_context_def_default();
    def.allocate = take_memory;
    def.release = give_memory;
    def.allocator_user = m;
    return def;
}

static inline vs_context *make_threaded_context(memory *m, int threads) {
    *m = (memory){0};
    vs_context_def def = context_def_of(m);
    def.threads = threads;
    vs_context *context = NULL;
    assert_int_equal(vs_context_create(&def, &context), VS_OK);
    return context;
}

static inline vs_context *make_context(memory *m) {
    return make_threaded_context(m, 1);
}

// Destroys the context and proves that nothing is left.
static inline void end_context(vs_context *context, const memory *m) {
    vs_context_destroy(context);
    assert_int_equal(m->alive, 0);
}

// ---- refusals, counted from the next call (k = 0) ---------------------------------------------------------

static inline void refuse_call(memory *m, int k) { // this one only
    m->refuse_from = m->calls + k;
    m->refuse_to = m->refuse_from + 1;
}

static inline void refuse_calls_from(memory *m, int k) { // all from this one on
    m->refuse_from = m->calls + k;
    m->refuse_to = INT32_MAX;
}

static inline void refuse_none(memory *m) {
    m->refuse_from = m->refuse_to = 0;
}

static inline bool was_refused(const memory *m) { // a call since the refusal was set
    return m->refuse_to > 0 && m->calls > m->refuse_from;
}

// ---- errors -----------------------------------------------------------------------------------------------

// Fails the test with the text of the error, if there is one.
static inline void must(vs_error error, const vs_context *context) {
    if (error)
        fail_msg("%s: %s", vs_error_name(error), context ? vs_context_get_error_text(context) : "no context");
}

// Refuses each allocation of attempt() in turn until it succeeds: each failure is a lack of memory that says so and
// leaks nothing. Returns how many allocations were refused. attempt() releases what it made.
static inline int refuse_each(memory *m, const vs_context *context, vs_error (*attempt)(void *user), void *user) {
    for (int k = 0; k < 10000; k++) {
        const int alive = m->alive;
        refuse_call(m, k);
        const vs_error error = attempt(user);
        const bool refused = was_refused(m);
        refuse_none(m);
        if (!refused)
            must(error, context);
        assert_int_equal(error, refused ? VS_ERROR_MEMORY : VS_OK);
        assert_int_equal(m->alive, alive);
        if (!refused)
            return k;
        assert_string_equal(vs_context_get_error_text(context), "out of memory");
    }
    fail_msg("10000 allocations were not enough");
    return -1;
}

#endif
