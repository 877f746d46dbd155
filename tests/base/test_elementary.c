// Elementary functions: the bits of correctly rounded values from 1500-bit arithmetic, close to the C library everywhere
// else, and the special values of ISO C, Annex F.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <math.h>

#include <cmocka.h>

#include "base/elementary_values.h"

static uint64_t bits_of(double x) {
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static void same(double value, double expected) {
    if (isnan(expected))
        assert_true(isnan(value));
    else
        assert_true(bits_of(value) == bits_of(expected));
}

static void values_are_rounded_correctly(void **state) {
    (void)state;
    for (size_t k = 0; k < sizeof one_argument / sizeof *one_argument; k++)
        same(one_argument[k].function(one_argument[k].x), one_argument[k].value);
    for (size_t k = 0; k < sizeof two_arguments / sizeof *two_arguments; k++)
        same(two_arguments[k].function(two_arguments[k].x, two_arguments[k].y), two_arguments[k].value);
}

// SplitMix64
static uint64_t next(uint64_t *seed) {
    uint64_t x = *seed += 0x9e3779b97f4a7c15u;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return x ^ x >> 31;
}

static double spread(uint64_t *seed, int low, int high) {
    const uint64_t r = next(seed);
    const double m = 1 + (double)(r >> 12) * 0x1p-52;
    return ldexp(r & 1 ? m : -m, low + (int)(next(seed) % (uint64_t)(high - low + 1)));
}

// Within 4 units in the last place of the C library, whose own errors are up to 3.2 (cbrt of glibc 2.36).
static void close_to(double value, double libm) {
    if (isnan(libm) || isinf(libm))
        same(value, libm);
    else
        assert_true(fabs(value - libm) <= 4 * fmax(fabs(libm) * 0x1p-52, 0x1p-1074));
}

static void values_agree_with_the_c_library(void **state) {
    (void)state;
    uint64_t seed = 7;
    for (int k = 0; k < 20000; k++) {
        const double angle = spread(&seed, -60, 1023), x = spread(&seed, -60, 10), y = spread(&seed, -60, 10);
        const double any = spread(&seed, -1070, 1023), other = spread(&seed, -1070, 1023);
        double s, c;
        close_to(vs_sin(angle), sin(angle));
        close_to(vs_cos(angle), cos(angle));
        close_to(vs_tan(angle), tan(angle));
        vs_sincos(angle, &s, &c);
        same(s, vs_sin(angle));
        same(c, vs_cos(angle));
        close_to(vs_asin(x), asin(x));
        close_to(vs_acos(x), acos(x));
        close_to(vs_atan(any), atan(any));
        close_to(vs_exp(x), exp(x));
        close_to(vs_sinh(x), sinh(x));
        close_to(vs_cosh(x), cosh(x));
        close_to(vs_tanh(x), tanh(x));
        close_to(vs_ln(any), log(any));
        close_to(vs_log10(any), log10(any));
        close_to(vs_cbrt(any), cbrt(any));
        close_to(vs_atan2(any, other), atan2(any, other));
        close_to(vs_hypot(any, other), hypot(any, other));
        close_to(vs_pow(fabs(any), y), pow(fabs(any), y));
        close_to(vs_pow(x, floor(y)), pow(x, floor(y)));
    }
}

static void special_values_are_those_of_the_c_library(void **state) {
    (void)state;
    double (*const ours[])(double) = {vs_sin, vs_cos,   vs_tan,  vs_asin, vs_acos, vs_atan, vs_exp,
                                      vs_ln,  vs_log10, vs_sinh, vs_cosh, vs_tanh, vs_cbrt};
    double (*const theirs[])(double) = {sin, cos, tan, asin, acos, atan, exp, log, log10, sinh, cosh, tanh, cbrt};
    const double at[] = {0.0,
                         -0.0,
                         1,
                         -1,
                         2,
                         -2,
                         0.5,
                         -0.5,
                         3,
                         -3,
                         5e-324,
                         -5e-324,
                         0x1p-1022,
                         1e308,
                         -1e308,
                         710.5,
                         -750,
                         (double)INFINITY,
                         -(double)INFINITY,
                         (double)NAN};
    const size_t count = sizeof at / sizeof *at;
    for (size_t i = 0; i < count; i++)
        for (size_t f = 0; f < sizeof ours / sizeof *ours; f++) {
            close_to(ours[f](at[i]), theirs[f](at[i]));
            assert_true(isnan(theirs[f](at[i])) || signbit(ours[f](at[i])) == signbit(theirs[f](at[i])));
        }
    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; j < count; j++) {
            close_to(vs_atan2(at[i], at[j]), atan2(at[i], at[j]));
            assert_int_equal(signbit(vs_atan2(at[i], at[j])) != 0 && !isnan(atan2(at[i], at[j])),
                             signbit(atan2(at[i], at[j])) != 0 && !isnan(atan2(at[i], at[j])));
            close_to(vs_hypot(at[i], at[j]), hypot(at[i], at[j]));
            close_to(vs_pow(at[i], at[j]), pow(at[i], at[j]));
        }
}

// Sums that cancel to any degree; glibc's fma() is correct.
static void fma_is_rounded_once(void **state) {
    (void)state;
    uint64_t seed = 3;
    for (int k = 0; k < 200000; k++) {
        const double x = spread(&seed, -30, 30), y = spread(&seed, -30, 30);
        const double z = k % 3 == 0 ? spread(&seed, -60, 60) : -x * y * (1 + (k % 3 == 1 ? spread(&seed, -53, -1) : 0));
        same(vs_fma(x, y, z), fma(x, y, z));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_are_rounded_correctly),
        cmocka_unit_test(values_agree_with_the_c_library),
        cmocka_unit_test(special_values_are_those_of_the_c_library),
        cmocka_unit_test(fma_is_rounded_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
