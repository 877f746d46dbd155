// Grouped rows: the Jacobian of contacts or joints. The rows of a group (one contact: 3 or 1 rows) share
// their columns (two bodies: 12), so that a group is one small dense matrix: two 3x6 blocks side by side.
//
//     group g: rows row[g] … row[g+1]-1, columns col[start[g]] … col[start[g+1]-1] (ascending),
//     values x[value[g] + r * width + k], width = start[g+1] - start[g]
#ifndef VS_LINALG_ROWS_H
#define VS_LINALG_ROWS_H

#include "linalg/sparse.h"

typedef struct vs_rows {
    int groups, rows, cols;
    int *row;       // (groups + 1)
    int64_t *start; // (groups + 1)
    int *col;       // (start[groups])
    int64_t *value; // (groups + 1)
    double *x;      // (value[groups])
} vs_rows;

// From the transpose in compressed columns (FCLIB's H, G): row r of the result is column r of At. Explicit zeros
// inside a group's dense matrix are stored. row (groups + 1) gives the grouping.
vs_error vs_rows_from_transpose(const vs_sparse *At, int groups, const int *row, vs_arena *arena, vs_rows *A);
// The transpose in compressed columns, exact zeros left out.
vs_error vs_rows_to_transpose(const vs_rows *A, vs_arena *arena, vs_sparse *At);

// y = alpha A x + beta y (rows); parallel over groups
void vs_rows_multiply(const vs_rows *A, double alpha, const double *x, double beta, double *y, vs_context *context);
// y += alpha A'x (cols); serial, in the order of the groups
void vs_rows_multiply_t_add(const vs_rows *A, double alpha, const double *x, double *y);

#endif
