// Least-norm solutions of K z = b with a square K that may be singular and unsymmetric, and of the transposed system.
//
// A small K gets a complete orthogonal decomposition (Golub and Van Loan, Matrix Computations, 5.4.2), which needs no library:
// Householder reflections with column pivoting, then from the right,
//
//     K P = Q [ T 0 ] Z    =>    z = P Z' [ T^-1 (Q'b)_1 ],    pivots below 1e-10 of the largest count as zero
//             [ 0 0 ]                     [      0       ]
//
// A large one stays sparse. Iterated Tikhonov regularization (Riley 1955) with a fixed number of iterations,
//
//     [ delta  K'     ] [ dz ]   [   0     ]
//     [ K      -delta ] [ s  ] = [ b - K z ],    z <- z + dz
//
// is a polynomial in K'K times K', so that the transposed system gets exactly the transposed operator from the same factor.
// Singular values above 1e-4 of the unit are exact to 1e-8, above 1e-3 to rounding. Rounding of b is amplified by up to 1/(2 delta).
//
// Where rounding is amplified, both solve for the residual once more, which is computed with twice the precision of doubles: the operator stays a polynomial, and
// what the solution and that of the transposed system differ by is the rounding of z, not of the factor.
#ifndef VS_SOLVER_DERIVATIVE_PSEUDO_INVERSE_H
#define VS_SOLVER_DERIVATIVE_PSEUDO_INVERSE_H

#include "base/double_double.h"
#include "linalg/linear_solver.h"

enum { VS_PSEUDO_INVERSE_DENSE = 600 }; // unknowns up to which K is decomposed

typedef struct vs_pseudo_inverse {
    int n;
    int rank;                 // of a large K estimated: n if it is regular, else below
    double *A;                // (n n) T and the reflections of Q and Z, by columns; small only
    double *q, *z;            // (n), (n) factors of the reflections; small only
    double *dense;            // (n n) K; small only
    bool rough;               // rounding in T shows; small only
    int *column;              // (n) P: column of K at each place; small only
    vs_sparse K;              // large only
    vs_linear_solver *solver; // large only
    double *right, *step;     // (n), (2 n + 2) work
    double *again;            // (2 n) work; large only
    vs_double_double *exact;  // (n) work
} vs_pseudo_inverse;

// K (n n) by columns, overwritten and kept.
vs_error vs_pseudo_inverse_create_dense(vs_pseudo_inverse *p, int n, double *K, vs_arena *arena);
// K is kept; its memory belongs to the arena.
vs_error vs_pseudo_inverse_create_sparse(vs_pseudo_inverse *p, const vs_sparse *K, vs_arena *arena);
void vs_pseudo_inverse_release(vs_pseudo_inverse *p); // what does not belong to the arena
// z (n) of K z = b, or of K'z = b.
vs_error vs_pseudo_inverse_solve(const vs_pseudo_inverse *p, bool transposed, const double *b, double *z);

#endif
