// Accelerated sweeps over packs of contacts (packed_sweep.h): over-relaxation while the error falls, less of it where it
// does not, and momentum where little of it is left. The error, which costs several sweeps, is evaluated rarely.
#include <math.h>

#include "solver/splitting/packed_sweep.h"
#include "solver/splitting/sweep_course.h"

static const double RELAX_MOST = .8, RELAX_LESS = .75, RELAX_LEAST = .3; // over-relaxation: first, change, last
enum {
    LEAST_INTERVAL = 16, // sweeps between two evaluations: 1/8 of those done
    MOST_INTERVAL = 100,
    SHARE = 8,
    WAIT = 64,       // sweeps without half the error, and 1/4 of those done: over-relaxation is too much
    WAIT_SHARE = 4,  //
    CREEP = 500,     // the same with momentum, and 1/2 of those done: no more sweeps
    CREEP_SHARE = 2, //
    EXTRA = 4        // times the permitted sweeps, while the error is small or halves
};
static const double SMALL = 2e-4; // error from which it only waits for a last contact to decide

typedef struct pace {
    double most;  // over-relaxation; 0: extrapolation
    double error; // when it had last halved
    int sweep;
} pace;

static void note(pace *p, int done, double error) {
    if (error <= .5 * p->error) {
        p->error = error;
        p->sweep = done;
    }
}

// Over-relaxation has not halved the error for long.
static bool is_waiting(const pace *p, int done) {
    return p->most > 0 && done - p->sweep > WAIT + done / WAIT_SHARE;
}

// Nor has momentum: more sweeps are not worth it.
static bool is_over(const pace *p, int done, int allowed, double error) {
    bool creeps = p->most == 0 && done - p->sweep > CREEP + done / CREEP_SHARE;
    return (creeps && error > SMALL) || (done >= allowed && (creeps || error > SMALL));
}

// At most so many sweeps, the last of them plain; fewer if it is late. Returns how many.
static int sweep_some(vs_packed *packed, const pace *p, const vs_sweep_limits *limits, int count, bool *late) {
    int done = 0;
    while (done < count && !*late) {
        if (done > 0 && p->most == 0)
            vs_packed_extrapolate(packed);
        vs_packed_sweep(packed, ++done < count ? p->most : 0);
        *late = limits->late && limits->late(limits->user);
    }
    return done;
}

static int choose_interval(int done) {
    int share = done / SHARE;
    return share < LEAST_INTERVAL ? LEAST_INTERVAL : share > MOST_INTERVAL ? MOST_INTERVAL : share;
}

void vs_packed_sweeps(vs_sweeper *sweeper, const vs_sweep_limits *limits, double *l, double *y, double *const *work,
                      vs_sweep_outcome *outcome) {
    vs_packed *packed = sweeper->packed;
    vs_sweep_course course = {sweeper->problem, limits, y, work[3], outcome, false};
    pace p = {.most = RELAX_MOST, .error = INFINITY};
    bool late = false;
    int done = 0, next = 0;
    int end = limits->sweeps < limits->most / EXTRA ? EXTRA * limits->sweeps : limits->most;
    vs_sweep_course_begin(&course);
    vs_packed_begin(packed, l);
    for (;;) {
        done += sweep_some(packed, &p, limits, next - done, &late);
        vs_packed_read(packed, l);
        double error = vs_sweep_course_evaluate(&course, done, l);
        note(&p, done, error);
        outcome->stalled = is_over(&p, done, limits->sweeps, outcome->error);
        if (error <= limits->tolerance || !isfinite(error) || course.stop || late || done >= end || outcome->stalled)
            break;
        if (is_waiting(&p, done)) {
            p = (pace){p.most * RELAX_LESS < RELAX_LEAST ? 0 : p.most * RELAX_LESS, error, done};
            vs_packed_begin(packed, p.most > 0 ? l : course.best);
        }
        next = done + choose_interval(done);
        next = next < end ? next : end;
    }
    vs_sweep_course_end(&course, l);
}
