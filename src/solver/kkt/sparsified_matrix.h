// The matrix that is factored where it is sparser than the velocity form's: which directions of which contacts it has,
// its pattern and values.
#ifndef VS_SOLVER_KKT_SPARSIFIED_MATRIX_H
#define VS_SOLVER_KKT_SPARSIFIED_MATRIX_H

#include "solver/kkt/newton_data.h"

struct vs_sparsified {
    int *group_of;              // (n)
    int *a, *b;                 // (cones) the two groups that each touches, a <= b
    signed char *kept, *wanted; // (cones) directions in the matrix; heavy ones of the present scaling
    int64_t directions;         // of all cones between two groups
    double share;               // wanted fraction
    bool fits;                  // the matrix contains all heavy ones
    bool chosen;                // in this solve
    bool full_now;              // the matrix is that of the velocity form
    vs_linear_report full;      // of that
    double cost;                // of a factorization of the present matrix, ns
    // rebuilt with each pattern
    vs_arena arena;
    vs_linear_pattern pattern;
    double *x;         // its values
    int64_t *block;    // (cones) of the two bodies, for contacts with all directions
    int64_t *block_p;  // (groups + 1) blocks below a group's own
    int *block_row;    // their row groups, and
    int64_t *block_at; // their position in a column, after the group's own block
    int64_t *row_at;   // (columns of all cones) position of a cone's rows in a column
    int *row_of;       // (cones) first of a cone's rows, from n on; -1: it has none
    double *terms;     // 6 per row: l and T^-1 l
    double *wide;      // (4 n of the pattern) the last solution, and work
};

// Rows of a cone.
int vs_sparsified_rows(const vs_newton *newton, int k);
// l (one term per row, the largest first; rest zero) of cone k, and the square of one.
void vs_sparsified_split(const vs_newton *newton, int k, double l[3][3]);
double vs_sparsified_square(const double *l);

// The pattern for `kept`, and the values for the present scaling.
vs_error vs_sparsified_make_pattern(vs_newton *newton);
void vs_sparsified_set_values(vs_newton *newton);

#endif
