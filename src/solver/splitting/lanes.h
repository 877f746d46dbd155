// Four numbers side by side. All operations are those of single numbers, lane by lane and without fused ones, so that
// every processor gives the same bits, whatever the width of its registers.
#ifndef VS_SOLVER_SPLITTING_LANES_H
#define VS_SOLVER_SPLITTING_LANES_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

#if defined(__GNUC__)
#pragma GCC diagnostic ignored "-Wpsabi" // how lanes are passed between functions: all of these are inlined
#endif

enum { VS_LANES = 4 };

// Compiled into each version of a kernel, for its registers.
#define VS_LANE_INLINE static inline __attribute__((always_inline, unused))

typedef double vs_lane __attribute__((vector_size(32), aligned(8)));
typedef int64_t vs_lane_mask __attribute__((vector_size(32), aligned(8))); // -1: true, 0: false

VS_LANE_INLINE vs_lane vs_lane_of(double x) {
    return (vs_lane){x, x, x, x};
}

VS_LANE_INLINE vs_lane vs_lane_select(vs_lane_mask mask, vs_lane yes, vs_lane no) {
    return (vs_lane)((mask & (vs_lane_mask)yes) | (~mask & (vs_lane_mask)no));
}

VS_LANE_INLINE bool vs_lane_any(vs_lane_mask mask) {
    return (mask[0] | mask[1] | mask[2] | mask[3]) != 0;
}

VS_LANE_INLINE vs_lane vs_lane_sqrt(vs_lane x) {
    return (vs_lane){sqrt(x[0]), sqrt(x[1]), sqrt(x[2]), sqrt(x[3])};
}

VS_LANE_INLINE vs_lane vs_lane_abs(vs_lane x) {
    const vs_lane_mask size = {INT64_MAX, INT64_MAX, INT64_MAX, INT64_MAX};
    return (vs_lane)((vs_lane_mask)x & size);
}

VS_LANE_INLINE vs_lane vs_lane_max(vs_lane x, vs_lane y) {
    return vs_lane_select(x > y, x, y);
}

VS_LANE_INLINE vs_lane vs_lane_min(vs_lane x, vs_lane y) {
    return vs_lane_select(x < y, x, y);
}

#endif
