// The proximal point method: see proximal_point.h. The constants were measured on steps of falling dominoes, of balls that
// settle in a box and of turning drums, each in one half of the files (bench/results/steps.md).
#include "solver/coulomb/proximal_point.h"

#include <math.h>
#include <string.h>

#include "base/vector.h"
#include "solver/coulomb/semismooth_step.h"
#include "solver/impulse/group_law.h"
#include "solver/impulse/operator.h"
#include "solver/splitting/packed_sweep.h"

static const double ALPHA_LEAST = 1e-6, ALPHA_MOST = 1;
static const double EASIER = .2, HARDER = 2, PARTLY = 3, FAILED = 10; // change of alpha after a solve
static const double ENOUGH = .1;                                      // |F| relative to alpha |l - c|: solved
static const double AGREE = .5;                                       // cosine of moves that agree
enum { NEWTON = 12, EASY = 4, HARD = 8 }; // steps of one solve: at most, of an easy one, more than of an ordinary one

const vs_proximal_options vs_proximal_natural = {
    .map = VS_FRICTION_MAP_NATURAL, .alpha = 1e-3, .centres = 200, .factorizations = 200, .patience = 25, .ahead = 10};
// With more alpha the first centre is an easy one, and alpha falls soon. (Ten steps of drums of 1000 and 3000 spheres that sweeps
// left above 1e-3: factorizations to it 14, 60, 25, 49 and six times more than 50 without sweeps; 4, 15, 7, 6, 30, 14, 45 and three
// times more than 30 with them; centres ahead of the last move cost 43 instead of 6 once.)
const vs_proximal_options vs_proximal_swept = {
    .map = VS_FRICTION_MAP_NATURAL, .alpha = .1, .centres = 200, .factorizations = 60, .patience = 25, .sweeps = 250};
const vs_proximal_options vs_proximal_alart_curnier = {.map = VS_FRICTION_MAP_ALART_CURNIER,
                                                       .alpha = 1e-3,
                                                       .centres = 200,
                                                       .factorizations = 150,
                                                       .patience = 25,
                                                       .ahead = 10};

typedef struct proximal {
    const vs_proximal_options *options;
    vs_progress *progress;
    vs_semismooth_iterate s;
    double *centre;    // (rows)
    double *best;      // (rows) iterate of the present solve with the least residual of the problem itself
    double *last_move; // (rows) of the last centre
    double last_size;  // of that move; 0: there was none
    int age;           // successive moves that agree
    double alpha;
    int used;       // factorizations
    double at_best; // residual of `best`
    double at_centre;
    int failures; // solves in a row with the largest alpha that led nowhere
} proximal;

typedef enum inner_outcome { INNER_SOLVED, INNER_CUT, INNER_ENDED } inner_outcome;

// |F| of the problem itself at (l, y), without its derivative.
static double residual(const proximal *p, const double *l, const double *y) {
    const vs_impulse_problem *island = p->progress->island;
    return sqrt(vs_friction_map_evaluate(island, p->options->map, l, y, p->s.trial_F, NULL, NULL));
}

// Evaluates the iterate as one of the problem itself, and keeps the best of this solve. False: the stage ends.
static bool evaluate(proximal *p, int k) {
    vs_progress *progress = p->progress;
    const vs_semismooth_iterate *s = &p->s;
    vs_impulse_velocities(progress->island, s->l, s->y);
    vs_progress_evaluate(progress, s->l, s->y, 1);
    if (vs_progress_solved(progress) || progress->stopped)
        return false;
    double size = residual(p, s->l, s->y);
    if (k == 0)
        p->at_centre = size;
    if (k == 1 || size < p->at_best) {
        p->at_best = size;
        memcpy(p->best, s->l, sizeof(double) * (size_t)progress->island->rows);
    }
    return true;
}

// y of the regularized problem. Returns |l - c|.
static double regularize(const proximal *p) {
    const vs_semismooth_iterate *s = &p->s;
    double move = 0;
    for (int j = 0; j < p->progress->island->rows; j++) {
        double d = s->l[j] - p->centre[j];
        s->y[j] += p->alpha * d;
        move += d * d;
    }
    return sqrt(move);
}

// Sweeps on the regularized problem.
static void sweep(const proximal *p) {
    vs_packed *packed = p->progress->packed;
    const int sweeps = packed ? p->options->sweeps : 0;
    if (sweeps == 0)
        return;
    vs_packed_pull(packed, p->alpha, p->centre);
    vs_packed_begin(packed, p->s.l);
    for (int k = 0; k < sweeps; k++)
        vs_packed_sweep(packed, 0, k == sweeps - 1);
    (void)vs_packed_read(packed, p->s.l);
    vs_packed_pull(packed, 0, p->centre);
}

