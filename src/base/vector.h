// Dense vectors. Sums go from the first entry to the last, so that they have the same bits everywhere.
#ifndef VS_BASE_VECTOR_H
#define VS_BASE_VECTOR_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

// x'y
static inline double vs_vector_dot(int n, const double *x, const double *y) {
    double sum = 0;
    for (int k = 0; k < n; k++)
        sum += x[k] * y[k];
    return sum;
}

// |x|
static inline double vs_vector_norm(int n, const double *x) {
    return sqrt(vs_vector_dot(n, x, x));
}

// Null is finite.
static inline bool vs_vector_is_finite(int64_t n, const double *x) {
    int bad = 0; // no early exit: the loop becomes vector code
    for (int64_t k = 0; k < n && x; k++)
        bad |= !isfinite(x[k]);
    return !bad;
}

#endif
