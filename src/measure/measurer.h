// The inside of a measurer that solvers share instead of computing it again.
#ifndef VS_MEASURE_MEASURER_H
#define VS_MEASURE_MEASURER_H

#include "measure/energy_scale.h"
#include "measure/mass.h"
#include "voussoir/measure.h"

// Another problem with the same pattern: factors and scales anew, allocates nothing of ours.
vs_error vs_measurer_update(vs_measurer *measurer, const vs_problem *problem);

vs_mass *vs_measurer_mass(vs_measurer *measurer); // null for the local form
const vs_energy_scale *vs_measurer_scale(const vs_measurer *measurer);
double vs_measurer_free_energy(const vs_measurer *measurer);          // J; e0, the energy error of g = 0, l = 0
const double *vs_measurer_free_velocity(const vs_measurer *measurer); // (m) r = -b - D H^-1 c; local: r. m/s
double vs_measurer_free_norm(const vs_measurer *measurer);            // |(r, r_e)| of g = 0, l = 0; m/s

#endif
