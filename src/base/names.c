// Names of the solver's enumerations.
#include "base/names.h"

#include <stddef.h>

#include "voussoir/solver.h"

const char *vs_name_in(const char *const *names, int value, const char *otherwise) {
    for (int k = 0; names[k]; k++)
        if (k == value)
            return names[k];
    return otherwise;
}

VS_NAMES(vs_model, VS_MODEL_EXACT, "relaxed", "frictionless", "exact")
VS_NAMES(vs_status, VS_STATUS_OVERFLOW, "converged", "inaccurate", "iteration_limit", "time_limit", "stopped",
         "infeasible_joints", "breakdown", "overflow")
VS_NAMES(vs_criterion, VS_CRITERION_ENERGY, "both", "energy")
VS_NAMES(vs_warm_start, VS_WARM_START_NONE, "full", "partial", "none")
VS_NAMES(vs_form, VS_FORM_IMPULSE, "auto", "velocity", "augmented", "impulse")
VS_NAMES(vs_start, VS_START_LEAST_SQUARES, "auto", "nocedal", "dapuzzo", "least-squares")
VS_NAMES(vs_sweep, VS_SWEEP_COLOURED, "forward", "symmetric", "coloured")
VS_NAMES(vs_outer, VS_OUTER_PLAIN, "anderson", "plain")
VS_NAMES(vs_fallback, VS_FALLBACK_RELAXED, "least-error", "compliant", "relaxed")
