// Semismooth Newton: see semismooth_newton.h.
#include "solver/coulomb/semismooth_newton.h"

#include <math.h>
#include <string.h>

#include "base/vector.h"
#include "solver/coulomb/semismooth_step.h"
#include "solver/impulse/operator.h"

static const double CAREFUL = 10, BOLD = .1; // change of the proximal term after a bad and a good step

// The least proximal term: with redundant contacts N is singular, and the rounding of F divided by less than this would
// scatter the impulses (a falling row of dominoes: 240 of 240 problems solved with 1e-7, 237 with 1e-12).
const vs_semismooth_options vs_semismooth_cold = {
    .map = VS_FRICTION_MAP_NATURAL, .alpha_most = .1, .alpha_least = 1e-7, .iterations = 60, .patience = 15};
// A light body between heavy ones makes N nearly singular: with a proximal term that is large against the least
// eigenvalue, impulses would grow by no more than its inverse per iteration.
const vs_semismooth_options vs_semismooth_firm = {
    .map = VS_FRICTION_MAP_ALART_CURNIER, .alpha_most = 1e-9, .alpha_least = 1e-12, .iterations = 30, .patience = 2};
const vs_semismooth_options vs_semismooth_polish = {
    .map = VS_FRICTION_MAP_NATURAL, .alpha_most = 1e-2, .alpha_least = 1e-7, .iterations = 40, .patience = 5};

// The state of the iteration: sizes |F| of the iterates, and the control of the proximal term.
typedef struct history {
    double scale;                      // |r|
    double last[VS_SEMISMOOTH_MEMORY]; // of the last iterates, in a ring
    double least;                      // of all of them
    int since;                         // iterations since it fell by a tenth
    double caution;                    // factor of the proximal term
} history;

static void adapt_caution(history *h, double t, double size, double reached) {
    if (t < .5 || reached > .9 * size)
        h->caution = fmin(h->caution * CAREFUL, 1e12);
    else if (t == 1 && reached < .3 * size)
        h->caution = fmax(h->caution * BOLD, 1);
}

// Gives up iterate k of this size? progress->reason says why.
static bool gives_up(const vs_semismooth_options *options, history *h, int k, double size, vs_progress *progress) {
    h->since = size < .9 * h->least ? 0 : h->since + 1;
    h->least = fmin(h->least, size);
    bool stalled = h->since > options->patience || !isfinite(size);
    progress->reason = stalled ? "Newton's method made no more progress" : "Newton's method used up its iterations";
    return stalled || k >= options->iterations;
}

// One step from iterate k, of residual size |F| = size.
static vs_error step(const vs_semismooth_options *options, const vs_progress *progress, const vs_semismooth_iterate *s,
                     history *h, int k, double size) {
    const vs_impulse_problem *island = progress->island;
    size_t bytes = sizeof(double) * (size_t)island->rows;
    double alpha = fmin(options->alpha_most, fmax(options->alpha_least, h->caution * .01 * size / h->scale));
    vs_error error = vs_semismooth_direction(progress, s, alpha);
    if (error)
        return error;
    double reference = vs_semismooth_reference(h->last, k, size);
    double reached, t = vs_semismooth_search(options->map, island, s, reference, &reached);
    adapt_caution(h, t, size, reached);
    memcpy(s->l, s->trial_l, bytes);
    memcpy(s->y, s->trial_y, bytes);
    return VS_OK;
}

vs_stage_end vs_semismooth_solve(const vs_semismooth_options *options, vs_progress *progress, const double *start) {
    const vs_impulse_problem *island = progress->island;
    vs_semismooth_iterate s = vs_semismooth_iterate_of(progress);
    if (vs_progress_late(progress, true))
        return VS_STAGE_STOPPED;
    memmove(s.l, start, sizeof(double) * (size_t)island->rows);
    vs_impulse_velocities(island, s.l, s.y);
    history h = {.scale = vs_vector_norm(island->rows, island->r), .least = INFINITY, .caution = 1};
    if (!(h.scale > 0))
        h.scale = 1;
    for (int k = 0;; k++) {
        double size = sqrt(vs_friction_map_evaluate(island, options->map, s.l, s.y, s.F, s.A, s.B));
        vs_progress_evaluate(progress, s.l, s.y, 1);
        if (vs_progress_solved(progress))
            return VS_STAGE_SOLVED;
        if (progress->stopped)
            return VS_STAGE_STOPPED;
        if (gives_up(options, &h, k, size, progress))
            return VS_STAGE_FAILED;
        if (k > 0 && vs_progress_late(progress, false))
            return VS_STAGE_STOPPED;
        vs_error error = step(options, progress, &s, &h, k, size);
        if (!error)
            continue;
        progress->reason = "Newton's matrix is singular";
        if (error == VS_ERROR_NUMERICAL)
            return VS_STAGE_FAILED;
        progress->failure = error;
        return VS_STAGE_STOPPED;
    }
}
