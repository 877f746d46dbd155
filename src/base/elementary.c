// Elementary functions in double-double arithmetic: argument reduction, then a Taylor polynomial whose first terms are added in
// double-double and whose tail, below 2^-20 of the sum, in double. Relative error about 2^-70 before the last rounding.
//
//     sin, cos   x = n pi/2 + r, |r| <= pi/4; by the digits of 2/pi (Payne and Hanek 1983) beyond 2^20. First from a table of
//                sin(k/16), cos(k/16) with an error below 2^-60: where this decides the rounding, as in 98 of 100 cases, it
//                decides it as the series would, a fifth of whose time it takes (Ziv 1991)
//     atan       of y/x: minus atan(k/8), the nearest one; asin, acos by atan of a root
//     exp        x = n ln 2 + 256 s, |s| < 0.0014: exp(s) squared eight times
//     log        x = 2^n m, sqrt(1/2) < m < sqrt(2): 2 atanh((m - 1)/(m + 1))
//
// The constants come from tools/make_elementary.py. No tables beyond a few dozen numbers.
#include "base/elementary.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "base/elementary_constants.h"

typedef vs_double_double dd;

// Sum of c[k] w^k, k = 0 … last: the first `exact` steps (the last ones of Horner's scheme) in double-double. stride: of c;
// sign: of every other term.
static dd series(const dd *c, int stride, int last, int exact, double sign, dd w) {
    double tail = 0;
    for (int k = last; k >= exact; k--)
        tail = sign * tail * w.hi + c[k * stride].hi;
    dd sum = {tail, 0};
    for (int k = exact - 1; k >= 0; k--)
        sum = vs_dd_add(vs_dd_scale(vs_dd_multiply(sum, w), sign), c[k * stride]);
    return sum;
}

// ---- sine and cosine --------------------------------------------------------------------------------------

// 32 binary digits of a number of `count` words (the least first) from bit `at` upwards.
static uint32_t digits(const uint32_t *word, int count, int at) {
    const int k = at >> 5, shift = at & 31;
    const uint64_t low = k >= 0 && k < count ? word[k] : 0, high = k + 1 >= 0 && k + 1 < count ? word[k + 1] : 0;
    return (uint32_t)((high << 32 | low) >> shift);
}

// x >= 2^20: multiplies its 53-bit integer by the digits of 2/pi that matter. Words of the product that are multiples of four
// quadrants are omitted; 8 words of 2/pi leave 107 digits even next to a multiple of pi/2.
static int reduce_large(double x, dd *r) {
    enum { DIGITS = 8, WORDS = DIGITS + 2 };
    int e;
    const uint64_t m = (uint64_t)ldexp(frexp(x, &e), 53);
    e -= 53; // x = m 2^e
    const int first = e > 2 ? (e - 2) / 32 : 0, point = 32 * (first + DIGITS) - e;
    uint32_t product[WORDS] = {0};
    for (int half = 0; half < 2; half++) {
        const uint64_t factor = half ? m >> 32 : m & 0xffffffffu;
        uint64_t carry = 0;
        for (int k = 0; k < DIGITS; k++) {
            carry += factor * TWO_OVER_PI_DIGITS[first + DIGITS - 1 - k] + product[k + half];
            product[k + half] = (uint32_t)carry;
            carry >>= 32;
        }
        product[DIGITS + half] = (uint32_t)carry;
    }
    int n = (int)(digits(product, WORDS, point) & 3);
    // To the nearest integer: the rest is negative if the first digit after the point is 1.
    const bool negative = digits(product, WORDS, point - 1) & 1;
    const uint32_t flip = negative ? 0xffffffffu : 0;
    dd rest = {0, 0};
    int k = 1;
    while (k < DIGITS - 2 && !(digits(product, WORDS, point - 32 * k) ^ flip))
        k++;
    for (int last = k + 4; last >= k; last--)
        rest = vs_dd_add_double(rest, ldexp((double)(digits(product, WORDS, point - 32 * last) ^ flip), -32 * last));
    if (negative) {
        rest = vs_dd_negate(rest);
        n++;
    }
    *r = vs_dd_multiply(rest, HALF_PI_PAIR);
    return n & 3;
}

// The quadrant n (0 … 3) and r = |x| - n pi/2 up to multiples of 2 pi.
static int reduce(double x, dd *r) {
    if (x < 0.785) {
        *r = (dd){x, 0};
        return 0;
    }
    if (x >= 1048576)
        return reduce_large(x, r);
    const double n = floor(x * TWO_OVER_PI + 0.5);
    const double *part = HALF_PI_PARTS;
    const dd t = vs_dd_sum(x - n * part[0], -n * part[1]);
    *r = vs_dd_add_double(vs_dd_add(t, (dd){-n * part[2], 0}), -n * part[3]);
    return (int)((int64_t)n & 3);
}

