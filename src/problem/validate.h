// Validation of everything that comes from outside. Each message names the field and the index:
// "mu[3] is negative (-0.1)", "contact 5: block 7 does not exist (4 blocks)". Nothing here is asserted.
#ifndef VS_PROBLEM_VALIDATE_H
#define VS_PROBLEM_VALIDATE_H

#include "cone/cone.h"
#include "linalg/sparse.h"
#include "voussoir/problem.h"

// Owner of the field: {"contact", 5} makes "contact 5: …"; a null item adds nothing.
typedef struct vs_where {
    const char *item;
    int index;
} vs_where;

typedef enum vs_sign { VS_ANY_SIGN, VS_NOT_NEGATIVE } vs_sign;

// 0 <= have, and have + more fits into an int.
vs_error vs_validate_count(vs_context *context, vs_where where, const char *what, int have, int64_t more);
// Finite and of the wanted sign: one number, an array (null with count > 0 is an error).
vs_error vs_validate_number(vs_context *context, vs_where where, const char *name, double x, vs_sign sign);
vs_error vs_validate_vector(vs_context *context, vs_where where, const char *name, const double *x, int64_t count,
                            vs_sign sign);
// Finite, lo <= hi.
vs_error vs_validate_bounds(vs_context *context, vs_where where, const double *lo, const double *hi, int64_t count);
// Compliance of all contact rows: >= 0, zero on tangential rows.
vs_error vs_validate_compliance(vs_context *context, const double *E, int contacts, const int *row,
                                const vs_cone_kind *kind);
// The blocks a contact or joint touches: count >= 1, indices below `existing`, no null Jacobian.
vs_error vs_validate_touched(vs_context *context, vs_where where, int count, const int *block,
                             const double *const *jacobian, int existing);
// A dense block, row-major: finite, symmetric to roundoff, positive diagonal; up to 12 unknowns positive definite.
vs_error vs_validate_block(vs_context *context, int index, int dofs, const double *H);
// A sparse matrix: sizes, pointers, rows ascending, unique and in range, values finite.
vs_error vs_validate_matrix(vs_context *context, const char *name, const vs_matrix_view *A, int rows, int cols);
// Every diagonal entry of H is present and positive.
vs_error vs_validate_diagonal(vs_context *context, const vs_sparse *H);

// An entry (i, j) and its mirror (j, i).
typedef struct vs_mirrored {
    int i, j;
    double x, mirror;
} vs_mirrored;

// Is H, with a positive diagonal, symmetric to roundoff? If not, `found` is the first entry that differs from its
// mirror.
bool vs_validate_is_symmetric(const vs_sparse *H, const vs_sparse *Ht, vs_mirrored *found);
// The blocks of H with at most 12 unknowns are positive definite; larger ones are left to the factorization.
vs_error vs_validate_definite(vs_context *context, const vs_sparse *H, int blocks, const int *block);

#endif
