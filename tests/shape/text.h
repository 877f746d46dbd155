// Texts and files of bytes for the tests of what reads them.
#ifndef VS_TESTS_SHAPE_TEXT_H
#define VS_TESTS_SHAPE_TEXT_H

#include "kit/test.h"

enum { TEXT_ROOM = 1 << 16 };

typedef struct text {
    char bytes[TEXT_ROOM];
    size_t length;
    bool binary, swap; // how numbers are added
} text;

static inline void add(text *t, const char *format, ...) __attribute__((format(printf, 2, 3)));
static inline void add(text *t, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    t->length += (size_t)vsnprintf(t->bytes + t->length, TEXT_ROOM - t->length, format, arguments);
    va_end(arguments);
    assert_true(t->length < TEXT_ROOM);
}

static inline void add_bytes(text *t, const void *bytes, size_t length) {
    assert_true(t->length + length < TEXT_ROOM);
    for (size_t k = 0; k < length; k++)
        t->bytes[t->length + k] = ((const char *)bytes)[t->swap ? length - 1 - k : k];
    t->length += length;
}

// A copy of the exact length with a zero at its end, so that a sanitizer sees a read beyond it. To be freed.
static inline char *copy_text(const text *t) {
    char *copy = malloc(t->length + 1);
    assert_non_null(copy);
    memcpy(copy, t->bytes, t->length);
    copy[t->length] = 0;
    return copy;
}

#endif