static dd sine(dd r) {
    const dd w = vs_dd_multiply(r, r);
    return vs_dd_multiply(r, series(INVERSE_FACTORIAL + 1, 2, 11, 5, -1, w));
}

static dd cosine(dd r) {
    return series(INVERSE_FACTORIAL, 2, 11, 5, -1, vs_dd_multiply(r, r));
}

// base + slope t + rest
static dd extend(dd base, double slope, double t, double rest) {
    const dd way = vs_dd_product(slope, t), sum = vs_dd_sum(base.hi, way.hi);
    return vs_dd_fast_sum(sum.hi, sum.lo + (way.lo + (base.lo + rest)));
}

// Sine and cosine of r, |r| < 0.79, to 2^-60, from those of c = k/16 and t = r - c, |t| <= 1/32:
//
//     sin(c + t) = sin c + cos c t + sin c (cos t - 1) + cos c (sin t - t)
//
// of which the last two terms, below 2^-10 of the sum, need few digits.
static void approximate(dd r, dd *sine_value, dd *cosine_value) {
    const double side = r.hi < 0 ? -1 : 1, far = side * r.hi;
    const int k = (int)(16 * far + 0.5);
    const dd s = SINE_SIXTEENTHS[k], c = COSINE_SIXTEENTHS[k];
    const double t = far - 0.0625 * k, w = t * t, rest = side * r.lo;
    const double even = w * (-1. / 2 + w * (1. / 24 + w * (-1. / 720 + w * (1. / 40320))));       // cos t - 1
    const double odd = t * w * (-1. / 6 + w * (1. / 120 + w * (-1. / 5040 + w * (1. / 362880)))); // sin t - t
    *sine_value =
        vs_dd_scale(extend(s, c.hi, t, s.hi * even + (c.hi * odd + (c.lo * t + (c.hi - s.hi * t) * rest))), side);
    *cosine_value = extend(c, -s.hi, t, c.hi * even - (s.hi * odd + (s.lo * t + (s.hi + c.hi * t) * rest)));
}

// The double nearest to all numbers within `doubt` times a, if there is one.
static bool is_clear(dd a, double doubt, double *value) {
    const double most = doubt * fabs(a.hi);
    *value = a.hi + (a.lo + most);
    return *value == a.hi + (a.lo - most);
}

static const double DOUBT = 0x1p-60; // of approximate()

double vs_sin(double x) {
    double s, c;
    vs_sincos(x, &s, &c);
    return s;
}

double vs_cos(double x) {
    double s, c;
    vs_sincos(x, &s, &c);
    return c;
}

void vs_sincos(double x, double *sine_value, double *cosine_value) {
    if (!isfinite(x)) {
        *sine_value = *cosine_value = x - x;
        return;
    }
    dd r, s, c;
    double a, b;
    const int n = reduce(fabs(x), &r);
    approximate(r, &s, &c);
    if (!is_clear(s, DOUBT, &a))
        a = sine(r).hi;
    if (!is_clear(c, DOUBT, &b))
        b = cosine(r).hi;
    const double up = n & 1 ? b : a, along = n & 1 ? a : b;
    *sine_value = ((n & 2) != 0) == (x < 0) ? up : -up;
    *cosine_value = n == 1 || n == 2 ? -along : along;
    if (fabs(x) < 0x1p-27)
        *sine_value = x; // also -0
}

double vs_tan(double x) {
    if (!isfinite(x))
        return x - x;
    if (fabs(x) < 0x1p-27)
        return x;
    dd r, s, c;
    double value;
    const int n = reduce(fabs(x), &r);
    approximate(r, &s, &c);
    if (!is_clear(n & 1 ? vs_dd_divide(c, s) : vs_dd_divide(s, c), 4 * DOUBT, &value)) {
        s = sine(r), c = cosine(r);
        value = (n & 1 ? vs_dd_divide(c, s) : vs_dd_divide(s, c)).hi;
    }
    return (n & 1) == (x < 0) ? value : -value;
}

// ---- arcs -------------------------------------------------------------------------------------------------

