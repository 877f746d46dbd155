// The engine's matrix where it is thinner than the velocity form's: which directions of which contacts it has, its
// pattern and values.
#ifndef VS_SOLVER_KKT_SPARSIFIED_H
#define VS_SOLVER_KKT_SPARSIFIED_H

#include "solver/kkt/reduction.h"

struct vs_thin {
    int *group_of;              // (n)
    int *a, *b;                 // (cones) the two groups that each touches, a <= b
    signed char *kept, *wanted; // (cones) directions in the engine's matrix; heavy ones of the present scaling
    int64_t directions;         // of all cones between two groups
    double share;               // of them that are wanted
    bool fits;                  // the engine's matrix has all heavy ones
    bool chosen;                // in this solve
    bool full_now;              // the engine's matrix is the velocity form's
    vs_linear_report full;      // of that
    double cost;                // of a factorization as it is, ns
    // what follows is made anew with each pattern
    vs_arena arena;
    vs_linear_pattern pattern;
    double *x;         // its values
    int64_t *block;    // (cones) of the two bodies, where whole contacts have one
    int64_t *block_p;  // (groups + 1) blocks below a group's own
    int *block_row;    // their row groups, and
    int64_t *block_at; // where they begin in a column, after the group's own block
    int64_t *row_at;   // (columns of all cones) where a cone's rows begin in a column
    int *row_of;       // (cones) first of a cone's rows, from n on; -1: it has none
    double *terms;     // 6 a row: l and T^-1 l
    double *wide;      // (4 n of the pattern) the last solution, and work
};

// Rows of a cone.
int vs_thin_rows(const vs_newton *newton, int k);
// l (a term a row, the largest first; rest zero) of cone k, and one's square.
void vs_thin_split(const vs_newton *newton, int k, double l[3][3]);
double vs_thin_square(const double *l);

// The pattern for `kept`, and the values for the present scaling (sparsified_matrix.c).
vs_error vs_thin_make_pattern(vs_newton *newton);
void vs_thin_set_values(vs_newton *newton);

#endif
