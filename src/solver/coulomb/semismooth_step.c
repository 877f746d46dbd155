// A step of Newton's method on the friction map: see semismooth_step.h.
#include "solver/coulomb/semismooth_step.h"

#include <math.h>

#include "solver/impulse/operator.h"

enum { HALVINGS = 8, RAISES = 4 };

vs_semismooth_iterate vs_semismooth_iterate_of(const vs_progress *progress) {
    double *const *w = progress->work, *const *blocks = progress->blocks;
    return (vs_semismooth_iterate){w[0], w[1], w[2], w[3], w[4], w[5], w[6], w[7], blocks[0], blocks[1], blocks[2]};
}

// Factors with alpha, multiplied by a hundred each time the matrix is singular.
static vs_error factor(const vs_progress *progress, const vs_semismooth_iterate *s, double alpha) {
    int64_t entries = vs_impulse_block(progress->island, progress->island->groups);
    vs_counts *counts = progress->system->shared.counts;
    vs_error error = VS_ERROR_NUMERICAL;
    for (int k = 0; k < RAISES && error == VS_ERROR_NUMERICAL; k++) {
        for (int64_t j = 0; j < entries; j++)
            s->P[j] = s->A[j] + alpha * s->B[j];
        error = vs_linear_system_factor(progress->system, s->P, s->B);
        if (!error)
            counts->regularization = fmax(counts->regularization, alpha);
        alpha *= 100;
    }
    return error;
}

vs_error vs_semismooth_direction(const vs_progress *progress, const vs_semismooth_iterate *s, double alpha) {
    vs_error error = factor(progress, s, alpha);
    for (int j = 0; j < progress->island->rows; j++)
        s->d[j] = -s->F[j];
    if (!error)
        error = vs_linear_system_solve(progress->system, s->d);
    if (!error)
        vs_impulse_multiply(progress->island, s->d, s->Nd);
    return error;
}

static double try_step(vs_friction_map map, const vs_impulse_problem *island, const vs_semismooth_iterate *s,
                       double t) {
    for (int k = 0; k < island->rows; k++) {
        s->trial_l[k] = s->l[k] + t * s->d[k];
        s->trial_y[k] = s->y[k] + t * s->Nd[k];
    }
    double square = vs_friction_map_evaluate(island, map, s->trial_l, s->trial_y, s->trial_F, NULL, NULL);
    return isfinite(square) ? sqrt(square) : INFINITY;
}

double vs_semismooth_search(vs_friction_map map, const vs_impulse_problem *island, const vs_semismooth_iterate *s,
                            double reference, double *reached) {
    double best = INFINITY, best_t = 1, t = 1;
    for (int k = 0; k <= HALVINGS; k++) {
        double size = try_step(map, island, s, t);
        if (size <= (1 - 1e-3 * t) * reference) {
            *reached = size;
            return t;
        }
        if (size < best) {
            best = size;
            best_t = t;
        }
        t /= 2;
    }
    *reached = try_step(map, island, s, best_t);
    return best_t;
}

double vs_semismooth_reference(double last[VS_SEMISMOOTH_MEMORY], int k, double size) {
    double reference = 0;
    last[k % VS_SEMISMOOTH_MEMORY] = size;
    for (int j = 0; j <= k && j < VS_SEMISMOOTH_MEMORY; j++)
        reference = fmax(reference, last[j]);
    return reference;
}
