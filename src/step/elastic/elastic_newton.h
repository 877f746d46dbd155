// Newton's method on the elastic forces of a step, on request (vs_simulation_options.elastic_iterations).
//
// A step solves
//
//     minimise  Phi(v) = 1/2 v'H_i v + c_i'v + L/a U(q + a v - b v0)      subject to contacts and joints
//
// with the strain energy U, the times a = ahead, b = behind, L = length of elastic_times.h, and inertia, loads and damping in
// H_i, c_i. The default step expands U once, where it is predicted to be. Here its solution v determines
// where to expand again,
//
//     w <- w + t (v - w),    t = 1, 1/2, … until Phi decreases
//
// and the problem is solved again, until v no longer changes. With t = 1 the method is sequential quadratic
// programming, which converges fast near the solution. Contacts keep the gaps and normals that they had. Beams are
// expanded only once. Velocities and impulses are always those of one problem, the last one. With friction there is no
// Phi; energies are nevertheless compared, and a step that does not lower the energy of the model either is taken in
// full.
#ifndef VS_STEP_ELASTIC_NEWTON_H
#define VS_STEP_ELASTIC_NEWTON_H

#include "step/elastic/elastic_terms.h"

// The velocities v (n) solve the problem with c (n): finds the next expansion, or that none is needed.
vs_error vs_elastic_newton_next(vs_elastic_terms *s, const double *c, const double *v, bool *more);

#endif
