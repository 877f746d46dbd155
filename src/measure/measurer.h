// A measurer as solvers use it: on a mass model that it shares with them, in two parts, and with the errors of rest.
#ifndef VS_MEASURE_MEASURER_H
#define VS_MEASURE_MEASURER_H

#include "mass/mass_model.h"
#include "voussoir/measure.h"

// Measures the model's problem in its friction model. The model is borrowed: it must outlive the measurer.
vs_error vs_measurer_borrow(vs_mass_model *mass, vs_measurer **measurer);
// After vs_mass_model_update().
vs_error vs_measurer_update(vs_measurer *measurer);

double vs_measurer_free_norm(const vs_measurer *measurer); // m/s; |(y, r_e)| of the free motion
// Are energies of an island out of the range of doubles? vs_measurer_complete() then makes the relative error infinite.
bool vs_measurer_overflows(const vs_measurer *measurer);
// sqrt(J), (islands of the mass model): roots of the references that errors are relative to; 1 where that is 0.
const double *vs_measurer_units(const vs_measurer *measurer);

// (contacts), (joints) of the problem: energies of their islands' velocities over the references (own_scale.h).
const double *vs_measurer_contact_shares(const vs_measurer *measurer);
const double *vs_measurer_joint_shares(const vs_measurer *measurer);

// island (islands of the mass model) <- is the relative error of the impulses evaluated last larger than this? granular: of
// granular islands
void vs_measurer_compare_islands(const vs_measurer *measurer, double tolerance, double granular, bool *island);

// vs_measure() in two parts. First the measures that decide on convergence, from relative_error to
// natural_map_relative and from strict_error on, or all infinite; the other measures are zero. v (n), y (m) may be null.
vs_error vs_measurer_evaluate(vs_measurer *measurer, const double *g, const double *lambda, double *v, double *y,
                              vs_measures *measures);
// The same for rest, which is known already.
void vs_measurer_evaluate_rest(const vs_measurer *measurer, vs_measures *measures);
// The other measures of the impulses that vs_measurer_evaluate() evaluated last, once: g, lambda and measures of that
// call again.
vs_error vs_measurer_complete(vs_measurer *measurer, const double *g, const double *lambda, vs_measures *measures);

#endif
