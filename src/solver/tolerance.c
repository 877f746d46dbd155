// Tolerances of islands: see tolerance.h.
#include "solver/tolerance.h"

#include <math.h>

double vs_granular_tolerance(const vs_solver_options *options) {
    return fmax(options->tolerance, options->granular_tolerance);
}

bool vs_measures_meet(const vs_measures *measures, vs_criterion criterion, double tolerance) {
    if (!measures)
        return false;
    return measures->relative_error <= tolerance && measures->relative_work <= sqrt(tolerance) &&
           (criterion == VS_CRITERION_ENERGY || measures->natural_map_relative <= tolerance);
}

bool vs_measures_meet_options(const vs_measures *measures, const vs_solver_options *options) {
    const double tolerance = options->tolerance;
    return vs_measures_meet(measures, options->criterion, vs_granular_tolerance(options)) &&
           measures->strict_error <= tolerance && measures->strict_work <= sqrt(tolerance) &&
           (options->criterion == VS_CRITERION_ENERGY || measures->strict_map <= tolerance);
}
