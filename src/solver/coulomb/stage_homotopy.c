// The stages of the cascade that solve nearby problems on the way to the one that is asked for, or in its place: see
// homotopy.h.
#include "solver/coulomb/cascade_create.h"

vs_stage_end vs_stage_compliance_homotopy(vs_cascade *c, int k, int iterations) {
    if (!vs_cascade_need_path(c))
        return VS_STAGE_STOPPED;
    return vs_homotopy_compliance(&c->homotopy, &c->progress, k, iterations);
}

vs_stage_end vs_stage_friction_homotopy(vs_cascade *c, int k, int iterations) {
    if (!vs_cascade_need_path(c))
        return VS_STAGE_STOPPED;
    return vs_homotopy_friction(&c->homotopy, &c->progress, k, iterations);
}

vs_stage_end vs_stage_compliant_fallback(vs_cascade *c, int k, int iterations) {
    if (!vs_cascade_need_path(c))
        return VS_STAGE_STOPPED;
    c->progress.reason = "solved with compliance before";
    if (c->homotopy.softness[k] > 0)
        return VS_STAGE_FAILED;
    return vs_homotopy_soften(&c->homotopy, &c->progress, k, iterations);
}
