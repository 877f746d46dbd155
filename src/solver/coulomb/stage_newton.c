// The stage of the cascade that is semismooth Newton, from where the solve began: sweeps that did not converge are not a
// better start (measured).
#include "solver/coulomb/cascade_data.h"
#include "solver/coulomb/semismooth_newton.h"

vs_outcome vs_stage_semismooth_newton(vs_cascade *c, int k, int iterations) {
    vs_progress *progress = &c->progress;
    if (progress->island->contacts == 0) {
        // Joints alone are linear: the error after one solve is rounding, of the impulses or of rows that contradict
        // each other.
        vs_outcome outcome = vs_semismooth_solve(&vs_semismooth_firm, progress, progress->start);
        c->rounded[k] = outcome == VS_OUTCOME_FAILED;
        return outcome;
    }
    vs_semismooth_options cold = vs_semismooth_cold;
    cold.iterations = iterations;
    vs_outcome outcome = vs_semismooth_solve(&cold, progress, progress->start);
    return outcome == VS_OUTCOME_FAILED ? vs_semismooth_solve(&vs_semismooth_firm, progress, progress->start) : outcome;
}
