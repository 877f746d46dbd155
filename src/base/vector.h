// Sums over dense vectors, from the first entry to the last, so that they have the same bits everywhere.
#ifndef VS_BASE_VECTOR_H
#define VS_BASE_VECTOR_H

#include <math.h>

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

#endif