// atan(y/x) for 0 <= y <= x, neither tiny nor huge: with c = k/8 near y/x, atan(c) + atan((8 y - k x)/(8 x + k y)).
static dd arc_below(dd y, dd x) {
    const int k = (int)floor(8 * (y.hi / x.hi) + 0.5);
    const dd c = {k, 0};
    const dd up = vs_dd_add(vs_dd_scale(y, 8), vs_dd_negate(vs_dd_multiply(c, x)));
    const dd down = vs_dd_add(vs_dd_scale(x, 8), vs_dd_multiply(c, y));
    const dd t = vs_dd_divide(up, down), w = vs_dd_multiply(t, t);
    return vs_dd_add(ATAN_EIGHTHS[k], vs_dd_multiply(t, series(ODD_INVERSE, 1, 9, 4, -1, w)));
}

// The same within ROUGH: |t| <= 1/16, and what the series adds to it, in single arithmetic, is wrong by less than 2^-60 of t.
static dd arc_roughly_below(dd y, dd x) {
    const int k = (int)floor(8 * (y.hi / x.hi) + 0.5);
    const dd c = {k, 0};
    const dd up = vs_dd_add(vs_dd_scale(y, 8), vs_dd_negate(vs_dd_multiply(c, x)));
    const dd down = vs_dd_add(vs_dd_scale(x, 8), vs_dd_multiply(c, y));
    const dd t = vs_dd_divide(up, down);
    const double w = t.hi * t.hi;
    const double rest = 1.0 / 9 - w * (1.0 / 11 - w * (1.0 / 13 - w / 15));
    const double more = t.hi * (w * (-1.0 / 3 + w * (1.0 / 5 - w * (1.0 / 7 - w * rest))));
    return vs_dd_add(ATAN_EIGHTHS[k], vs_dd_add_double(t, more));
}
static const double ROUGH = 0x1p-59;

// The same for all y, x >= 0.
static dd arc(dd y, dd x, bool roughly) {
    const bool below = y.hi <= x.hi;
    const dd up = below ? y : x, along = below ? x : y,
             a = roughly ? arc_roughly_below(up, along) : arc_below(up, along);
    return below ? a : vs_dd_add(HALF_PI_PAIR, vs_dd_negate(a));
}

double vs_atan2(double y, double x) {
    if (isnan(x) || isnan(y))
        return x + y;
    double a = fabs(y), b = fabs(x);
    const bool left = signbit(x);
    dd angle;
    if (isinf(a) || isinf(b)) { // the eight directions
        a = isinf(a), b = isinf(b);
    } else if (a > 0 && b > 0) {
        int ea, eb;
        const double fa = frexp(a, &ea), fb = frexp(b, &eb);
        if (ea - eb < -100 && !left)
            return copysign(a / b, y);
        if (ea - eb > 100)
            return copysign(HALF_PI_PAIR.hi, y);
        if (ea - eb < -100)
            return copysign(PI_PAIR.hi, y);
        a = ldexp(fa, ea - eb);
        b = fb;
    }
    if (a == 0)
        angle = (dd){0, 0};
    else if (b == 0)
        angle = HALF_PI_PAIR;
    else
        angle = arc((dd){a, 0}, (dd){b, 0}, true);
    if (left)
        angle = vs_dd_add(PI_PAIR, vs_dd_negate(angle));
    double value;
    if (a > 0 && b > 0 && !is_clear(angle, ROUGH, &value)) {
        angle = arc((dd){a, 0}, (dd){b, 0}, false);
        if (left)
            angle = vs_dd_add(PI_PAIR, vs_dd_negate(angle));
    }
    return copysign(angle.hi, y);
}

double vs_atan(double x) {
    return fabs(x) < 0x1p-27 ? x : vs_atan2(x, 1);
}

// sqrt(1 - x^2), x < 1
static dd other_leg(double x) {
    return vs_dd_root(vs_dd_multiply(vs_dd_sum(1, -x), vs_dd_sum(1, x)));
}

double vs_asin(double x) {
    const double a = fabs(x);
    if (!(a < 1))
        return a == 1 ? copysign(HALF_PI_PAIR.hi, x) : (x - x) / (x - x);
    return a < 0x1p-27 ? x : copysign(arc((dd){a, 0}, other_leg(a), false).hi, x);
}

double vs_acos(double x) {
    const double a = fabs(x);
    if (!(a < 1))
        return x == 1 ? 0 : x == -1 ? PI_PAIR.hi : (x - x) / (x - x);
    if (a < 0x1p-60)
        return HALF_PI_PAIR.hi;
    const dd angle = arc(other_leg(a), (dd){a, 0}, false);
    return x > 0 ? angle.hi : vs_dd_add(PI_PAIR, vs_dd_negate(angle)).hi;
}

