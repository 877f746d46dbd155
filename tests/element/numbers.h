// Random rotations and dense eigenvalues for the tests of elements.
#ifndef VS_TESTS_ELEMENT_NUMBERS_H
#define VS_TESTS_ELEMENT_NUMBERS_H

#include "element/elastic.h"
#include "element/eigen.h"
#include "kit/compare.h"
#include "kit/random.h"

static inline vs_mat3 random_rotation(uint64_t *seed) {
    return vs_quat_matrix(random_quat(seed));
}

// Least eigenvalue of a symmetric matrix over its largest |eigenvalue|.
static inline double least_eigenvalue(int n, const double *A) {
    double work[900], value[30], V[900], least = INFINITY;
    memcpy(work, A, (size_t)(n * n) * sizeof *work);
    vs_symmetric_eigen(n, work, value, V);
    for (int k = 0; k < n; k++)
        least = fmin(least, value[k]);
    return least / largest(value, n);
}

#endif
