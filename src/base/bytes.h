// Integers in files, little-endian.
#ifndef VS_BASE_BYTES_H
#define VS_BASE_BYTES_H

#include <stdint.h>

static inline uint64_t vs_get_bytes(const unsigned char *from, int bytes) {
    uint64_t x = 0;
    for (int k = bytes - 1; k >= 0; k--)
        x = x << 8 | from[k];
    return x;
}

static inline void vs_put_bytes(unsigned char *to, int bytes, uint64_t x) {
    for (int k = 0; k < bytes; k++, x >>= 8)
        to[k] = (unsigned char)x;
}

#endif
