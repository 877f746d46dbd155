// Options of a solver: defaults and ranges.
#include "solver/options.h"

#include <math.h>

#include "base/context.h"

vs_solver_options vs_solver_options_default(void) {
    return (vs_solver_options){
        .model = VS_MODEL_EXACT,
        .linear_solver = "auto",
        .tolerance = 1e-8,
        .max_iterations = -1,
        .ipm = {.correctors = -1},
    };
}

vs_error vs_tolerance_validate(double tolerance, vs_context *context) {
    if (tolerance > 0 && !isinf(tolerance))
        return VS_OK;
    return vs_fail(context, VS_ERROR_ARGUMENT, "tolerance: must be positive and finite, is %g", tolerance);
}

vs_error vs_solver_options_validate(const vs_solver_options *options, vs_context *context) {
    const struct {
        const char *name;
        unsigned value, last;
    } choices[] = {
        {"model", (unsigned)options->model, VS_MODEL_EXACT},
        {"method", (unsigned)options->method, (unsigned)vs_method_count() - 1},
        {"form", (unsigned)options->form, VS_FORM_IMPULSE},
        {"criterion", (unsigned)options->criterion, VS_CRITERION_ENERGY},
        {"start", (unsigned)options->ipm.start, VS_START_LEAST_SQUARES},
        {"warm_start", (unsigned)options->warm_start, VS_WARM_START_NONE},
        {"fallback", (unsigned)options->exact.fallback, VS_FALLBACK_RELAXED},
        {"sweep", (unsigned)options->gauss_seidel.sweep, VS_SWEEP_COLOURED},
        {"outer", (unsigned)options->exact.outer, VS_OUTER_PLAIN},
    };
    for (size_t k = 0; k < sizeof choices / sizeof *choices; k++)
        if (choices[k].value > choices[k].last)
            return vs_fail(context, VS_ERROR_ARGUMENT, "%s: unknown value %d", choices[k].name, (int)choices[k].value);
    vs_error error = vs_tolerance_validate(options->tolerance, context);
    if (error)
        return error;
    if (!(options->granular_tolerance >= 0) || isinf(options->granular_tolerance))
        return vs_fail(context, VS_ERROR_ARGUMENT, "granular_tolerance: must be finite and not negative, is %g",
                       options->granular_tolerance);
    if (options->exact.patience < 0)
        return vs_fail(context, VS_ERROR_ARGUMENT, "patience: must not be negative, is %d", options->exact.patience);
    if (options->max_iterations < -1)
        return vs_fail(context, VS_ERROR_ARGUMENT, "max_iterations: must be at least -1, is %d",
                       options->max_iterations);
    if (!(options->max_time >= 0))
        return vs_fail(context, VS_ERROR_ARGUMENT, "max_time: must not be negative, is %g", options->max_time);
    if (options->ipm.correctors < -1 || options->ipm.correctors > 10)
        return vs_fail(context, VS_ERROR_ARGUMENT, "correctors: must be -1 … 10, is %d", options->ipm.correctors);
    const double relaxations[] = {options->gauss_seidel.relaxation, options->jacobi.relaxation};
    for (size_t k = 0; k < sizeof relaxations / sizeof *relaxations; k++)
        if (!(relaxations[k] >= 0 && relaxations[k] < 2))
            return vs_fail(context, VS_ERROR_ARGUMENT, "relaxation: must be 0 (choose) or between 0 and 2, is %g",
                           relaxations[k]);
    if (options->check_every < 0)
        return vs_fail(context, VS_ERROR_ARGUMENT, "check_every: must not be negative, is %d", options->check_every);
    return VS_OK;
}