// Newton's method from the centre. *steps: taken.
static inner_outcome solve_centre(proximal *p, int *steps) {
    vs_progress *progress = p->progress;
    const vs_impulse_problem *island = progress->island;
    const vs_semismooth_iterate *s = &p->s;
    double last[VS_SEMISMOOTH_MEMORY], reached;
    memcpy(s->l, p->centre, sizeof(double) * (size_t)island->rows);
    for (int k = 0;; k++) {
        if (!evaluate(p, k))
            return INNER_ENDED;
        double move = regularize(p);
        double size = sqrt(vs_friction_map_evaluate(island, p->options->map, s->l, s->y, s->F, s->A, s->B));
        *steps = k;
        if (k > 0 && (size <= ENOUGH * p->alpha * move || size <= 1e-3 * progress->tolerance))
            return INNER_SOLVED;
        if (k == NEWTON || p->used >= p->options->factorizations || !isfinite(size))
            return INNER_CUT;
        if (vs_progress_late(progress, p->used == 0))
            return INNER_ENDED;
        p->used++;
        vs_error error = vs_semismooth_direction(progress, s, p->alpha);
        if (error == VS_ERROR_NUMERICAL)
            return INNER_CUT;
        if (error) {
            progress->failure = error;
            progress->stopped = true;
            return INNER_ENDED;
        }
        for (int j = 0; j < island->rows; j++)
            s->Nd[j] += p->alpha * s->d[j];
        (void)vs_semismooth_search(p->options->map, island, s, vs_semismooth_reference(last, k, size), &reached);
        memcpy(s->l, s->trial_l, sizeof(double) * (size_t)island->rows);
        sweep(p);
    }
}

// The next centre after a solve: its solution, or beyond it where moves agree.
static void move_ahead(proximal *p) {
    int rows = p->progress->island->rows;
    double square = 0, dot = 0;
    for (int j = 0; j < rows; j++) {
        double d = p->s.l[j] - p->centre[j];
        square += d * d;
        dot += d * p->last_move[j];
        p->last_move[j] = d;
    }
    double size = sqrt(square), cosine = p->last_size > 0 && size > 0 ? dot / (p->last_size * size) : 0;
    p->last_size = size;
    p->age = cosine > AGREE ? p->age + 1 : 0;
    double ahead = fmin(p->options->ahead, ldexp(1, p->age < 30 ? p->age : 30) - 1) * fmax(0, cosine);
    for (int j = 0; j < rows; j++)
        p->centre[j] = p->s.l[j] + ahead * p->last_move[j];
}

// Centre and alpha of the next solve.
static void choose_next(proximal *p, inner_outcome outcome, int steps) {
    size_t bytes = sizeof(double) * (size_t)p->progress->island->rows;
    if (outcome == INNER_SOLVED) {
        move_ahead(p);
        p->alpha *= steps <= EASY ? EASIER : steps > HARD ? HARDER : 1;
        p->failures = 0;
    } else if (steps > 0 && p->at_best < .5 * p->at_centre) {
        memcpy(p->centre, p->best, bytes);
        p->alpha *= PARTLY;
        p->failures = 0;
    } else {
        bool stuck = p->alpha >= ALPHA_MOST && ++p->failures > 1;
        if (stuck && steps > 0)
            memcpy(p->centre, p->best, bytes);
        p->failures = stuck ? 0 : p->failures;
        p->alpha *= FAILED;
    }
    p->alpha = fmin(fmax(p->alpha, ALPHA_LEAST), ALPHA_MOST);
    vs_impulse_project(p->progress->island, p->centre);
}

vs_stage_end vs_proximal_solve(const vs_proximal_options *options, vs_progress *progress, const double *start) {
    double **w = progress->work + VS_SEMISMOOTH_WORK;
    size_t bytes = sizeof(double) * (size_t)progress->island->rows;
    proximal p = {.options = options,
                  .progress = progress,
                  .s = vs_semismooth_iterate_of(progress),
                  .centre = w[0],
                  .best = w[1],
                  .last_move = w[2],
                  .alpha = options->alpha};
    memcpy(p.centre, start, bytes);
    memset(p.last_move, 0, bytes);
    vs_impulse_project(progress->island, p.centre);
    double least = INFINITY;
    for (int k = 0, since = 0; k < options->centres && p.used < options->factorizations; k++) {
        int steps;
        inner_outcome outcome = solve_centre(&p, &steps);
        if (outcome == INNER_ENDED)
            return vs_progress_solved(progress) ? VS_STAGE_SOLVED : VS_STAGE_STOPPED;
        since = progress->error < .7 * least ? 0 : since + 1;
        least = fmin(least, progress->error);
        if (since > options->patience)
            break;
        choose_next(&p, outcome, steps);
    }
    progress->reason = "the proximal point method made no more progress";
    return VS_STAGE_FAILED;
}
