// Bytes of the fuzzer as a stream of small decisions and of interesting numbers. Zero once they are used up.
#ifndef VS_FUZZ_BYTES_H
#define VS_FUZZ_BYTES_H

#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

typedef struct stream {
    const uint8_t *at;
    size_t left;
} stream;

static inline uint8_t next_byte(stream *s) {
    if (s->left == 0)
        return 0;
    s->left--;
    return *s->at++;
}

// 0 … limit - 1
static inline int next_choice(stream *s, int limit) {
    return next_byte(s) % limit;
}

// Mostly small, sometimes at the ends of the range.
static inline int next_int(stream *s) {
    static const int extremes[] = {INT_MIN,         INT_MIN + 1, -1,      INT_MAX / 3,
                                   INT_MAX / 3 + 1, INT_MAX - 1, INT_MAX, 1 << 16};
    const uint8_t byte = next_byte(s);
    return byte >= 248 ? extremes[byte - 248] : byte % 16;
}

// Mostly small values, sometimes not finite, tiny, huge, or any bits at all.
static inline double next_double(stream *s) {
    static const double extremes[] = {NAN, INFINITY, -INFINITY, 1e308, -1e308, 5e-324, 1e-300, -0.0};
    const uint8_t byte = next_byte(s);
    if (byte >= 248)
        return extremes[byte - 248];
    if (byte == 247) {
        uint64_t bits = 0;
        for (int k = 0; k < 8; k++)
            bits = bits << 8 | next_byte(s);
        double x;
        memcpy(&x, &bits, sizeof x);
        return x;
    }
    return (byte - 100) / 8.0;
}

#endif
