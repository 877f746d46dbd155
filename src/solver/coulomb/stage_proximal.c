// The stages of the cascade that are proximal point methods: from the best iterate so far, for small and for loose tolerances,
// and from the start with the other friction map.
#include "solver/coulomb/cascade_create.h"
#include "solver/coulomb/cascade_stage.h"
#include "solver/coulomb/interior/interior.h"
#include "solver/coulomb/interior/interior_start.h"
#include "solver/coulomb/proximal_point.h"

static const double FEW_DIGITS = 100; // error over tolerance

vs_stage_end vs_stage_proximal_point(vs_cascade *c, int k, int iterations) {
    (void)k;
    vs_proximal_options options = vs_proximal_natural;
    options.factorizations = iterations;
    return vs_proximal_solve(&options, &c->progress, c->progress.l);
}

// After a warm start, with few digits left: masonry in motion.
static bool is_moving_masonry(const vs_cascade *c) {
    const vs_progress *progress = &c->progress;
    return c->run->warm_lambda && progress->error <= FEW_DIGITS * progress->tolerance &&
           vs_cascade_is_masonry(progress->island);
}

// The last digits after sweeps. In small walls that move as many factorizations as the long stage has: see stage.h. Not after a cold
// start: the central path's impulses are better ones to stand with.
vs_stage_end vs_stage_proximal_point_short(vs_cascade *c, int k, int iterations) {
    if (is_moving_masonry(c) && c->progress.island->contacts < VS_STAGE_LARGE) {
        const int budget = vs_cascade_budget(c, k), most = vs_stages[VS_STAGE_PROXIMAL_POINT].iterations;
        iterations = budget < most ? budget : most;
    }
    return vs_stage_proximal_point(c, k, iterations);
}

static bool is_large_wall(const vs_cascade *c) {
    return is_moving_masonry(c) && c->progress.island->contacts >= VS_STAGE_LARGE;
}

// Large walls that move: many contacts change their state at once. See interior/interior.h.
vs_stage_end vs_stage_interior_centre(vs_cascade *c, int k, int iterations) {
    (void)k;
    c->progress.reason = "other stages are better but for large walls that move";
    if (!is_large_wall(c) || !vs_interior_suits(c->progress.island))
        return VS_STAGE_FAILED;
    if (!vs_cascade_need_interior(c))
        return VS_STAGE_STOPPED;
    return vs_interior_solve(c->interior, iterations, &c->progress);
}

// And what it leaves, as in small walls.
vs_stage_end vs_stage_proximal_point_masonry(vs_cascade *c, int k, int iterations) {
    c->progress.reason = "the central path is better";
    return is_large_wall(c) ? vs_stage_proximal_point(c, k, iterations) : VS_STAGE_FAILED;
}

// After sweeps that ended near a solution which they leave again, as one that is an unstable fixed point of theirs, or that creep
// on along a soft direction. Newton's method without centres runs off along it. To a loose tolerance, and with rolling
// friction to any, with all the patience that there is: the central path takes hundreds of factorizations there, in vain.
vs_stage_end vs_stage_proximal_point_near(vs_cascade *c, int k, int iterations) {
    vs_progress *progress = &c->progress;
    const bool rolling = vs_progress_is_rolling(progress);
    if (!rolling && !vs_progress_is_rough(progress))
        return VS_STAGE_FAILED;
    vs_proximal_options options = vs_proximal_swept;
    options.factorizations = rolling ? vs_cascade_budget(c, k) : iterations;
    return vs_proximal_solve(&options, progress, progress->l);
}

vs_stage_end vs_stage_proximal_point_restart(vs_cascade *c, int k, int iterations) {
    (void)k;
    vs_proximal_options options = vs_proximal_alart_curnier;
    options.factorizations = iterations;
    return vs_proximal_solve(&options, &c->progress, c->progress.start);
}
