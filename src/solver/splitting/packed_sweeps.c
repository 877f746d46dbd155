// Accelerated sweeps over packs of contacts (packed_sweep.h): over-relaxation while the error falls, less of it where it
// does not, and momentum where little of it is left. The error, which costs several sweeps, is evaluated rarely.
#include <math.h>

#include "solver/splitting/packed_sweep.h"
#include "solver/splitting/sweep_course.h"

static const double RELAX_MOST = .8, RELAX_LESS = .75, RELAX_LEAST = .3; // over-relaxation: first, change, last
enum {
    LEAST_INTERVAL = 16, // sweeps between two evaluations: 1/8 of those done
    SHARE = 8,
    WAIT = 64,      // sweeps without half the error, and 1/4 of those done: over-relaxation is too much
    WAIT_SHARE = 4, //
    LOST = 16,      // brief: without a tenth less, and 1/8 of those done
    LOST_SHARE = 8, //
    CREEP = 500,    // the same with momentum, and 1/2 of those done: no more sweeps
    CREEP_SHARE = 2 //
};

// Over-relaxation has not halved the error for long. waited: sweeps since it did
static bool is_waiting(double most, int done, int waited) {
    return most > 0 && waited > WAIT + done / WAIT_SHARE;
}

// The error goes up and down rather than down.
static bool is_lost(int done, int waited) {
    return waited > LOST + done / LOST_SHARE;
}

// Nor has momentum: more sweeps are not worth it.
static bool is_over(double most, int done, int waited, int allowed, double error) {
    bool creeps = most == 0 && waited > CREEP + done / CREEP_SHARE, small = error <= VS_SWEEP_SMALL;
    return (creeps && !small) || (done >= allowed && (creeps || !small));
}

// At most so many sweeps, the last of them plain; fewer if it is late. Returns how many.
static int sweep_some(vs_packed *packed, double most, const vs_sweep_limits *limits, int count, bool *late) {
    int done = 0;
    while (done < count && !*late) {
        if (done > 0 && most == 0)
            vs_packed_extrapolate(packed);
        bool last = ++done == count;
        vs_packed_sweep(packed, last ? 0 : most, last);
        *late = limits->late && limits->late(limits->user);
    }
    return done;
}

void vs_packed_sweeps(vs_sweeper *sweeper, const vs_sweep_limits *limits, double *l, double *y, double *const *work,
                      vs_sweep_outcome *outcome) {
    vs_packed *packed = sweeper->packed;
    vs_sweep_course course = {sweeper->problem, limits, y, work[3], outcome, false, NULL};
    double most = RELAX_MOST; // over-relaxation; 0: extrapolation
    vs_fall last = {INFINITY, 0}, slight = last;
    bool late = false;
    int done = 0, next = 0, end = vs_sweep_course_most(limits);
    vs_sweep_course_begin(&course);
    vs_packed_begin(packed, l);
    for (;;) {
        done += sweep_some(packed, most, limits, next - done, &late);
        course.v = vs_packed_read(packed, l);
        double error = vs_sweep_course_evaluate(&course, done, l);
        int waited = vs_fall_note(&last, .5, done, error);
        const bool lost = is_lost(done, vs_fall_note(&slight, .9, done, error));
        outcome->stalled = is_over(most, done, waited, limits->sweeps, outcome->error) ||
                           (limits->brief && (lost || is_waiting(most, done, waited)));
        if (error <= limits->tolerance || !isfinite(error) || course.stop || late || done >= end || outcome->stalled)
            break;
        if (is_waiting(most, done, waited)) {
            most = most * RELAX_LESS < RELAX_LEAST ? 0 : most * RELAX_LESS;
            last = (vs_fall){error, done};
            vs_packed_begin(packed, most > 0 ? l : course.best);
        }
        next = vs_sweep_course_next(done, LEAST_INTERVAL, SHARE, end);
    }
    vs_sweep_course_end(&course, l);
}
