// Conjugate gradients on a symmetric positive definite matrix of small blocks, in single precision: for systems that
// need only a few digits. Preconditioned by an incomplete Cholesky factor without fill, whose diagonal blocks alone
// differ from the matrix's:
//
//     A = L + A_d + L',   P = (D + L) D^-1 (D + L'),   D such that P and A have the same diagonal blocks
//
// With blocks scaled so that D = 1, the two triangular solves of a step already contain the product with A (Eisenstat):
// a step reads each block once. On a tree of bodies P = A.
#ifndef VS_LINALG_BLOCK_CG_H
#define VS_LINALG_BLOCK_CG_H

#include "linalg/linear_solver.h"

typedef struct vs_block_cg {
    int n, rows;       // unknowns, block rows
    int *group;        // (rows + 1) first unknown of each, as the rows are ordered
    int *from;         // (rows) the same, as the caller counts
    int chunks;        // of rows without common blocks, which threads may take at once; then the rows between them
    int *chunk;        // (chunks + 2) first row of each
    double *part;      // (chunks + 1) sums of each
    float alpha, beta; // of the step under way
    vs_context *context;
    int64_t *p;           // (rows + 1) blocks of a row, both triangles
    int64_t *diagonal;    // (rows) the diagonal one
    int *column;          // (p[rows]) block columns, ascending
    int64_t *value;       // (p[rows] + 1) first value of a block; blocks are stored by columns
    float *x;             // values: A, once set scaled, with A_d - 2 on the diagonal
    bool *usual;          // (rows) all blocks of the row are 6 x 6
    int64_t *at, *mirror; // (nonzeros of the pattern) where a value goes, and its transpose
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
// else it is left alone and the result is false. *steps: those made.
bool vs_block_cg_solve(vs_block_cg *cg, double *x, double tolerance, int most, int *steps);
// Numbers that one step reads, of the matrix and of vectors: what it costs.
double vs_block_cg_work(const vs_block_cg *cg);

#endif
