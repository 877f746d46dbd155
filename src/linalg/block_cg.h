// Conjugate gradients on a symmetric positive definite matrix of small blocks, in single precision: for systems that
// need only a few digits. Preconditioned by an incomplete Cholesky factor without fill that differs from the matrix
// in its diagonal blocks alone:
//
//     A = L + A_d + L',   P = (D + L) D^-1 (D + L'),   D such that P and A have the same diagonal blocks
//
// With blocks scaled so that D = 1, the two triangular solves of an iteration already contain the product with A
// (Eisenstat): an iteration reads each block once. On a tree of bodies P = A.
#ifndef VS_LINALG_BLOCK_CG_H
#define VS_LINALG_BLOCK_CG_H

#include "linalg/linear_solver.h"

typedef struct vs_block_cg {
    int n, rows;       // unknowns, block rows
    int *group;        // (rows + 1) first unknown of each row, in this order
    int *from;         // (rows) the same, in the caller's numbering
    int chunks;        // groups of rows without common blocks, for threads; then the rows between them
    int *chunk;        // (chunks + 2) first row of each
    double *part;      // (chunks + 1) partial sums
    float alpha, beta; // of the current step
    vs_context *context;
    int64_t *p;           // (rows + 1) blocks of a row, both triangles
    int64_t *diagonal;    // (rows) the diagonal one
    int *column;          // (p[rows]) block columns, ascending
    int64_t *value;       // (p[rows] + 1) first value of a block; blocks are stored by columns
    float *x;             // values of A; after _set() scaled, with A_d - 2 on the diagonal
    bool *usual;          // (rows) all blocks of the row are 6 x 6
    int64_t *at, *mirror; // (nonzeros of the pattern) position of a value and of its mirror
    int64_t nonzeros;     // of the pattern
    int64_t *root_at;     // (rows + 1)
    double *root;         // Cholesky factors of D's blocks, lower, by rows
    float *solution, *r, *d, *t, *w;
} vs_block_cg;

// The blocks are the pattern's groups; lower triangle, as for a linear solver. Memory from the arena.
vs_error vs_block_cg_create(vs_block_cg *cg, vs_context *context, const vs_linear_pattern *pattern, vs_arena *arena);
// New values, in the order of the pattern. False: a diagonal block is not positive definite.
bool vs_block_cg_set(vs_block_cg *cg, const double *x);
// x (n): right-hand side in, solution out, if its residual fell to `tolerance` (Euclidean norm) within `most` steps;
// otherwise x is unchanged and the result is false. *steps: number of steps made.
bool vs_block_cg_solve(vs_block_cg *cg, double *x, double tolerance, int most, int *steps);
// Numbers that one step reads, of the matrix and of vectors: a measure of its cost.
double vs_block_cg_work(const vs_block_cg *cg);

#endif
