// The stages of the cascade that are semismooth Newton, from where the solve began: sweeps that did not converge are not a
// better start (measured).
#include "solver/coulomb/cascade_data.h"
#include "solver/coulomb/semismooth_newton.h"

static vs_stage_end solve(vs_cascade *c, vs_semismooth_options options, int iterations) {
    options.iterations = iterations;
    return vs_semismooth_solve(&options, &c->progress, c->progress.start);
}

// Joints alone are linear: the error after one solve is rounding, of the impulses or of rows that contradict each other.
vs_stage_end vs_stage_linear(vs_cascade *c, int k, int iterations) {
    vs_stage_end outcome = solve(c, vs_semismooth_firm, iterations);
    c->rounded[k] = outcome == VS_STAGE_FAILED;
    return outcome;
}

vs_stage_end vs_stage_firm_newton(vs_cascade *c, int k, int iterations) {
    (void)k;
    return solve(c, vs_semismooth_firm, iterations);
}

vs_stage_end vs_stage_semismooth_newton(vs_cascade *c, int k, int iterations) {
    (void)k;
    vs_stage_end outcome = solve(c, vs_semismooth_cold, iterations);
    return outcome == VS_STAGE_FAILED ? solve(c, vs_semismooth_firm, vs_semismooth_firm.iterations) : outcome;
}
