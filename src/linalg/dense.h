// Small dense systems, a dozen to a hundred unknowns, where calling a backend would cost more than the work.
#ifndef VS_LINALG_DENSE_H
#define VS_LINALG_DENSE_H

#include <stdbool.h>

// x (n) <- A^-1 x by A = L L', which overwrites the lower triangle of A (n rows of `stride` entries). False, with both
// overwritten: a pivot is not above `least`.
bool vs_dense_solve(int n, int stride, double least, double *A, double *x);

#endif