// ---- exponentials -----------------------------------------------------------------------------------------

// exp(x) = result 2^n, |x| < 2000
static dd exponential(dd x, int *n) {
    const double k = floor(x.hi * INVERSE_LN2 + 0.5);
    *n = (int)k;
    dd s = vs_dd_sum(x.hi - k * LN2_PARTS[0], -k * LN2_PARTS[1]);
    s = vs_dd_add(s, (dd){x.lo, 0});
    s = vs_dd_scale(vs_dd_add_double(s, -k * LN2_PARTS[2]), 0x1p-8);
    // exp(s) - 1 is squared as (1 + t)^2 - 1 = 2 t + t^2: relative errors of t grow only by the steps' own rounding.
    dd t = vs_dd_multiply(s, series(INVERSE_FACTORIAL + 1, 1, 7, 3, 1, s));
    for (int step = 0; step < 8; step++)
        t = vs_dd_add(vs_dd_scale(t, 2), vs_dd_multiply(t, t));
    return vs_dd_add_double(t, 1);
}

// a 2^n for a near 1, rounded once: a subnormal result by adding a number whose last place is that of the result.
static double scaled(dd a, int n) {
    if (n > -1020)
        return ldexp(a.hi, n);
    const double large = ldexp(1, -1022 - n);
    if (a.hi >= large)
        return ldexp(a.hi, n);
    const dd s = vs_dd_fast_sum(large, a.hi);
    return ldexp((s.hi + (s.lo + a.lo)) - large, n);
}

double vs_exp(double x) {
    int n;
    if (isnan(x))
        return x;
    if (x > 710)
        return (double)INFINITY;
    if (x < -746)
        return 0;
    const dd value = exponential((dd){x, 0}, &n);
    return scaled(value, n);
}

// exp(|x|) and its inverse, |x| < 400
static void growth_and_decay(double x, dd *growth, dd *decay) {
    int n;
    const dd value = exponential((dd){fabs(x), 0}, &n);
    *growth = vs_dd_scale(value, ldexp(1, n));
    *decay = vs_dd_divide((dd){1, 0}, *growth);
}

// sinh(|x|), |x| < 400. Near 0 by its series: the difference of exponentials would cancel.
static dd hyperbolic_sine(double x) {
    dd up, down;
    if (fabs(x) < 0.5) {
        const dd r = {fabs(x), 0};
        return vs_dd_multiply(r, series(INVERSE_FACTORIAL + 1, 2, 10, 5, 1, vs_dd_multiply(r, r)));
    }
    growth_and_decay(x, &up, &down);
    return vs_dd_scale(vs_dd_add(up, vs_dd_negate(down)), 0.5);
}

static dd hyperbolic_cosine(double x) {
    dd up, down;
    growth_and_decay(x, &up, &down);
    return vs_dd_scale(vs_dd_add(up, down), 0.5);
}

// exp(|x|)/2 where the other exponential is too small to count.
static double half_growth(double x) {
    int n;
    if (fabs(x) > 711)
        return (double)INFINITY;
    const dd value = exponential((dd){fabs(x), 0}, &n);
    return scaled(value, n - 1);
}

double vs_sinh(double x) {
    if (!isfinite(x) || fabs(x) < 0x1p-27)
        return x;
    return copysign(fabs(x) < 300 ? hyperbolic_sine(x).hi : half_growth(x), x);
}

double vs_cosh(double x) {
    if (isnan(x))
        return x;
    return fabs(x) < 300 ? hyperbolic_cosine(x).hi : half_growth(x);
}

double vs_tanh(double x) {
    if (isnan(x) || fabs(x) < 0x1p-27)
        return x;
    return copysign(fabs(x) < 30 ? vs_dd_divide(hyperbolic_sine(x), hyperbolic_cosine(x)).hi : 1, x);
}

// ---- logarithms and powers --------------------------------------------------------------------------------

// log x, x > 0 and finite
static dd logarithm(double x) {
    int n;
    double m = frexp(x, &n);
    if (m < 0x1.6a09e667f3bcdp-1) {
        m *= 2;
        n--;
    }
    const dd s = vs_dd_divide((dd){m - 1, 0}, vs_dd_sum(m, 1)), w = vs_dd_multiply(s, s);
    const dd value = vs_dd_scale(vs_dd_multiply(s, series(ODD_INVERSE, 1, 17, 7, 1, w)), 2);
    const double k = n;
    return vs_dd_add(vs_dd_sum(k * LN2_PARTS[0], k * LN2_PARTS[1]), vs_dd_add_double(value, k * LN2_PARTS[2]));
}

