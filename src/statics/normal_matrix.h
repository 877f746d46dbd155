// The matrix of a cone program: S = G'B G + delta, B block diagonal with one symmetric block per cone, and solves with it.
#ifndef VS_STATICS_NORMAL_MATRIX_H
#define VS_STATICS_NORMAL_MATRIX_H

#include "linalg/linear_solver.h"
#include "linalg/rows.h"

typedef struct vs_normal_matrix {
    const vs_rows *G;         // one group per cone, of 1 or 3 rows
    vs_sparse lower;          // S, lower triangle
    int *set;                 // (groups) number of the group's set of columns; neighbours often share one
    int64_t *set_start;       // (sets + 1) into place
    int *place;               // positions in lower.x of the pairs of a set's columns, by rows of the lower triangle
    double *diagonal;         // (n) of G'B G
    vs_linear_solver *solver; //
    int factorizations;       //
} vs_normal_matrix;

// Finds the pattern and prepares the factorization. Memory of the arena; the factorization is released by _release().
vs_error vs_normal_matrix_init(vs_normal_matrix *m, const vs_rows *G, vs_arena *arena);
void vs_normal_matrix_release(vs_normal_matrix *m);
// Assembles and factors; blocks (9 groups): row-major 3 x 3, of orthants the first entry. delta: relative to the diagonal,
// raised if the factorization fails. VS_ERROR_NUMERICAL if that does not help.
vs_error vs_normal_matrix_factor(vs_normal_matrix *m, const double *blocks, double delta);
vs_error vs_normal_matrix_solve(vs_normal_matrix *m, double *x); // right-hand side in, solution out (n)

#endif
