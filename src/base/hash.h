// Mixing of bits for hashes.
#ifndef VS_BASE_HASH_H
#define VS_BASE_HASH_H

#include <stdint.h>

// A bijection of 64 bits in which every bit of x moves about half of the bits: the last steps of SplitMix64 (Steele,
// Lea and Flood 2014). Zero stays zero.
static inline uint64_t vs_hash_mix(uint64_t x) {
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return x ^ x >> 31;
}

#endif
