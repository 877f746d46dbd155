// The least that an island gets: see cascade_least.h.
//
// Impulses of zero are a bad result of a step: bodies fall through each other. Sweeps of Gauss-Seidel are a good one,
// however few. With w = r'l and q = l'(N + E) l the kinetic energy after the step is
//
//     T(l) = T(0) + w + q/2 + b'l
//
// where b'l is work that is done by what moves or pushes contacts apart. Every visit of a contact lowers w + q/2 (up to the
// change of its friction bound), and so sweeps that begin with w + q/2 <= 0 create no energy. The impulses of the last
// step may begin with more: they are scaled to where w + q/2 is least along their ray.
#include "solver/coulomb/cascade_least.h"

#include "solver/coulomb/cascade_stage.h"
#include "solver/impulse/evaluation.h"
#include "solver/impulse/group_law.h"
#include "solver/impulse/operator.h"

// Scales the impulses of island k if they would create energy. True: they have been.
static bool limit_energy(vs_cascade *c, int k) {
    const vs_impulse_problem *island = &c->islands.island[k];
    double *l = c->l + c->first[k], *y = c->y + c->first[k], w = 0, q = 0;
    for (int i = 0; i < island->rows; i++) {
        w += l[i] * island->r[i];
        q += l[i] * (y[i] - island->r[i]);
    }
    if (!(w + .5 * q > 0))
        return false;
    const double scale = w < 0 && q > 0 ? -w / q : 0;
    for (int i = 0; i < island->rows; i++)
        l[i] *= scale;
    vs_impulse_project(island, l);
    vs_impulse_velocities(island, l, y);
    c->error[k] = vs_impulse_error(island, c->run->options.criterion == VS_CRITERION_BOTH, l, y);
    return true;
}

vs_error vs_cascade_do_least(vs_cascade *c) {
    vs_method_run *run = c->run;
    const vs_status status = run->status;
    const char *reason = run->reason;
    vs_error error = VS_OK;
    if (!vs_method_run_needs_least(run, status))
        return VS_OK;
    for (int k = 0; k < c->islands.count; k++)
        if (vs_cascade_unsolved(c, k) && limit_energy(c, k)) {
            c->swept[k] = 0;
            run->iterations++; // the start is no longer what is measured
        }
    run->obliged = true;
    if (vs_cascade_due(c, VS_STAGE_LEAST_SWEEPS))
        (void)vs_cascade_run_stage(c, VS_STAGE_LEAST_SWEEPS, &error);
    run->obliged = false;
    run->status = status;
    run->reason = reason;
    return error;
}
