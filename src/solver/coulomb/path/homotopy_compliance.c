// The homotopy in compliance: see homotopy.h. A little compliance removes many folds of the central path.
#include <string.h>

#include "solver/coulomb/path/homotopy.h"
#include "solver/coulomb/semismooth_newton.h"

// In units of a. From 1e-5 Newton's method reaches the rigid problem in a few steps, from 1e-4 never (measured).
static const double SMALL[] = {1e-6, 1e-5, 1e-7};
static const double DOWNWARDS[] = {1e-1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6};
static const double NEARBY = 1e-8; // tolerance of a nearby problem, unless more is allowed
enum { WIDE_ITERATIONS = 60 };     // of the first try, with long steps

// The central path with compliance epsilon: long steps first, then short ones.
static vs_stage_end solve_compliant(vs_homotopy *h, vs_progress *progress, int k, double epsilon, int iterations) {
    vs_impulse_problem *island = &h->islands->island[k];
    vs_progress nearby = vs_homotopy_begin(h, progress, NEARBY);
    island->epsilon = epsilon;
    vs_stage_end outcome = vs_central_path_follow(h->path, &vs_central_path_wide[0], WIDE_ITERATIONS, &nearby);
    if (outcome == VS_STAGE_FAILED)
        outcome = vs_central_path_follow(h->path, &vs_central_path_narrow[0], iterations, &nearby);
    island->epsilon = 0;
    return vs_homotopy_end(&nearby, progress, outcome);
}

static void keep_soft(vs_homotopy *h, int k, double epsilon) {
    if (h->softness[k] > 0 && h->softness[k] <= epsilon)
        return;
    h->softness[k] = epsilon;
    memcpy(h->soft + h->first[k], h->l, sizeof(double) * (size_t)h->islands->island[k].rows);
}

vs_stage_end vs_homotopy_compliance(vs_homotopy *h, vs_progress *progress, int k, int iterations) {
    for (size_t j = 0; j < sizeof SMALL / sizeof *SMALL; j++) {
        vs_stage_end outcome = solve_compliant(h, progress, k, SMALL[j], iterations);
        if (outcome == VS_STAGE_STOPPED)
            return outcome;
        if (outcome == VS_STAGE_FAILED)
            continue;
        keep_soft(h, k, SMALL[j]);
        outcome = vs_semismooth_solve(&vs_semismooth_cold, progress, h->l);
        if (outcome != VS_STAGE_FAILED)
            return outcome;
    }
    progress->reason = h->softness[k] > 0 ? "solved with compliance only: no way to the rigid problem was found"
                                          : "not even the compliant problems were solved";
    return VS_STAGE_FAILED;
}

vs_stage_end vs_homotopy_soften(vs_homotopy *h, vs_progress *progress, int k, int iterations) {
    vs_stage_end outcome = VS_STAGE_SOLVED;
    for (size_t j = 0; j < sizeof DOWNWARDS / sizeof *DOWNWARDS && outcome == VS_STAGE_SOLVED; j++) {
        outcome = solve_compliant(h, progress, k, DOWNWARDS[j], iterations);
        if (outcome == VS_STAGE_SOLVED)
            keep_soft(h, k, DOWNWARDS[j]);
    }
    progress->reason = h->softness[k] > 0 ? "solved with compliance" : "not solved with compliance either";
    return outcome == VS_STAGE_STOPPED ? outcome : VS_STAGE_FAILED;
}
