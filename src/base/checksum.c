// Jenkins' lookup3 hash ("hashlittle", 2006, in the public domain by its author), start value 0:
// three words absorb twelve bytes at a time, little-endian, and are mixed; the last one to twelve bytes end with a
// stronger mix. HDF5 stores it at the end of its superblock (File Format Specification 3.0, section II.A).
// Detects accidents, not intent.
#include "base/checksum.h"

static uint32_t rotate(uint32_t x, int bits) {
    return (x << bits) | (x >> (32 - bits));
}

// Byte k of at most twelve is added to word k / 4; missing bytes are zero.
static void take_in(uint32_t word[3], const unsigned char *bytes, size_t count) {
    for (size_t k = 0; k < count; k++)
        word[k / 4] += (uint32_t)bytes[k] << (8 * (k % 4));
}

static void mix(uint32_t w[3]) {
    static const int bits[6] = {4, 6, 8, 16, 19, 4};
    for (int k = 0; k < 6; k++) {
        uint32_t *a = &w[k % 3], *b = &w[(k + 1) % 3], *c = &w[(k + 2) % 3];
        *a -= *c;
        *a ^= rotate(*c, bits[k]);
        *c += *b;
    }
}

static void mix_last(uint32_t w[3]) {
    static const int bits[7] = {14, 11, 25, 16, 4, 14, 24};
    for (int k = 0; k < 7; k++) {
        uint32_t *to = &w[(k + 2) % 3], from = w[(k + 1) % 3];
        *to ^= from;
        *to -= rotate(from, bits[k]);
    }
}

uint32_t vs_checksum(const void *bytes, size_t count) {
    const unsigned char *at = bytes;
    const uint32_t start = 0xdeadbeefu + (uint32_t)count;
    uint32_t word[3] = {start, start, start};
    for (; count > 12; count -= 12, at += 12) {
        take_in(word, at, 12);
        mix(word);
    }
    if (count > 0) {
        take_in(word, at, count);
        mix_last(word);
    }
    return word[2];
}
