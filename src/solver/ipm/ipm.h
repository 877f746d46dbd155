// Primal-dual interior point for the convex models (docs/theory.md): Nesterov-Todd scaling, Mehrotra's predictor
// and corrector, Gondzio's correctors, and centring.
//
// State: an interior pair (lambda, y) per cone, the joint impulses g and, except in the impulse form, the
// velocities v. Every iterate is evaluated by measure/ from its impulses alone. The velocities are part of the state
// because with mass ratios beyond 1e8 the impulses, rounded to doubles, do not determine them: the iteration would work
// on noise.
#ifndef VS_SOLVER_IPM_IPM_H
#define VS_SOLVER_IPM_IPM_H

#include "solver/ipm/ipm_data.h"

vs_error vs_ipm_create(vs_ipm *ipm, vs_method_run *run, const vs_reduction *reduction, const vs_linear_backend *backend,
                       vs_arena *arena);
void vs_ipm_release(vs_ipm *ipm);
void vs_ipm_update(vs_ipm *ipm); // new values of the problem
// Iterates until run stops it; the outcome is in run.
vs_error vs_ipm_solve(vs_ipm *ipm);
// The velocities of the best iterate, user's units, from the iteration. False if the impulses determine them
// better (and in the impulse form).
bool vs_ipm_velocities(const vs_ipm *ipm, double *v);

#endif
