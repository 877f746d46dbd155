// Following the central path by arclength: see central_path.h.
//
// An iteration factors the Newton matrix, finds the tangent and steps along it in the sense that the sign of the
// determinant tells. A tangent that turns back by more than a step explains means that the iterate jumped to another
// branch: it retreats to the last well centred point and leaves it with a shorter step.
#include "solver/coulomb/path/central_path.h"

#include <math.h>
#include <string.h>

#include "solver/coulomb/path/central_path_direction.h"
#include "solver/coulomb/path/central_path_point.h"
#include "solver/coulomb/path/central_path_step.h"
#include "solver/coulomb/semismooth_newton.h"

const vs_central_path_settings vs_central_path_wide[] = {{.kappa = 10, .eta = 3, .low = .1, .high = 10}};
const vs_central_path_settings vs_central_path_narrow[] = {{.kappa = 10, .eta = .3, .low = .3, .high = 3.3},
                                                           {.kappa = 30, .eta = .3, .low = .3, .high = 3.3},
                                                           {.kappa = 100, .eta = .3, .low = .3, .high = 3.3}};
const vs_central_path_settings vs_central_path_extended[] = {{.kappa = 10, .eta = .3, .low = .3, .high = 3.3},
                                                             {.kappa = 30, .eta = .3, .low = .5, .high = 2},
                                                             {.kappa = 3, .eta = .3, .low = .3, .high = 3.3},
                                                             {.kappa = 100, .eta = .3, .low = .3, .high = 3.3}};
const vs_central_path_settings vs_central_path_exhaustive[] = {{.kappa = 10, .eta = .1, .low = .5, .high = 2},
                                                               {.kappa = 30, .eta = .1, .low = .5, .high = 2}};

static const double POLISH = 1e-6;   // error below which Newton's method is tried
static const double TURN = -.2;      // cosine between tangents that means a jump to another branch
static const double LEAST_T = 1e-18; // where rounding ends the path
static const double RETREAT = .25;   // shortening of the step after a retreat
enum { RETREATS = 8, BENDS = 2 };    // from one anchor: in all, because of turns

// ---- one iteration -----------------------------------------------------------------------------------

// Between the last tangent and the present one, each in its sense.
static double cosine(const vs_central_path *path, double sense) {
    double ab = 0, aa = 0, bb = 0;
    for (int k = 0; k < path->rows; k++) {
        ab += path->last[k] * path->tangent.dl[k];
        aa += path->last[k] * path->last[k];
        bb += path->tangent.dl[k] * path->tangent.dl[k];
    }
    return aa > 0 && bb > 0 ? path->last_sense * sense * ab / sqrt(aa * bb) : 1;
}

// Is the iterate so close to the path that it can be returned to?
static bool is_centred(const vs_central_path *path, const vs_impulse_problem *island,
                       const vs_central_path_settings *settings) {
    double least, most;
    vs_path_centrality(path, island, settings->kappa, &least, &most);
    return least >= sqrt(settings->low) && most <= sqrt(settings->high);
}

// Back to the last well centred iterate, to leave it with a shorter step; fails if that was done too often.
static vs_error retreat(vs_central_path *path) {
    vs_path_copy(path, &path->anchor, &path->now);
    path->retreats++;
    path->shorten = fmin(path->shorten, path->anchor_shorten) * RETREAT;
    path->anchor_shorten = path->shorten;
    path->last_sense = 0; // there is nothing to compare the next tangent with
    return path->retreats <= RETREATS ? VS_OK : VS_ERROR_NUMERICAL;
}

static void keep_anchor(vs_central_path *path) {
    vs_path_copy(path, &path->now, &path->anchor);
    path->anchor_shorten = path->shorten;
    path->retreats = 0;
}

