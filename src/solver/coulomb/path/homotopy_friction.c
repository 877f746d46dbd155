// The homotopy in friction: see homotopy.h. The share of the friction coefficients is raised in steps whose length
// adapts to the success of Newton's method.
#include <math.h>
#include <string.h>

#include "solver/coulomb/path/homotopy.h"
#include "solver/impulse/group_law.h"
#include "solver/coulomb/semismooth_newton.h"

static const double NEARBY = 1e-6; // tolerance of a nearby problem, unless more is allowed
static const double FIRST = .1;    // share of the friction to begin with, and the first step
static const double LONGER = 1.5, SHORTER = .4, JUMP = 6;
static const double LEAST = 1e-4; // step that is given up

static void set_friction(const vs_homotopy *h, vs_impulse_problem *island, double share) {
    for (int g = 0; g < island->groups; g++)
        island->mu[g] = share * h->mu[g];
}

// Newton's method with a share of the friction from the kept solution; keeps the new one.
static vs_stage_end solve_share(vs_homotopy *h, vs_impulse_problem *island, vs_progress *progress, double share) {
    vs_progress nearby = vs_homotopy_begin(h, progress, NEARBY);
    set_friction(h, island, share);
    memcpy(h->l, h->kept, sizeof(double) * (size_t)island->rows);
    vs_impulse_project(island, h->l);
    vs_stage_end outcome = vs_semismooth_solve(&vs_semismooth_cold, &nearby, h->l);
    if (outcome == VS_STAGE_SOLVED)
        memcpy(h->kept, h->l, sizeof(double) * (size_t)island->rows);
    set_friction(h, island, 1);
    return vs_homotopy_end(&nearby, progress, outcome);
}

vs_stage_end vs_homotopy_friction(vs_homotopy *h, vs_progress *progress, int k, int steps) {
    vs_impulse_problem *island = &h->islands->island[k];
    double share = 0, step = FIRST;
    int failures = 0;
    memcpy(h->mu, island->mu, sizeof(double) * (size_t)island->groups);
    memset(h->kept, 0, sizeof(double) * (size_t)island->rows);
    for (int j = 0; j < steps && step > LEAST; j++) {
        double next = fmin(1, share + step);
        vs_stage_end outcome = solve_share(h, island, progress, next);
        if (outcome == VS_STAGE_STOPPED)
            return outcome;
        if (outcome == VS_STAGE_SOLVED && next == 1)
            return vs_semismooth_solve(&vs_semismooth_cold, progress, h->kept);
        if (outcome == VS_STAGE_SOLVED) {
            share = next;
            step *= LONGER;
            failures = 0;
        } else {
            // every third failure in a row jumps: there may be a fold in between
            failures++;
            step *= failures % 3 == 0 ? JUMP : SHORTER;
        }
    }
    progress->reason = "friction could not be raised to its full value";
    return VS_STAGE_FAILED;
}
