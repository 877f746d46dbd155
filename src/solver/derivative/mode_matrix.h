// The matrix of the modes of an island,
//
//     K = R'(J H^-1 J' + E) T + diag(epsilon)        local form: R'N T + diag(epsilon)
#ifndef VS_SOLVER_DERIVATIVE_MODE_MATRIX_H
#define VS_SOLVER_DERIVATIVE_MODE_MATRIX_H

#include "solver/derivative/modes.h"

// A small one (pseudo_inverse.h) dense by columns, a large one sparse.
typedef struct vs_mode_matrix {
    int n;
    double *dense; // (n n); null: sparse
    vs_sparse K;
} vs_mode_matrix;

// Work for the matrices of all islands, one after the other.
typedef struct vs_mode_work {
    double *image, *x;  // (n; local form: m) image is zero
    double *l;          // (m)
    int *head, *length; // (blocks) -1 and 0
} vs_mode_work;
vs_error vs_mode_work_create(vs_mode_work *work, const vs_problem *problem, vs_arena *arena);

// Memory of the matrix is in `arena`, that of its assembly in `scratch`.
vs_error vs_mode_matrix_create(vs_mode_matrix *matrix, const vs_mass_model *mass, const vs_modes *modes, int island,
                               vs_mode_work *work, vs_arena *arena, vs_arena *scratch);

// to (columns of D or C) += sum coefficient_i row_i of the mode
void vs_mode_add_rows(const vs_problem *problem, const vs_mode *mode, const double *coefficient, double *to);
// sum coefficient_i x_i, x: (m), joints (m_e)
static inline double vs_mode_dot(const vs_mode *mode, const double *coefficient, const double *x,
                                 const double *joints) {
    const double *from = (mode->joint ? joints : x) + mode->first;
    double sum = 0;
    for (int i = 0; i < mode->rows; i++)
        sum += coefficient[i] * from[i];
    return sum;
}

#endif
