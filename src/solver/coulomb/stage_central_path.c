// The stages of the cascade that follow the central path: settings from long to short steps, several kappas each, until
// one of them reaches the solution.
#include "solver/coulomb/cascade_create.h"

static vs_stage_end follow(vs_cascade *c, const vs_central_path_settings *settings, int count, int iterations) {
    vs_stage_end outcome = vs_cascade_need_path(c) ? VS_STAGE_FAILED : VS_STAGE_STOPPED;
    for (int j = 0; j < count && outcome == VS_STAGE_FAILED; j++)
        outcome = vs_central_path_follow(c->path, &settings[j], iterations, &c->progress);
    return outcome;
}

vs_stage_end vs_stage_central_path(vs_cascade *c, int k, int iterations) {
    (void)k;
    return follow(c, vs_central_path_wide, VS_CENTRAL_PATH_WIDE, iterations);
}

vs_stage_end vs_stage_central_path_narrow(vs_cascade *c, int k, int iterations) {
    (void)k;
    return follow(c, vs_central_path_narrow, VS_CENTRAL_PATH_NARROW, iterations);
}

vs_stage_end vs_stage_central_path_extended(vs_cascade *c, int k, int iterations) {
    (void)k;
    return follow(c, vs_central_path_extended, VS_CENTRAL_PATH_EXTENDED, iterations);
}

vs_stage_end vs_stage_central_path_exhaustive(vs_cascade *c, int k, int iterations) {
    (void)k;
    return follow(c, vs_central_path_exhaustive, VS_CENTRAL_PATH_EXHAUSTIVE, iterations);
}
