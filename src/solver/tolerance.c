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

// The largest of the measures over its tolerance.
static double excess(double error, double work, double map, double tolerance) {
    const double most = fmax(fmax(error / tolerance, work / sqrt(tolerance)), map / tolerance);
    return isfinite(error + work + map) ? most : INFINITY;
}

double vs_measures_tightening(const vs_measures *measures, const vs_solver_options *options) {
    const double tightest = .1, safety = 2;
    const bool both = options->criterion != VS_CRITERION_ENERGY;
    const vs_measures *m = measures;
    const double most = fmax(
        excess(m->relative_error, m->relative_work, both ? m->natural_map_relative : 0, vs_granular_tolerance(options)),
        excess(m->strict_error, m->strict_work, both ? m->strict_map : 0, options->tolerance));
    return fmax(tightest, 1 / (safety * fmax(1, most)));
}

bool vs_measures_meet_options(const vs_measures *measures, const vs_solver_options *options) {
    const double tolerance = options->tolerance;
    return vs_measures_meet(measures, options->criterion, vs_granular_tolerance(options)) &&
           measures->strict_error <= tolerance && measures->strict_work <= sqrt(tolerance) &&
           (options->criterion == VS_CRITERION_ENERGY || measures->strict_map <= tolerance);
}
