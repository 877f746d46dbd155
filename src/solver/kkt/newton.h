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

#include "solver/kkt/newton_data.h"
#include "solver/kkt/reduction.h"

vs_error vs_newton_create(vs_newton *newton, const vs_scaled *problem, const vs_reduction *reduction,
                          const vs_linear_backend *backend, vs_arena *arena);
void vs_newton_release(vs_newton *newton);
// New values of the problem, same pattern.
void vs_newton_update(vs_newton *newton);
// Takes the cones' scaling, assembles and factors; increases delta if the factorization fails.
vs_error vs_newton_factor(vs_newton *newton, const vs_cone_pair *pairs);
// Backward error of the last factor, if there is one, into solver->report. Costs one triangular solve, not counted.
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
