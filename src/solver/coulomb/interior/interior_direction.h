// Directions and steps of the interior point method of interior.h.
#ifndef VS_SOLVER_COULOMB_INTERIOR_INTERIOR_DIRECTION_H
#define VS_SOLVER_COULOMB_INTERIOR_INTERIOR_DIRECTION_H

#include "solver/coulomb/interior/interior_data.h"

vs_error vs_interior_factor(vs_interior *in, const vs_progress *progress);
// Towards products of zero; then towards sigma tau, with the second-order terms of that direction.
vs_error vs_interior_predict(vs_interior *in, const vs_progress *progress);
vs_error vs_interior_correct(vs_interior *in, const vs_progress *progress, double sigma);
// Largest step to the boundary, at most 1 / fraction, times fraction; and the mean product after a step.
double vs_interior_step(const vs_interior *in, const vs_impulse_problem *island, double fraction);
double vs_interior_tau_after(const vs_interior *in, const vs_impulse_problem *island, double step);
// Takes the step. False: a pair left the interior.
bool vs_interior_move(vs_interior *in, const vs_impulse_problem *island, double step);

#endif
