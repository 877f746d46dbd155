// The inside of a measurer that solvers share instead of computing it again.
#ifndef VS_MEASURE_MEASURER_H
#define VS_MEASURE_MEASURER_H

#include "mass/energy_scale.h"
#include "mass/mass.h"
#include "voussoir/measure.h"

// Another problem with the same pattern: factors and scales anew, allocates nothing of ours.
vs_error vs_measurer_update(vs_measurer *measurer, const vs_problem *problem);

vs_mass *vs_measurer_mass(vs_measurer *measurer); // null for the local form
const vs_energy_scale *vs_measurer_scale(const vs_measurer *measurer);
double vs_measurer_free_energy(const vs_measurer *measurer);          // J; e0, the energy error of g = 0, l = 0
const double *vs_measurer_free_velocity(const vs_measurer *measurer); // (m) r = -b - D H^-1 c; local: r. m/s
double vs_measurer_free_norm(const vs_measurer *measurer);            // |(r, r_e)| of g = 0, l = 0; m/s

// vs_measure() in two parts. What convergence is judged by: energy_error, energy_scale and natural_map_relative, or all
// infinite; the other measures are zero. v (n), y (m) may be null.
vs_error vs_measurer_judge(vs_measurer *measurer, const double *g, const double *lambda, double *v, double *y,
                           vs_measures *measures);
// The same of g = 0, lambda = 0, which was computed with e0.
void vs_measurer_judge_rest(const vs_measurer *measurer, vs_measures *measures);
// The other measures of what vs_measurer_judge() judged last, once: g, lambda and measures of that call again.
vs_error vs_measurer_complete(vs_measurer *measurer, const double *g, const double *lambda, vs_measures *measures);

#endif
