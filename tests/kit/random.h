// Random numbers that are the same on every machine: a linear congruential generator of 64 bits (Knuth).
#ifndef VS_TESTS_KIT_RANDOM_H
#define VS_TESTS_KIT_RANDOM_H

#include <stdint.h>

#include "base/vec.h"

static inline double random_unit(uint64_t *seed) { // 0 <= x < 1
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(*seed >> 11) * 0x1p-53;
}

static inline double random_in(uint64_t *seed, double low, double high) { // low <= x < high
    return low + (high - low) * random_unit(seed);
}

static inline int random_below(uint64_t *seed, int bound) { // 0 … bound - 1
    return (int)(random_unit(seed) * bound);
}

static inline vs_vec3 random_vec(uint64_t *seed, double reach) { // components in [-reach, reach)
    const double x = random_in(seed, -reach, reach), y = random_in(seed, -reach, reach);
    return (vs_vec3){x, y, random_in(seed, -reach, reach)};
}

static inline vs_quat random_quat(uint64_t *seed) { // any rotation is as likely as any other
    vs_quat q;
    double length;
    do {
        q.w = random_in(seed, -1, 1), q.x = random_in(seed, -1, 1);
        q.y = random_in(seed, -1, 1), q.z = random_in(seed, -1, 1);
        length = sqrt(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
    } while (length < .1 || length > 1);
    return vs_quat_normalize(q);
}

static inline vs_pose random_pose(uint64_t *seed, double reach) {
    const vs_quat rotation = random_quat(seed);
    return (vs_pose){random_vec(seed, reach), rotation};
}

#endif