double vs_ln(double x) {
    if (!(x > 0))
        return x == 0 ? -(double)INFINITY : (x - x) / (x - x);
    return isinf(x) ? x : logarithm(x).hi;
}

double vs_log10(double x) {
    if (!(x > 0) || isinf(x))
        return vs_ln(x);
    return vs_dd_multiply(logarithm(x), INVERSE_LN10_PAIR).hi;
}

// Is y an odd integer?
static bool is_odd(double y) {
    return fabs(y) < 0x1p53 && floor(y) == y && fmod(y, 2) != 0;
}

// x = 0 or infinite, or y infinite; x is not 1, y is not 0.
static double power_at_limits(double x, double y) {
    const double a = fabs(x);
    if (isinf(y))
        return a == 1 ? 1 : (a > 1) == (y > 0) ? (double)INFINITY : 0;
    const double value = (a > 1) == (y > 0) ? (double)INFINITY : 0;
    return signbit(x) && is_odd(y) ? -value : value;
}

double vs_pow(double x, double y) {
    if (y == 0 || x == 1)
        return 1;
    if (isnan(x) || isnan(y))
        return x + y;
    if (x == 0 || isinf(x) || isinf(y))
        return power_at_limits(x, y);
    if (x < 0 && floor(y) != y)
        return (x - x) / (x - x);
    const double sign = x < 0 && is_odd(y) ? -1 : 1;
    const dd l = logarithm(fabs(x));
    const double rough = y * l.hi;
    if (fabs(rough) > 1000)
        return rough > 0 ? sign * (double)INFINITY : sign * 0;
    if (fabs(rough) < 0x1p-60)
        return sign;
    int n;
    // A tiny or huge exponent is scaled, because products of double-doubles need room on both sides.
    int e;
    const dd exponent = vs_dd_multiply((dd){frexp(y, &e), 0}, l);
    const dd value = exponential(vs_dd_scale(exponent, ldexp(1, e)), &n);
    return sign * scaled(value, n);
}

double vs_cbrt(double x) {
    if (x == 0 || !isfinite(x))
        return x;
    int e;
    double m = frexp(fabs(x), &e);
    while (e % 3 != 0) {
        m /= 2;
        e++;
    }
    // 1/8 <= m < 1: Newton from a line, then once with the residual in double-double.
    double y = 0.4 + 0.6 * m;
    for (int step = 0; step < 6; step++)
        y -= (y - m / (y * y)) / 3;
    const dd cube = vs_dd_multiply(vs_dd_product(y, y), (dd){y, 0});
    y -= ((cube.hi - m) + cube.lo) / (3 * y * y);
    return copysign(ldexp(y, e / 3), x);
}

double vs_hypot(double x, double y) {
    if (isinf(x) || isinf(y))
        return (double)INFINITY;
    if (isnan(x) || isnan(y))
        return x + y;
    const double a = fmax(fabs(x), fabs(y)), b = fmin(fabs(x), fabs(y));
    if (b == 0 || b < a * 0x1p-60)
        return a;
    // Powers of two change no digit: they are needed only where squares overflow or lose digits.
    if (a < 0x1p300 && a > 0x1p-300)
        return vs_dd_root(vs_dd_add(vs_dd_product(a, a), vs_dd_product(b, b))).hi;
    int e;
    const double p = frexp(a, &e), q = ldexp(b, -e);
    return ldexp(vs_dd_root(vs_dd_add(vs_dd_product(p, p), vs_dd_product(q, q))).hi, e);
}

// a + b rounded to odd: if it is inexact, to the neighbour with an odd last digit.
static double add_to_odd(double a, double b) {
    dd s = vs_dd_sum(a, b);
    uint64_t bits;
    memcpy(&bits, &s.hi, sizeof bits);
    if (s.lo != 0 && !(bits & 1)) {
        bits = (s.lo > 0) == (s.hi > 0) ? bits + 1 : bits - 1;
        memcpy(&s.hi, &bits, sizeof bits);
    }
    return s.hi;
}

// Exact product, exact sum of its leading part; the rest rounded to odd does not disturb the last rounding (Boldo and
// Melquiond 2008).
double vs_fma(double x, double y, double z) {
    const double rough = x * y + z;
    if (!(fabs(x) < 0x1p900 && fabs(y) < 0x1p900 && fabs(rough) < 0x1p900))
        return rough;
    const dd p = vs_dd_product(x, y), s = vs_dd_sum(z, p.hi);
    return s.hi + add_to_odd(s.lo, p.lo);
}
