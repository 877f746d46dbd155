// The proximal point method around sweeps with momentum: see proximal_sweeps.h.
#include "solver/splitting/proximal_sweeps.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "solver/impulse/evaluation.h"
#include "solver/splitting/momentum.h"
#include "solver/splitting/sweep_course.h"

// Chosen on piles of 280 and 595 spheres; diagonal blocks of N are about 1.
static const double ALPHA = 1e-2, ALPHA_LEAST = 1e-3, ALPHA_MOST = .1;
static const double REACHED = .5, MISSED = 1.6; // factors of alpha after a centre
static const double ENOUGH = .3;                // error of a centre's problem over alpha |l - c|
enum {
    INTERVAL = 20,  // sweeps between two evaluations
    CENTRE = 600,   // sweeps of one centre at most
    PATIENCE = 5000 // sweeps without halving the error
};

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
    for (int k = 0; k < plain->rows; k++) {
        E[k] = plain->E[k] + p->alpha;
        r[k] = plain->r[k] - p->alpha * p->centre[k];
    }
    lift_blocks(plain, p->alpha, A);
    p->problem = *plain;
    p->problem.E = E, p->problem.r = r, p->problem.A = A;
    p->problem.uneven = false; // the error of a centre's problem is one number
    p->problem.slack = NULL;
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

void vs_proximal_sweeps_solve(vs_proximal_sweeps *p, const vs_sweep_limits *limits, double *l, double *y,
                              double *const *work, vs_sweep_outcome *outcome) {
    vs_sweep_course course = {p->plain.problem, limits, y, work[3], outcome, false, NULL};
    vs_momentum momentum = {work[0], work[1], work[2], false};
    vs_sweeper sweeper = p->plain;
    sweeper.problem = &p->problem;
    sweeper.split = p->plain.split ? &p->split : NULL;
    p->alpha = ALPHA;
    vs_sweep_course_begin(&course);
    double error = vs_sweep_course_evaluate(&course, 0, l);
    vs_halving last = {error, 0};
    bool end = error <= limits->tolerance || course.stop, late = false;
    for (int done = 0; !end;) {
        bool reached = false;
        memcpy(p->centre, l, sizeof(double) * (size_t)p->problem.rows);
        set_problem(p);
        vs_momentum_begin(&momentum, &p->problem);
        for (int k = 0; k < CENTRE && !reached && !end; k += INTERVAL) {
            for (int j = 0; j < INTERVAL && !late; j++, done++) {
                vs_momentum_sweep(&momentum, &sweeper, l);
                late = limits->late && limits->late(limits->user);
            }
            error = vs_sweep_course_evaluate(&course, done, l);
            outcome->stalled = vs_halving_note(&last, done, error) > PATIENCE;
            end = error <= limits->tolerance || !isfinite(error) || course.stop || late || done >= limits->sweeps ||
                  outcome->stalled;
            reached = !end && is_reached(p, l, y);
        }
        p->alpha = fmin(fmax(p->alpha * (reached ? REACHED : MISSED), ALPHA_LEAST), ALPHA_MOST);
    }
    vs_sweep_course_end(&course, l);
}
