// Compressed sparse columns with 64-bit counts. Row indices of a column are ascending and unique.
// The arrays belong to the arena they were made in (or to the viewed object).
#ifndef VS_LINALG_SPARSE_H
#define VS_LINALG_SPARSE_H

#include <stdbool.h>

#include "base/arena.h"

typedef struct vs_sparse {
    int rows, cols;
    int64_t *p; // (cols + 1)
    int *i;     // (p[cols])
    double *x;  // (p[cols])
} vs_sparse;

vs_error vs_sparse_copy(const vs_sparse *A, vs_arena *arena, vs_sparse *copy);
vs_error vs_sparse_transpose(const vs_sparse *A, vs_arena *arena, vs_sparse *At);
// Sums duplicates, sorts rows. Triplets (count).
vs_error vs_sparse_from_triplets(int rows, int cols, int64_t count, const int *row, const int *col, const double *x,
                                 vs_arena *arena, vs_sparse *A);
void vs_sparse_multiply(const vs_sparse *A, double alpha, const double *x, double beta,
                        double *y); // y = alpha A x + beta y
void vs_sparse_multiply_t(const vs_sparse *A, double alpha, const double *x, double beta,
                          double *y); // y = alpha A'x + beta y
// Largest |A - A'| and largest |A|; the pattern need not be symmetric.
vs_error vs_sparse_asymmetry(const vs_sparse *A, vs_context *context, double *difference, double *largest);

#endif
