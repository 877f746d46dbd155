// Hashes: mixing of bits, of words, of bytes.
#ifndef VS_BASE_HASH_H
#define VS_BASE_HASH_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

// A bijection of 64 bits in which every bit of x moves about half of the bits: the last steps of SplitMix64 (Steele,
// Lea and Flood 2014). Zero stays zero.
static inline uint64_t vs_hash_mix(uint64_t x) {
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return x ^ x >> 31;
}

// Number n = 1, 2, … of the random sequence of a seed (SplitMix64).
static inline uint64_t vs_hash_random(uint64_t seed, uint64_t n) {
    return vs_hash_mix(seed + 0x9e3779b97f4a7c15u * n);
}

// The hash h of what came before, continued with a word. For fixed x a bijection of h, and for fixed h one of x: a difference
// in one bit is never lost.
static inline uint64_t vs_hash_word(uint64_t h, uint64_t x) {
    h = (h ^ x) * 0x9e3779b97f4a7c15u;
    return h ^ h >> 32;
}
static inline uint64_t vs_hash_double(uint64_t h, double x) {
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return vs_hash_word(h, bits);
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
