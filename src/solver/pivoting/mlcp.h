// The mixed linear complementarity problem of Enzenhöfer et al., in the units of impulse_problem.h:
//
//     w = A x + q,   lo <= x <= hi,      w >= 0 where x = lo,  w <= 0 where x = hi,  w = 0 between
//
// A = N + E, q = r. Joint rows are free, frictionless contacts have lo = 0, hi = inf, boxes are boxes, and a friction
// contact is a frictionless one for its normal and a box for each tangential row:
//
//     |x_u| <= mu x_n,  |x_w| <= mu x_n        with x_n of the previous solve
//
// The bounds are updated from the new normal impulses and the MLCP is solved again, until they converge. The result is
// box friction: neither the cone of the relaxed nor that of the exact model, whose energy error stays above the
// tolerance unless all contacts slide along an axis, stick, or are open.
#ifndef VS_SOLVER_PIVOTING_MLCP_H
#define VS_SOLVER_PIVOTING_MLCP_H

#include "solver/method.h"
#include "solver/pivoting/reduced_system.h"

typedef struct vs_mlcp {
    vs_impulse_run impulses;
    vs_reduced reduced;
    int rows;
    bool friction;      // some contacts have boxes in place of cones
    double *lo, *hi;    // (rows) equal: the impulse is fixed
    double *x;          // (rows) while pivoting it may be outside its bounds
    double *w;          // (rows) work
    double *centre;     // (rows) of the regularization, see block_pivoting.h
    double *l;          // (rows) x within its bounds and cones, for evaluation
    signed char *set;   // (rows) VS_AT_LOWER, …
    vs_pace pace;       // of the factorizations
    const char *failed; // why it cannot continue, or null
    char choice[128];
} vs_mlcp;

vs_error vs_mlcp_create(vs_mlcp *p, vs_method_run *run, vs_arena *arena);
void vs_mlcp_release(vs_mlcp *p);
vs_error vs_mlcp_update(vs_mlcp *p);
void vs_mlcp_begin(vs_mlcp *p);
void vs_mlcp_report(const vs_mlcp *p, vs_result *result);

// Solves the MLCP of fixed bounds from mlcp->x, or until *stop: the run has ended. Sets mlcp->failed if it cannot.
typedef vs_error (*vs_mlcp_solver)(void *state, vs_mlcp *mlcp, bool *stop);
// The whole solve: starting point, bounds, `solver` as often as the bounds change.
vs_error vs_mlcp_solve(vs_mlcp *p, vs_mlcp_solver solver, void *state);

// mlcp->set from x and w: which bound, if any, x - w has reached.
void vs_mlcp_guess_sets(vs_mlcp *p);
// Counts an iteration with the impulses x, clipped to their bounds. measure: in any case.
bool vs_mlcp_check(vs_mlcp *mlcp, bool measure, vs_error *error);
// sqrt(energy error / e0) of x, within its bounds, as a solution of the MLCP. Leaves w = A x + q.
double vs_mlcp_error(vs_mlcp *p);

#endif
