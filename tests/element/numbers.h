// What the tests of elements share: random numbers, rotations, dense eigenvalues, sizes.
#ifndef VS_TESTS_ELEMENT_NUMBERS_H
#define VS_TESTS_ELEMENT_NUMBERS_H

#include <stdarg.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "element/elastic.h"
#include "element/small.h"

static inline double uniform(uint64_t *seed) { // in (-1, 1)
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(int64_t)(*seed >> 11) / 4503599627370496.0 - 1;
}

static inline vs_vec3 random_vector(uint64_t *seed) {
    double x = uniform(seed), y = uniform(seed);
    return (vs_vec3){x, y, uniform(seed)};
}

static inline vs_quat random_quaternion(uint64_t *seed) { // any rotation, up to half a turn each way
    return vs_quat_exp(vs_scale(3.14159, random_vector(seed)));
}

static inline vs_mat3 random_rotation(uint64_t *seed) {
    return vs_quat_matrix(random_quaternion(seed));
}

static inline double largest_of(int64_t count, const double *a) {
    double most = 0;
    for (int64_t k = 0; k < count; k++)
        most = fmax(most, fabs(a[k]));
    return most;
}

static inline double largest_difference(int64_t count, const double *a, const double *b) {
    double most = 0;
    for (int64_t k = 0; k < count; k++)
        most = fmax(most, fabs(a[k] - b[k]));
    return most;
}

// Least eigenvalue of a symmetric matrix over its largest |eigenvalue|.
static inline double least_eigenvalue(int n, const double *A) {
    double work[900], value[30], V[900], least = INFINITY;
    memcpy(work, A, (size_t)(n * n) * sizeof *work);
    vs_symmetric_eigen(n, work, value, V);
    for (int k = 0; k < n; k++)
        least = fmin(least, value[k]);
    return least / largest_of(n, value);
}

// |a - b| <= tolerance |b|, with the numbers shown where it fails
#define assert_near(a, b, tolerance)                                                                                   \
    do {                                                                                                               \
        double a_ = (a), b_ = (b);                                                                                     \
        if (!(fabs(a_ - b_) <= (tolerance)*fabs(b_)))                                                                  \
            print_error("%s = %.15g, %s = %.15g\n", #a, a_, #b, b_);                                                   \
        assert_true(fabs(a_ - b_) <= (tolerance)*fabs(b_));                                                            \
    } while (0)

#define assert_below(a, bound)                                                                                         \
    do {                                                                                                               \
        double a_ = (a), bound_ = (bound);                                                                             \
        if (!(a_ <= bound_))                                                                                           \
            print_error("%s = %.6g > %.6g\n", #a, a_, bound_);                                                         \
        assert_true(a_ <= bound_);                                                                                     \
    } while (0)

#endif
