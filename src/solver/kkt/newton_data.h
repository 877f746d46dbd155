// The data of a Newton system, shared by its reductions, its factorization and its solves: see newton.h.
#ifndef VS_SOLVER_KKT_NEWTON_DATA_H
#define VS_SOLVER_KKT_NEWTON_DATA_H

#include "linalg/block_cg.h"
#include "linalg/fgmres.h"
#include "linalg/linear_solver.h"
#include "solver/counts.h"
#include "solver/impulse/delassus.h"
#include "solver/kkt/lifted_block.h"
#include "voussoir/solver.h"

typedef struct vs_newton vs_newton;
typedef struct vs_sparsified vs_sparsified; // sparsified_matrix.h

// A reduction: how the factored matrix is made from the cones' scaling and used to precondition.
typedef struct vs_reduction {
    const char *name;
    vs_error (*create)(vs_newton *newton, vs_arena *arena);  // pattern, positions; sets newton->pattern
    void (*update)(vs_newton *newton);                       // parts that depend only on the problem's values
    void (*assemble)(vs_newton *newton);                     // newton->x from T and M
    vs_error (*precondition)(void *newton, double *x);       // x <- regularized matrix^-1 x
    void (*apply)(void *newton, const double *x, double *y); // the unreduced, unregularized operator
    bool velocities;                                         // the unknowns of FGMRES include dv
} vs_reduction;

struct vs_newton {
    vs_context *context;
    const vs_scaled *problem;
    const vs_reduction *reduction;
    vs_linear_solver *solver;
    vs_linear_pattern pattern;
    double *x;             // values of the pattern
    double delta;          // regularization of the next factorization
    double delta_least;    // its least value
    double residual_least; // least relative residual of any solve
    const vs_space *space; // of the problem
    bool joints;           // there are some, on any rank

    // the cones' scaling
    double *T;         // 9 per cone: (W^2 + 1)^-1/2, row-major; one-row cones: entry 0; impulse form: also of ghosts
    double *M;         // 9 per cone: T (W^2 + E) T
    double *M_inverse; // 9 per cone: (M + delta)^-1, velocity form
    vs_lifted_block *lifted; // of contacts with rolling or spinning friction, instead; null: there are none
    int *lifted_of;          // (cones) number of its block; -1: none

    // positions of values in x
    int64_t *at_D, *at_C; // augmented: of D.x, C.x
    int64_t *at_corner;   // 6 (9 unsymmetric) per cone: lower triangle by columns
    int64_t *at_lifted;   // 21 per lifted block, likewise
    int64_t *at_diagonal; // of v (n) and g (m_e)
    int64_t *at_H;        // of H's entries, -1 above the diagonal
    int64_t *pair;        // (cones + 1) velocity form: first of the entries of D_k'D_k in at_D

    vs_delassus delassus; // impulse form

    int unknowns;   // of FGMRES
    int steps_most; // its limit, if not 0
    vs_fgmres fgmres;
    double *right, *step;      // (unknowns; `right` followed by ghosts of rows)
    vs_sparsified *sparsified; // the sparsified matrix of the backend; null: that of the reduction
    vs_block_cg *cg;           // replaces the backend while that is cheaper; null: never
    bool by_cg;                // the current system is solved by it
    bool solved;               // `step` is a solution of the current system, for another right-hand side
    double tolerance;          // of the current solve
    double cg_most;            // steps that cost as much as factoring the current system, and
    double cg_left;            // number of them left
    double *check;             // (3 n of the pattern) work of vs_newton_check()
    double *wide_n, *wide_m;   // (n), (m_e + m + ghosts) work
    double *D_times;           // (m) D dv of the vector at `D_of`, computed by the velocity form's preconditioner
    const double *D_of;        // used by the next product with that vector
    vs_counts counts;
};

// The block of a lifted cone; null: cone k has T, M and M_inverse.
static inline vs_lifted_block *vs_newton_lifted(const vs_newton *newton, int k) {
    return newton->lifted && newton->lifted_of[k] >= 0 ? &newton->lifted[newton->lifted_of[k]] : NULL;
}

#endif
