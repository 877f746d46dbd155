// Hashes: mixing of bits, hashes of bytes.
#ifndef VS_BASE_HASH_H
#define VS_BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

// A bijection of 64 bits in which every bit of x moves about half of the bits: the last steps of SplitMix64 (Steele,
// Lea and Flood 2014). Zero stays zero.
static inline uint64_t vs_hash_mix(uint64_t x) {
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return x ^ x >> 31;
}

// FNV-1a (Fowler, Noll and Vo) with 64 bits, continued from the hash of what came before; of nothing: VS_HASH_EMPTY.
static const uint64_t VS_HASH_EMPTY = 0xcbf29ce484222325u;
static inline uint64_t vs_hash_bytes(uint64_t hash, const void *bytes, size_t count) {
    const unsigned char *at = bytes;
    for (size_t k = 0; k < count; k++)
        hash = (hash ^ at[k]) * 0x100000001b3u;
    return hash;
}

#endif
