// Which errors meet the tolerances of a solve: large granular islands may have one of their own.
#ifndef VS_SOLVER_TOLERANCE_H
#define VS_SOLVER_TOLERANCE_H

#include "voussoir/solver.h"

// The tolerance of large granular islands.
double vs_granular_tolerance(const vs_solver_options *options);
// Do the measures meet the tolerances of the options, each island its own?
bool vs_measures_meet_options(const vs_measures *measures, const vs_solver_options *options);
// Where they do not: a factor of the tolerances for going on from there, twice what is missing, but no less than a tenth.
double vs_measures_tightening(const vs_measures *measures, const vs_solver_options *options);

#endif
