// Semismooth Newton: see semismooth.h.
#include "solver/coulomb/semismooth.h"

#include <math.h>
#include <string.h>

enum { MEMORY = 5, HALVINGS = 8, RAISES = 4 };
static const double CAREFUL = 10, BOLD = .1; // change of the proximal term after a bad and a good step

// The least proximal term: with redundant contacts N is singular, and rounding of F divided by less than this would
// throw the impulses about (a falling row of dominoes: 240 problems of 240 solved with 1e-7, 237 with 1e-12).
const vs_semismooth vs_semismooth_cold = {
    .map = VS_MAP_NATURAL, .alpha_most = .1, .alpha_least = 1e-7, .iterations = 60, .patience = 15};
// A light body between heavy ones makes N nearly singular: the proximal term, large against its least eigenvalue, would
// let impulses grow by its inverse an iteration only.
const vs_semismooth vs_semismooth_firm = {
    .map = VS_MAP_ALART_CURNIER, .alpha_most = 1e-9, .alpha_least = 1e-12, .iterations = 30, .patience = 8};
const vs_semismooth vs_semismooth_polish = {
    .map = VS_MAP_NATURAL, .alpha_most = 1e-2, .alpha_least = 1e-7, .iterations = 40, .patience = 10};

typedef struct iterate {
    double *l, *y, *F; // (rows)
    double *d, *Nd;    // (rows) direction, N d
    double *trial_l, *trial_y, *trial_F;
    double *A, *B, *P; // (9 groups)
} iterate;

static double norm(int n, const double *x) {
    double sum = 0;
    for (int k = 0; k < n; k++)
        sum += x[k] * x[k];
    return sqrt(sum);
}

// Factors with alpha, a hundred times as much each time the matrix is singular.
static vs_error factor(const vs_attempt *attempt, const iterate *s, double alpha) {
    int64_t entries = 9 * (int64_t)attempt->island->groups;
    vs_error error = VS_ERROR_NUMERICAL;
    for (int k = 0; k < RAISES && error == VS_ERROR_NUMERICAL; k++) {
        for (int64_t j = 0; j < entries; j++)
            s->P[j] = s->A[j] + alpha * s->B[j];
        error = vs_system_factor(attempt->system, s->P, s->B);
        if (!error)
            attempt->system->counts->regularization = fmax(attempt->system->counts->regularization, alpha);
        alpha *= 100;
    }
    return error;
}

static double try_step(const vs_semismooth *options, const vs_island *island, const iterate *s, double t) {
    for (int k = 0; k < island->rows; k++) {
        s->trial_l[k] = s->l[k] + t * s->d[k];
        s->trial_y[k] = s->y[k] + t * s->Nd[k];
    }
    double square = vs_law_evaluate(island, options->map, s->trial_l, s->trial_y, s->trial_F, NULL, NULL);
    return isfinite(square) ? sqrt(square) : INFINITY;
}

// Halves the step until |F| is below the largest of the last five; else the best of the steps tried.
static double search(const vs_semismooth *options, const vs_island *island, const iterate *s, double reference,
                     double *reached) {
    double best = INFINITY, best_t = 1, t = 1;
    for (int k = 0; k <= HALVINGS; k++) {
        double size = try_step(options, island, s, t);
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
    *reached = try_step(options, island, s, best_t);
    return best_t;
}

vs_outcome vs_semismooth_solve(const vs_semismooth *options, vs_attempt *attempt, const double *start) {
    const vs_island *island = attempt->island;
    double **w = attempt->work, **blocks = attempt->blocks;
    iterate s = {w[0], w[1], w[2], w[3], w[4], w[5], w[6], w[7], blocks[0], blocks[1], blocks[2]};
    size_t bytes = sizeof(double) * (size_t)island->rows;
    if (vs_attempt_late(attempt, true))
        return VS_OUTCOME_STOPPED;
    memmove(s.l, start, bytes);
    vs_island_velocities(island, s.l, s.y);
    double scale = norm(island->rows, island->r), last[MEMORY], least = INFINITY, caution = 1;
    if (!(scale > 0))
        scale = 1;
    for (int k = 0, since = 0;; k++) {
        double size = sqrt(vs_law_evaluate(island, options->map, s.l, s.y, s.F, s.A, s.B));
        vs_attempt_judge(attempt, s.l, s.y, 1);
        if (vs_attempt_solved(attempt))
            return VS_OUTCOME_SOLVED;
        if (attempt->stopped)
            return VS_OUTCOME_STOPPED;
        since = size < .9 * least ? 0 : since + 1;
        least = fmin(least, size);
        attempt->why = "Newton's method made no more progress";
        if (since > options->patience || !isfinite(size))
            return VS_OUTCOME_FAILED;
        attempt->why = "Newton's method used up its iterations";
        if (k >= options->iterations)
            return VS_OUTCOME_FAILED;

        if (k > 0 && vs_attempt_late(attempt, false))
            return VS_OUTCOME_STOPPED;
        double alpha = fmin(options->alpha_most, fmax(options->alpha_least, caution * .01 * size / scale));
        vs_error error = factor(attempt, &s, alpha);
        for (int j = 0; j < island->rows; j++)
            s.d[j] = -s.F[j];
        if (!error)
            error = vs_system_solve(attempt->system, s.d);
        attempt->why = "Newton's matrix is singular";
        if (error == VS_ERROR_NUMERICAL)
            return VS_OUTCOME_FAILED;
        if (error) {
            attempt->broken = error;
            return VS_OUTCOME_STOPPED;
        }
        vs_island_multiply(island, s.d, s.Nd);

        last[k % MEMORY] = size;
        double reference = 0;
        for (int j = 0; j <= k && j < MEMORY; j++)
            reference = fmax(reference, last[j]);
        double reached, t = search(options, island, &s, reference, &reached);
        if (t < .5 || reached > .9 * size)
            caution = fmin(caution * CAREFUL, 1e12);
        else if (t == 1 && reached < .3 * size)
            caution = fmax(caution * BOLD, 1);
        memcpy(s.l, s.trial_l, bytes);
        memcpy(s.y, s.trial_y, bytes);
    }
}
