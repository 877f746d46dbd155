// The stages of the cascade that are proximal point methods: from the best iterate so far, and from the start with the
// other friction map.
#include "solver/coulomb/cascade_data.h"
#include "solver/coulomb/proximal_point.h"

vs_stage_end vs_stage_proximal_point(vs_cascade *c, int k, int iterations) {
    (void)k;
    vs_proximal_options options = vs_proximal_natural;
    options.factorizations = iterations;
    return vs_proximal_solve(&options, &c->progress, c->progress.l);
}

vs_stage_end vs_stage_proximal_point_restart(vs_cascade *c, int k, int iterations) {
    (void)k;
    vs_proximal_options options = vs_proximal_alart_curnier;
    options.factorizations = iterations;
    return vs_proximal_solve(&options, &c->progress, c->progress.start);
}
