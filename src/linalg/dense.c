// Cholesky factors of a small matrix: see dense.h.
#include "linalg/dense.h"

#include <math.h>
#include <stddef.h>

static bool factor(int n, int stride, double least, double *A) {
    for (int i = 0; i < n; i++) {
        double *row = A + (ptrdiff_t)i * stride;
        for (int j = 0; j <= i; j++) {
            const double *other = A + (ptrdiff_t)j * stride;
            double sum = row[j];
            for (int k = 0; k < j; k++)
                sum -= row[k] * other[k];
            if (i == j && !(sum > least))
                return false;
            row[j] = i == j ? sqrt(sum) : sum / other[j];
        }
    }
    return true;
}

bool vs_dense_solve(int n, int stride, double least, double *A, double *x) {
    if (!factor(n, stride, least, A))
        return false;
    for (int i = 0; i < n; i++) {
        const double *row = A + (ptrdiff_t)i * stride;
        for (int k = 0; k < i; k++)
            x[i] -= row[k] * x[k];
        x[i] /= row[i];
    }
    for (int i = n - 1; i >= 0; i--) {
        for (int k = i + 1; k < n; k++)
            x[i] -= A[(ptrdiff_t)k * stride + i] * x[k];
        x[i] /= A[(ptrdiff_t)i * stride + i];
    }
    return true;
}
