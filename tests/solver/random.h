// Random numbers of the problems that the solvers are tested with: splitmix64 (Steele, Lea and Flood 2014). Not those of
// kit/random.h, so that the problems stay as they are.
#ifndef VS_TESTS_SOLVER_RANDOM_H
#define VS_TESTS_SOLVER_RANDOM_H

#include <math.h>
#include <stdint.h>

static inline uint64_t random_bits(uint64_t *seed) {
    uint64_t z = *seed += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

// In [low, high).
static inline double random_in(uint64_t *seed, double low, double high) {
    return low + (high - low) * (double)(random_bits(seed) >> 11) / 9007199254740992.0;
}

// 0 … count - 1.
static inline int random_pick(uint64_t *seed, int count) {
    return (int)(random_bits(seed) % (uint64_t)count);
}

static inline void random_direction(uint64_t *seed, double d[3]) {
    double length;
    do {
        for (int k = 0; k < 3; k++)
            d[k] = random_in(seed, -1, 1);
        length = sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
    } while (length > 1 || length < 0.1);
    for (int k = 0; k < 3; k++)
        d[k] /= length;
}

static inline void cross_product(const double a[3], const double b[3], double out[3]) {
    for (int k = 0; k < 3; k++)
        out[k] = a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
}

#endif
