// Accelerated (Nesterov) Gauss-Seidel: sweeps with momentum (momentum.h), evaluated now and then.
//
// In a pile with exact friction sweeps creep: the error stagnates while impulses shift along soft directions, at one
// place independently of another, until a contact there lifts off, sticks or slides; then it decreases. Momentum makes
// the creeping faster, and events at one place must not stop it elsewhere. (Anderson acceleration of the whole, which
// needs |f| to fall, stays behind: pile of 1190 spheres, 4000 sweeps, error 3e-3 with it, 1e-3 without, 5e-5 here.)
#include <math.h>

#include "solver/splitting/momentum.h"
#include "solver/splitting/sweep_course.h"

enum { LEAST_INTERVAL = 32, SHARE = 16 }; // sweeps between two evaluations: of those done 1/16

// The error stagnates for long and decreases again: within the permitted sweeps that is no reason to stop, nor beyond
// them while it is small or halves in half of the sweeps done.
static bool is_over(vs_fall *last, int allowed, int done, double error) {
    int waited = vs_fall_note(last, .5, done, error);
    return done >= allowed && error > VS_SWEEP_SMALL && waited > done / 2;
}

void vs_nesterov_sweeps(vs_sweeper *sweeper, const vs_sweep_limits *limits, double *l, double *y, double *const *work,
                        vs_sweep_outcome *outcome) {
    const vs_impulse_problem *problem = sweeper->problem;
    vs_momentum momentum = {work[0], work[1], work[2], false};
    vs_sweep_course course = {problem, limits, y, work[3], outcome, false, NULL};
    bool late = false;
    int done = 0, next = 0, end = vs_sweep_course_most(limits);
    vs_fall last = {INFINITY, 0};
    vs_momentum_begin(&momentum, problem);
    vs_sweep_course_begin(&course);
    for (;;) {
        for (; done < next && !late; done++) {
            vs_momentum_sweep(&momentum, sweeper, l);
            late = limits->late && limits->late(limits->user);
        }
        double error = vs_sweep_course_evaluate(&course, done, l);
        if (error <= limits->tolerance || !isfinite(error) || course.stop || late || done >= end ||
            is_over(&last, limits->sweeps, done, outcome->error))
            break;
        next = vs_sweep_course_next(done, LEAST_INTERVAL, SHARE, end);
    }
    vs_sweep_course_end(&course, l);
}
