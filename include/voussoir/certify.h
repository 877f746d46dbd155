// Certificates of impulses that are kept as reference solutions.
#ifndef VOUSSOIR_CERTIFY_H
#define VOUSSOIR_CERTIFY_H

#include "voussoir/measure.h"

#ifdef __cplusplus
extern "C" {
#endif

// Errors of impulses by their definitions, over the whole problem: unlike in vs_measures no island is excused because its
// error is only rounding, and none has another reference than e0.
typedef struct vs_certificate {
    double
        natural_map_relative; // |l - P_K(l - y)| / max(|r|, |l|, |y|), as FCLIB and Siconos define it, joints included
    double energy_error_relative; // sqrt(energy error / e0), comparable to a tolerance; 0/0 is 0
    double
        rounding; // the same of the rounding of the impulses to doubles alone: no stored solution is better. Mass ratios
                  // beyond 1e6 bring it above 1e-10
    double energy_error; // J
    double energy_scale; // J; e0, the energy error of g = 0, l = 0
} vs_certificate;

// Evaluates impulses g (m_e; null without joints) and lambda (m) with velocities in twice the precision of doubles: v by
// refinement, y and r_e as sums in double-double arithmetic that are rounded once. v (n) and y (m) are stored unless null.
// VS_ERROR_DATA if H cannot be factored.
VS_API vs_error vs_certify(const vs_problem *problem, vs_model model, const double *g, const double *lambda, double *v,
                           double *y, vs_certificate *certificate);

#ifdef __cplusplus
}
#endif

#endif
