// The iterations of the interior point method around a centre: see interior.h. Constants were chosen on falling walls of 128 and of 173
// bricks (bench/results/size.md).
#include "solver/coulomb/interior/interior.h"

#include <math.h>
#include <string.h>

#include "solver/coulomb/interior/interior_direction.h"
#include "solver/coulomb/interior/interior_start.h"
#include "solver/impulse/operator.h"

static const double START = 50, START_MOST = 1e-2; // root of the first products: times the error, at most
static const double CLEAR = 10, CLEAR_MOST = 1e-4; // slip of contacts that slide for sure: times the error, at most
static const double SHARE = .3, FAR = 3;           // alpha |l - c| over the tolerance; |l - c| that is too far
static const double ALPHA_MOST = 10;               // times the tolerance
static const double RECENTRE = .3;                 // residuals over alpha |l - c| from which the centre follows
static const double SIGMA_LEAST = 1e-4;            // of the mean product that a step aims at
static const double FRACTION = .95;                // of the way to the boundary
static const double SETTLED = .3, STAYS = .7,
                    LONG = .5; // slips are taken anew: residuals over error, error over the last, step
static const double NEAR = 30; // and the error over the tolerance, at most
static const double LEAST_STEP = 1e-3, FALL = .9; // shorter steps lead nowhere; a fall of the error that is progress
enum { SHORT_STEPS = 3, PATIENCE = 15 };          // in a row; iterations without progress

// What is kept from one iteration to the next.
typedef struct course {
    bool follow;        // the centre follows the iterate; else alpha falls
    double clear;       // slip of contacts that slide
    double last, least; // error
    double step;        // length of the last one
    int since, shorts;  // iterations since the error fell; short steps in a row
} course;

// The centre and alpha for the iterate. False: it went too far for a solution to be near.
static bool choose_centre(vs_interior *in, const vs_progress *progress, const course *c) {
    const int rows = progress->island->rows;
    double square = 0;
    for (int k = 0; k < rows; k++)
        square += (in->l[k] - in->centre[k]) * (in->l[k] - in->centre[k]);
    const double move = sqrt(square), wanted = SHARE * progress->tolerance;
    in->alpha = ALPHA_MOST * progress->tolerance;
    if (!c->follow) {
        in->alpha = fmin(in->alpha, wanted / move);
        return move <= FAR;
    }
    if (in->left < RECENTRE * in->alpha * move && in->alpha * move > wanted)
        memcpy(in->centre, in->l, sizeof(double) * (size_t)rows);
    return true;
}

// Velocities, error and residuals of the iterate. False: solved, stopped or astray.
static bool evaluate(vs_interior *in, vs_progress *progress, course *c) {
    const vs_impulse_problem *island = progress->island;
    vs_impulse_velocities(island, in->l, in->y);
    const double error = vs_progress_evaluate(progress, in->l, in->y, 1);
    if (vs_progress_solved(progress) || progress->stopped || !choose_centre(in, progress, c))
        return false;
    const bool settled = SETTLED * error > in->left && error > STAYS * c->last && c->step > LONG;
    if (settled && error < NEAR * progress->tolerance)
        vs_interior_renew_slip(in, island);
    for (int k = 0; k < island->rows; k++)
        in->y[k] += in->alpha * (in->l[k] - in->centre[k]);
    if (c->step > 0 && !vs_interior_review(in, island, c->clear))
        return false;
    vs_interior_measure(in, island);
    c->last = error;
    c->since = error < FALL * c->least ? 0 : c->since + 1;
    c->least = fmin(c->least, error);
    return c->since <= PATIENCE;
}

// One step. False: it led astray.
static bool advance(vs_interior *in, vs_progress *progress, course *c, vs_error *error) {
    const vs_impulse_problem *island = progress->island;
    *error = vs_interior_factor(in, progress);
    if (!*error)
        *error = vs_interior_predict(in, progress);
    if (*error)
        return false;
    const double after = vs_interior_tau_after(in, island, vs_interior_step(in, island, 1)) / in->tau;
    *error = vs_interior_correct(in, progress, fmin(1, fmax(after * after * after, SIGMA_LEAST)));
    if (*error)
        return false;
    c->step = vs_interior_step(in, island, FRACTION);
    c->shorts = c->step < LEAST_STEP ? c->shorts + 1 : 0;
    return c->step > 0 && vs_interior_move(in, island, c->step) && c->shorts < SHORT_STEPS;
}

// From the best iterate.
static bool start(vs_interior *in, const vs_progress *progress, double clear) {
    const vs_impulse_problem *island = progress->island;
    const size_t bytes = sizeof(double) * (size_t)island->rows;
    const double root = fmin(START * progress->error, START_MOST);
    in->P = progress->blocks[0];
    in->Q = progress->blocks[1];
    in->left = INFINITY;
    memcpy(in->centre, progress->l, bytes);
    memcpy(in->l, progress->l, bytes);
    vs_impulse_velocities(island, in->l, in->y);
    if (!vs_interior_start(in, island, root * root, clear))
        return false;
    vs_impulse_velocities(island, in->l, in->y);
    vs_interior_keep_slip(in, island);
    return true;
}

static vs_stage_end solve(vs_interior *in, int iterations, vs_progress *progress, bool follow) {
    course c = {
        .follow = follow, .clear = fmin(CLEAR * progress->error, CLEAR_MOST), .last = INFINITY, .least = INFINITY};
    vs_error error = VS_OK;
    bool good = start(in, progress, c.clear);
    progress->reason = "the interior point method made no more progress";
    for (int k = 0; k < iterations && good && evaluate(in, progress, &c); k++) {
        if (vs_progress_late(progress, k == 0))
            break;
        good = advance(in, progress, &c, &error);
    }
    if (error && error != VS_ERROR_NUMERICAL) {
        progress->failure = error;
        progress->stopped = true;
    }
    return vs_progress_solved(progress) ? VS_STAGE_SOLVED : progress->stopped ? VS_STAGE_STOPPED : VS_STAGE_FAILED;
}

vs_stage_end vs_interior_solve(vs_interior *in, int iterations, vs_progress *progress) {
    vs_counts *counts = progress->system->shared.counts;
    const int before = counts->factorizations;
    vs_stage_end end = solve(in, iterations, progress, false);
    const int left = iterations - (counts->factorizations - before);
    return end == VS_STAGE_FAILED && left > 0 ? solve(in, left, progress, true) : end;
}
