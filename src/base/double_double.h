// Unevaluated sums of two doubles, about 106 bits (Dekker 1971). hi is the sum rounded to the nearest double.
// No fused operations: the bits are the same with and without hardware for them. Products need |a|, |b| < 2^995.
#ifndef VS_BASE_DOUBLE_DOUBLE_H
#define VS_BASE_DOUBLE_DOUBLE_H

#include <math.h>

typedef struct vs_double_double {
    double hi, lo;
} vs_double_double;

// a + b exactly, if |a| >= |b| or a = 0.
static inline vs_double_double vs_dd_fast_sum(double a, double b) {
    const double s = a + b;
    return (vs_double_double){s, b - (s - a)};
}

// a + b exactly (Knuth).
static inline vs_double_double vs_dd_sum(double a, double b) {
    const double s = a + b, c = s - a;
    return (vs_double_double){s, (a - (s - c)) + (b - c)};
}

// a b exactly, by halves of 26 bits (Veltkamp).
static inline vs_double_double vs_dd_product(double a, double b) {
    const double split = 134217729; // 2^27 + 1
    const double p = a * b, x = split * a, y = split * b;
    const double a1 = x - (x - a), a2 = a - a1, b1 = y - (y - b), b2 = b - b1;
    return (vs_double_double){p, ((a1 * b1 - p) + a1 * b2 + a2 * b1) + a2 * b2};
}

static inline vs_double_double vs_dd_add(vs_double_double a, vs_double_double b) {
    const vs_double_double s = vs_dd_sum(a.hi, b.hi), t = vs_dd_sum(a.lo, b.lo);
    const vs_double_double u = vs_dd_fast_sum(s.hi, s.lo + t.hi);
    return vs_dd_fast_sum(u.hi, u.lo + t.lo);
}

static inline vs_double_double vs_dd_negate(vs_double_double a) {
    return (vs_double_double){-a.hi, -a.lo};
}

static inline vs_double_double vs_dd_add_double(vs_double_double a, double b) {
    const vs_double_double s = vs_dd_sum(a.hi, b);
    return vs_dd_fast_sum(s.hi, s.lo + a.lo);
}

static inline vs_double_double vs_dd_multiply(vs_double_double a, vs_double_double b) {
    const vs_double_double p = vs_dd_product(a.hi, b.hi);
    return vs_dd_fast_sum(p.hi, p.lo + (a.hi * b.lo + a.lo * b.hi));
}

// a times a power of two.
static inline vs_double_double vs_dd_scale(vs_double_double a, double power) {
    return (vs_double_double){a.hi * power, a.lo * power};
}

static inline vs_double_double vs_dd_divide(vs_double_double a, vs_double_double b) {
    const double q = a.hi / b.hi;
    const vs_double_double p = vs_dd_product(q, b.hi);
    return vs_dd_fast_sum(q, (((a.hi - p.hi) - p.lo) + a.lo - q * b.lo) / b.hi);
}

// a > 0
static inline vs_double_double vs_dd_root(vs_double_double a) {
    const double s = sqrt(a.hi);
    const vs_double_double p = vs_dd_product(s, s);
    return vs_dd_fast_sum(s, (((a.hi - p.hi) - p.lo) + a.lo) / (2 * s));
}

#endif
