// Primal-dual interior point for the convex models (docs/theory.md): Nesterov-Todd scaling, Mehrotra's predictor
// and corrector, Gondzio's correctors, and centring.
//
// State: an interior pair (lambda, y) per cone, the joint impulses g and, except in the impulse form, the
// velocities v. Every iterate is evaluated by measure/ from its impulses alone. The velocities are part of the state
// because with mass ratios beyond 1e8 the impulses, rounded to doubles, do not determine them: the iteration would work
// on noise.
#ifndef VS_SOLVER_IPM_IPM_H
#define VS_SOLVER_IPM_IPM_H

#include "solver/kkt/newton.h"
#include "solver/run.h"

typedef struct vs_ipm {
    vs_run *run; // options, measuring, best iterate, history; not owned
    const vs_scaled *problem;
    const vs_ranks *ranks; // of the problem
    vs_newton newton;

    int degree;              // of all cones together, on all ranks
    int *lift;               // (cones + 1) first entry of each cone in lifted vectors (boxes count 2)
    vs_cone_pair *pairs;     // (cones)
    vs_cone_pair *trial;     // (cones)
    double *g;               // (m_e)
    double *v;               // (n) scaled; not in the impulse form
    double *best_v;          // (n) v of the best iterate
    bool best_balanced;      // its impulses balance v to their rounding
    double *x;               // (m) impulses of the rows: lambda, of a box lo + lambda
    double *r_d, *r_e, *r_c; // (n), (m_e), (m) residuals of the iterate
    bool velocities;         // v is a state

    double *dv, *dg;                  // (n), (m_e) a direction
    double *dl, *Ddv;                 // (m) its impulses and contact velocities
    double *rhs_d, *rhs_e, *rhs_c;    // (n), (m_e), (m)
    double *r_z;                      // (lifted) right-hand side of the complementarity
    double *dlt, *dyt;                // (lifted) W dl, W^-1 dy
    double *sum;                      // (lifted) dlt + dyt = -(z \ r_z)
    double *keep;                     // (n + m_e + 2 lifted) a saved direction
    double *r_z_keep;                 // (lifted)
    double gap;                       // lambda'y / degree
    bool *carries;                    // (cones) active_set.c: contacts with an impulse
    struct vs_correction *correction; // active_set.c: contacts kept at zero; null if not applicable
    vs_pace pace;                     // of the iterations
    double step_seconds;              // s, of a step of refinement, under a time budget
    double finish_below;              // gap below which the active-set correction is tried; 0: never
    double tolerance_factor;          // accuracy of the linear solves relative to the gap
} vs_ipm;

vs_error vs_ipm_create(vs_ipm *ipm, vs_run *run, const vs_reduction *reduction, const vs_linear_backend *backend,
                       vs_arena *arena);
void vs_ipm_release(vs_ipm *ipm);
void vs_ipm_update(vs_ipm *ipm); // new values of the problem
// Iterates until run stops it; the outcome is in run.
vs_error vs_ipm_solve(vs_ipm *ipm);
// The velocities of the best iterate, user's units, from the iteration. False if the impulses determine them
// better (and in the impulse form).
bool vs_ipm_velocities(const vs_ipm *ipm, double *v);

// ---- parts (starting_point.c, direction.c) ---------------------------------------------------------

// Is the active-set correction applicable (active_set.c)?
bool vs_ipm_can_finish(const vs_ipm *ipm);
// Tries it. True in *stop: the outcome is in run.
vs_error vs_ipm_finish(vs_ipm *ipm, bool *stop);

// Cold or warm starting point: sets pairs and g.
vs_error vs_ipm_start(vs_ipm *ipm);

// Solves for the direction of the complementarity r_z (lifted) and of the iterate's residuals:
// fills dg, dlt, dyt.
vs_error vs_ipm_direction(vs_ipm *ipm, const double *r_z, vs_iteration *line);
// Largest common step <= 1 that keeps all pairs in their cones.
double vs_ipm_step(const vs_ipm *ipm);
// Unscales the impulses, measures them, computes r_d, r_e, r_c and the gap.
vs_error vs_ipm_residuals(vs_ipm *ipm);
// The same for the impulses in x and g alone, with v computed from them and y = 0.
vs_error vs_ipm_residuals_of_impulses(vs_ipm *ipm);
// v from the impulses, at the end of a start.
vs_error vs_ipm_settle(vs_ipm *ipm);

#endif
