// Numbers side by side: four doubles, or eight of single precision in a file that defines VS_LANES as 8. All operations are
// those of single numbers, lane by lane and without fused ones, so that every processor gives the same bits, whatever the
// width of its registers.
#ifndef VS_SOLVER_SPLITTING_LANES_H
#define VS_SOLVER_SPLITTING_LANES_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

#if defined(__GNUC__)
#pragma GCC diagnostic ignored "-Wpsabi" // how lanes are passed between functions: all of these are inlined
#endif

#ifndef VS_LANES
#define VS_LANES 4
#endif

#if VS_LANES == 8
typedef float vs_real;
typedef int32_t vs_real_bits;
#else
typedef double vs_real;
typedef int64_t vs_real_bits;
#endif

// Compiled into each version of a kernel, for its registers.
#define VS_LANE_INLINE inline __attribute__((always_inline, unused))

typedef vs_real vs_lane __attribute__((vector_size(32), aligned(8)));
typedef vs_real_bits vs_lane_mask __attribute__((vector_size(32), aligned(8))); // -1: true, 0: false
typedef int64_t vs_lane_words __attribute__((vector_size(32), aligned(8)));

static VS_LANE_INLINE vs_lane vs_lane_of(double x) {
    return (vs_real)x - (vs_lane){0};
}

static VS_LANE_INLINE vs_lane vs_lane_select(vs_lane_mask mask, vs_lane yes, vs_lane no) {
    return (vs_lane)((mask & (vs_lane_mask)yes) | (~mask & (vs_lane_mask)no));
}

static VS_LANE_INLINE bool vs_lane_any(vs_lane_mask mask) {
    const vs_lane_words words = (vs_lane_words)mask;
    return (words[0] | words[1] | words[2] | words[3]) != 0;
}

static VS_LANE_INLINE vs_lane vs_lane_sqrt(vs_lane x) {
#if VS_LANES == 8
    return (vs_lane){sqrtf(x[0]), sqrtf(x[1]), sqrtf(x[2]), sqrtf(x[3]),
                     sqrtf(x[4]), sqrtf(x[5]), sqrtf(x[6]), sqrtf(x[7])};
#else
    return (vs_lane){sqrt(x[0]), sqrt(x[1]), sqrt(x[2]), sqrt(x[3])};
#endif
}

static VS_LANE_INLINE vs_lane vs_lane_abs(vs_lane x) {
    const vs_lane_mask sign = (vs_lane_mask)vs_lane_of(-0.0);
    return (vs_lane)((vs_lane_mask)x & ~sign);
}

static VS_LANE_INLINE vs_lane vs_lane_max(vs_lane x, vs_lane y) {
    return vs_lane_select(x > y, x, y);
}

static VS_LANE_INLINE vs_lane vs_lane_min(vs_lane x, vs_lane y) {
    return vs_lane_select(x < y, x, y);
}

#endif
