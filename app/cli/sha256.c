// SHA-256: see sha256.h. The constants are the first 32 bits of the fractional parts of square roots (state) and cube roots
// (rounds) of the first primes.
#include "cli/sha256.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const uint32_t ROUND[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

static uint32_t turn(uint32_t x, int bits) {
    return x >> bits | x << (32 - bits);
}

static void add_block(uint32_t state[8], const unsigned char block[64]) {
    uint32_t w[64], s[8];
    for (int k = 0; k < 16; k++)
        w[k] = (uint32_t)block[4 * k] << 24 | (uint32_t)block[4 * k + 1] << 16 | (uint32_t)block[4 * k + 2] << 8 |
               block[4 * k + 3];
    for (int k = 16; k < 64; k++) {
        const uint32_t a = w[k - 15], b = w[k - 2];
        w[k] = w[k - 16] + w[k - 7] + (turn(a, 7) ^ turn(a, 18) ^ a >> 3) + (turn(b, 17) ^ turn(b, 19) ^ b >> 10);
    }
    memcpy(s, state, sizeof s);
    for (int k = 0; k < 64; k++) {
        const uint32_t e = s[4], a = s[0];
        const uint32_t one =
            s[7] + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + ((e & s[5]) ^ (~e & s[6])) + ROUND[k] + w[k];
        const uint32_t two = (turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & s[1]) ^ (a & s[2]) ^ (s[1] & s[2]));
        memmove(s + 1, s, 7 * sizeof *s);
        s[4] += one;
        s[0] = one + two;
    }
    for (int k = 0; k < 8; k++)
        state[k] += s[k];
}

void app_sha256(const void *bytes, size_t count, char text[APP_SHA256]) {
    uint32_t state[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                         0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
    const unsigned char *at = bytes;
    unsigned char last[128] = {0};
    size_t left = count;
    for (; left >= 64; left -= 64, at += 64)
        add_block(state, at);
    // A one bit, zeros, and the number of bits end the last block, or the two last.
    if (left > 0)
        memcpy(last, at, left);
    last[left] = 0x80;
    const size_t end = left < 56 ? 64 : 128;
    for (int k = 0; k < 8; k++)
        last[end - 1 - (size_t)k] = (unsigned char)((uint64_t)count * 8 >> (8 * k));
    for (size_t k = 0; k < end; k += 64)
        add_block(state, last + k);
    for (int k = 0; k < 8; k++)
        (void)snprintf(text + 8 * k, 9, "%08x", (unsigned)state[k]);
}

bool app_sha256_file(const char *path, char text[APP_SHA256], long *size) {
    FILE *file = fopen(path, "rb");
    char *bytes = NULL;
    bool good = file && fseek(file, 0, SEEK_END) == 0 && (*size = ftell(file)) >= 0;
    if (good) {
        rewind(file);
        bytes = malloc((size_t)*size + 1);
        good = bytes && fread(bytes, 1, (size_t)*size, file) == (size_t)*size;
    }
    if (good)
        app_sha256(bytes, (size_t)*size, text);
    free(bytes);
    if (file)
        (void)fclose(file);
    return good;
}
