// The Newton system of the interior point, solved through one of three reductions (docs/theory.md).
//
//     H dv - C'dg - D'dl       = rhs_d
//     C dv + E_e dg            = rhs_e
//     D dv + (W^2 + E) dl      = rhs_c
//
// In a numerically safe form: contact rows are scaled by T = (W^2 + 1)^-1/2 (problem scaled as in scaled.h), which
// bounds every entry by about one; delta is added to the scaled corner blocks before factoring; and flexible GMRES on
// the unreduced, unregularized system, preconditioned by that factor, restores the accuracy.
// The impulse form has no dv and no first row.
#ifndef VS_SOLVER_KKT_NEWTON_H
#define VS_SOLVER_KKT_NEWTON_H

#include "linalg/block_cg.h"
#include "linalg/fgmres.h"
#include "linalg/linear_solver.h"
#include "solver/counts.h"
#include "solver/impulse/delassus.h"
#include "voussoir/solver.h"

typedef struct vs_newton vs_newton;
typedef struct vs_sparsified vs_sparsified; // sparsified.h

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

extern const vs_reduction vs_reduction_augmented, vs_reduction_velocity, vs_reduction_impulse;

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
    const vs_ranks *ranks; // of the problem
    bool joints;           // there are some, on any rank

    // the cones' scaling
    double *T;         // 9 per cone: (W^2 + 1)^-1/2, row-major; one-row cones: entry 0; impulse form: also of ghosts
    double *M;         // 9 per cone: T (W^2 + E) T
    double *M_inverse; // 9 per cone: (M + delta)^-1, velocity form

    // positions of values in x
    int64_t *at_D, *at_C; // augmented: of D.x, C.x
    int64_t *at_corner;   // 6 (9 unsymmetric) per cone: lower triangle by columns
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

vs_error vs_newton_create(vs_newton *newton, const vs_scaled *problem, const vs_reduction *reduction,
                          const vs_linear_backend *backend, vs_arena *arena);
// Permits conjugate gradients where they are cheaper (newton_cg.c): velocity form, no joints, serial.
vs_error vs_newton_allow_cg(vs_newton *newton, vs_arena *arena);
// Permits a sparsified matrix (sparsified.c), for the same systems.
vs_error vs_newton_allow_sparsified(vs_newton *newton, vs_arena *arena);
// A new solve begins: its choices do not depend on earlier ones.
void vs_newton_begin(vs_newton *newton);
// Shall the next systems be solved so? gap: of the iterate, relative.
void vs_newton_try_cg(vs_newton *newton, bool yes, double gap);
void vs_newton_release(vs_newton *newton);
// New values of the problem, same pattern.
void vs_newton_update(vs_newton *newton);
// Takes the cones' scaling, assembles and factors; increases delta if the factorization fails.
vs_error vs_newton_factor(vs_newton *newton, const vs_cone_pair *pairs);
// Backward error of the last factor, into solver->report. Costs one triangular solve, not counted.
vs_error vs_newton_check(vs_newton *newton);
typedef struct vs_newton_rhs {
    const double *d, *e, *c; // (n), (m_e), (m); d null: zero
} vs_newton_rhs;

typedef struct vs_newton_step {
    double *dv, *dg, *dl; // (n) null in the impulse form, (m_e), (m)
    double *Ddv;          // (m) D dv; impulse form: N dl
    int refinements;      // done, added
} vs_newton_step;

// Solves to a residual of `tolerance` in the scaled system.
vs_error vs_newton_solve(vs_newton *newton, vs_newton_rhs rhs, double tolerance, vs_newton_step *step);

#endif