vs_error vs_path_iterate(vs_central_path *path, const vs_progress *progress, const vs_central_path_settings *settings,
                         bool *moved) {
    const vs_impulse_problem *island = progress->island;
    *moved = false;
    vs_error error = vs_path_factor(path, progress);
    if (!error)
        error = vs_path_tangent(path, progress, settings->kappa);
    if (error)
        return error;
    double sense = progress->system->sign_det < 0 ? 1 : -1;
    bool turned = path->last_sense != 0 && cosine(path, sense) < TURN;
    // Repeatedly at the same place it is a sharp bend, where branches of the path almost touch: continue there.
    if (turned && path->retreats < BENDS)
        return retreat(path);
    path->turns += path->last_sense * sense < 0;
    if (is_centred(path, island, settings) && path->last_sense != 0)
        keep_anchor(path);
    memcpy(path->last, path->tangent.dl, sizeof(double) * (size_t)path->rows);
    path->last_sense = sense;
    vs_path_copy(path, &path->now, &path->kept);
    error = vs_path_find_step(path, progress, settings, sense);
    if (error)
        return error;
    double taken = vs_path_advance(path, island, settings, &path->corrector);
    if (taken == 0)
        return retreat(path);
    *moved = true;
    path->shorten = taken < .5 ? .5 * path->shorten : fmin(1, 2 * path->shorten);
    return VS_OK;
}

// ---- the path ----------------------------------------------------------------------------------------

void vs_path_begin(vs_central_path *path, const vs_impulse_problem *island, const vs_central_path_settings *settings) {
    path->last_sense = 0;
    path->shorten = path->anchor_shorten = 1;
    path->retreats = path->turns = 0;
    vs_path_start(path, island, settings->kappa);
    vs_path_copy(path, &path->now, &path->anchor);
}

// Evaluates the iterate and, close to the solution, tries Newton's method from it. VS_STAGE_FAILED: not solved yet.
static vs_stage_end check_iterate(vs_central_path *path, vs_progress *progress, double *polish) {
    vs_path_evaluate(path, progress->island);
    double reached = vs_progress_evaluate(progress, path->impulses, path->velocities, 1);
    if (progress->stopped)
        return VS_STAGE_STOPPED;
    if (vs_progress_solved(progress))
        return VS_STAGE_SOLVED;
    if (!(reached < *polish))
        return VS_STAGE_FAILED;
    *polish = .1 * reached;
    return vs_semismooth_solve(&vs_semismooth_polish, progress, path->impulses);
}

static vs_stage_end end(const vs_central_path *path, vs_progress *progress, vs_error error) {
    if (error && error != VS_ERROR_NUMERICAL) {
        progress->failure = error;
        return VS_STAGE_STOPPED;
    }
    progress->reason = "the path used up its iterations";
    if (error)
        progress->reason = path->retreats > RETREATS ? "the path could not be followed round a fold"
                                                     : "a matrix on the path is singular";
    else if (path->now.t < LEAST_T)
        progress->reason = "the path ended before the tolerance: rounding";
    else if (path->turns > 0)
        progress->reason = "the path used up its iterations in its folds";
    return VS_STAGE_FAILED;
}

// Pairs are of three rows, and each disc has a radius.
static bool has_pairs(const vs_impulse_problem *island) {
    for (int g = 0; g < island->groups && island->discs; g++) {
        if (island->law[g] != VS_LAW_ROLLING)
            continue;
        const vs_discs *d = &island->discs[g];
        if (vs_discs_are_one(d))
            return false;
        for (int k = 0, first; k < VS_DISC_COUNT; k++)
            if (vs_discs_range(d, k, &first) > 0 && !(d->mu[k] > 0))
                return false;
    }
    return true;
}

vs_stage_end vs_central_path_follow(vs_central_path *path, const vs_central_path_settings *settings, int iterations,
                                    vs_progress *progress) {
    double polish = POLISH;
    vs_error error = VS_OK;
    progress->reason = "friction that is elliptic, or absent in a direction, has no central path";
    if (!has_pairs(progress->island))
        return VS_STAGE_FAILED;
    vs_path_begin(path, progress->island, settings);
    for (int k = 0; k < iterations && !error && !(path->now.t < LEAST_T); k++) {
        bool moved;
        if (vs_progress_late(progress, k == 0))
            return VS_STAGE_STOPPED;
        error = vs_path_iterate(path, progress, settings, &moved);
        if (error || !moved)
            continue;
        vs_stage_end outcome = check_iterate(path, progress, &polish);
        if (outcome != VS_STAGE_FAILED)
            return outcome;
    }
    return end(path, progress, error);
}
