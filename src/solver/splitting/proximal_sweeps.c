// The proximal point method around sweeps with momentum: see proximal_sweeps.h.
#include "solver/splitting/proximal_sweeps.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "solver/impulse/evaluation.h"
#include "solver/splitting/momentum.h"
#include "solver/splitting/packed_sweep.h"
#include "solver/splitting/sweep_course.h"

static const double ALPHA_LEAST = 1e-3, ALPHA_MOST = .1; // diagonal blocks of N are about 1
static const double ENOUGH = .3;                         // error of a centre's problem over alpha |l - c|
enum { INTERVAL = 20 };                                  // sweeps between two evaluations

// How alpha changes, and when to give up.
typedef struct pace {
    double alpha, reached, missed; // of the first centre; factors of alpha after a centre
    int centre, patience;          // sweeps of one centre at most; without halving the error
} pace;
// To small errors: chosen on piles of 280 and 595 spheres.
static const pace to_small_errors = {1e-2, .5, 1.6, 600, 5000};
// To loose tolerances, in packs: chosen on steps of 1000 balls in a box and in a drum. Where small alpha make sweeps wander
// about an error of 1e-2, a careful way down from large ones is ten times faster.
static const pace to_loose_tolerances = {3e-2, .7, 2, 200, 1500};

vs_error vs_proximal_sweeps_create(vs_proximal_sweeps *p, const vs_sweeper *plain, vs_arena *arena) {
    const vs_impulse_problem *problem = plain->problem;
    assert(problem->E);
    *p = (vs_proximal_sweeps){.plain = *plain,
                              .centre = VS_NEW(arena, double, problem->rows),
                              .proximal_y = VS_NEW(arena, double, problem->rows)};
    p->problem.E = VS_NEW(arena, double, problem->rows);
    p->problem.r = VS_NEW(arena, double, problem->rows);
    p->problem.A = VS_NEW(arena, double, vs_impulse_block(problem, problem->groups));
    if (plain->split)
        p->split.problem.A = VS_NEW(arena, double, vs_impulse_block(problem, problem->groups));
    bool complete = p->centre && p->proximal_y && p->problem.E && p->problem.r && p->problem.A &&
                    (p->split.problem.A || !plain->split);
    return complete ? VS_OK : VS_ERROR_MEMORY;
}

void vs_proximal_sweeps_pack(vs_proximal_sweeps *p, const vs_sweeper *plain, double *const *work) {
    *p = (vs_proximal_sweeps){.plain = *plain, .centre = work[0], .proximal_y = work[1]};
}

// out: A + alpha of all groups
static void lift_blocks(const vs_impulse_problem *problem, double alpha, double *out) {
    memcpy(out, problem->A, sizeof(double) * (size_t)vs_impulse_block(problem, problem->groups));
    for (int g = 0; g < problem->groups; g++)
        for (int k = 0; k < problem->row[g + 1] - problem->row[g]; k++)
            out[vs_impulse_block(problem, g) + (problem->ld + 1) * k] += alpha;
}

// The problem of alpha and the centre.
static void set_problem(vs_proximal_sweeps *p) {
    const vs_impulse_problem *plain = p->plain.problem;
    double *E = p->problem.E, *r = p->problem.r, *A = p->problem.A;
    p->problem = *plain;
    p->problem.uneven = false; // the error of a centre's problem is one number
    p->problem.slack = NULL;
    if (p->plain.packed) {
        vs_packed_pull(p->plain.packed, p->alpha, p->centre);
        return;
    }
    for (int k = 0; k < plain->rows; k++) {
        E[k] = plain->E[k] + p->alpha;
        r[k] = plain->r[k] - p->alpha * p->centre[k];
    }
    lift_blocks(plain, p->alpha, A);
    p->problem.E = E, p->problem.r = r, p->problem.A = A;
    if (!p->plain.split)
        return;
    A = p->split.problem.A;
    lift_blocks(&p->plain.split->problem, p->alpha, A);
    p->split = *p->plain.split;
    p->split.whole = &p->problem;
    p->split.problem.E = E, p->split.problem.r = r, p->split.problem.A = A;
}

// Is l close to the solution of the centre's problem? y: of l
static bool is_reached(const vs_proximal_sweeps *p, const double *l, const double *y) {
    double square = 0;
    for (int k = 0; k < p->problem.rows; k++) {
        double move = l[k] - p->centre[k];
        p->proximal_y[k] = y[k] + p->alpha * move;
        square += move * move;
    }
    double move = sqrt(vs_space_sum(p->problem.space, square));
    return vs_impulse_error(&p->problem, false, l, p->proximal_y) <= ENOUGH * p->alpha * move;
}

// Sweeps with momentum from l on.
typedef struct inner_sweeps {
    vs_sweeper sweeper;
    vs_momentum momentum; // unless contacts are packed
    int swept;            // since the beginning
} inner_sweeps;

static void begin_inner(inner_sweeps *s, const double *l) {
    s->swept = 0;
    if (s->sweeper.packed)
        vs_packed_begin(s->sweeper.packed, l);
    else
        vs_momentum_begin(&s->momentum, s->sweeper.problem);
}

static void sweep_inner(inner_sweeps *s, double *l, bool last) {
    if (!s->sweeper.packed) {
        vs_momentum_sweep(&s->momentum, &s->sweeper, l);
        return;
    }
    if (s->swept++ > 0)
        vs_packed_extrapolate(s->sweeper.packed);
    vs_packed_sweep(s->sweeper.packed, 0, last);
}

void vs_proximal_sweeps_solve(vs_proximal_sweeps *p, const vs_sweep_limits *limits, double *l, double *y,
                              double *const *work, vs_sweep_outcome *outcome) {
    vs_sweep_course course = {p->plain.problem, limits, y, work[3], outcome, false, NULL};
    inner_sweeps inner = {p->plain, {work[0], work[1], work[2], false}, 0};
    inner.sweeper.problem = &p->problem;
    inner.sweeper.split = p->plain.split ? &p->split : NULL;
    const pace given = p->plain.packed ? to_loose_tolerances : to_small_errors;
    p->alpha = given.alpha;
    vs_sweep_course_begin(&course);
    double error = vs_sweep_course_evaluate(&course, 0, l);
    vs_fall last = {error, 0};
    bool end = error <= limits->tolerance || course.stop, late = false;
    for (int done = 0; !end;) {
        bool reached = false;
        memcpy(p->centre, l, sizeof(double) * (size_t)p->plain.problem->rows);
        set_problem(p);
        begin_inner(&inner, l);
        for (int k = 0; k < given.centre && !reached && !end; k += INTERVAL) {
            for (int j = 0; j < INTERVAL && !late; j++, done++) {
                sweep_inner(&inner, l, j == INTERVAL - 1);
                late = limits->late && limits->late(limits->user);
            }
            course.v = p->plain.packed ? vs_packed_read(p->plain.packed, l) : NULL;
            error = vs_sweep_course_evaluate(&course, done, l);
            outcome->stalled = vs_fall_note(&last, .5, done, error) > given.patience;
            end = error <= limits->tolerance || !isfinite(error) || course.stop || late || done >= limits->sweeps ||
                  outcome->stalled;
            reached = !end && is_reached(p, l, y);
        }
        p->alpha = fmin(fmax(p->alpha * (reached ? given.reached : given.missed), ALPHA_LEAST), ALPHA_MOST);
    }
    vs_sweep_course_end(&course, l);
}
