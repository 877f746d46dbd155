// Accelerated (Nesterov) Gauss-Seidel: momentum between sweeps, group by group. With S(x) the impulses after one sweep
// from x and the change f = S(x) - x
//
//     next x_i = P( S_i(x) + beta_i p_i ),     p_i <- beta_i p_i + f_i,     beta_i = k_i / (k_i + 2), at most .95
//
// where k_i counts the sweeps since f_i last pointed against p_i: a group that turns back restarts, and the others keep
// their momentum. (O'Donoghue and Candès 2015 restart all at once.)
//
// In a pile with exact friction sweeps creep: the error stagnates while impulses shift along soft directions, at one
// place independently of another, until a contact there lifts off, sticks or slides; then it decreases. Momentum makes
// the creeping faster, and events at one place must not stop it elsewhere. (Anderson acceleration of the whole, which
// needs |f| to fall, stays behind: pile of 1190 spheres, 4000 sweeps, error 3e-3 with it, 1e-3 without, 5e-5 here.)
#include <math.h>
#include <string.h>

#include "solver/impulse/group_law.h"
#include "solver/splitting/sweep_course.h"

static const double MOST = .95;                                // momentum; .8 to .99 differ little, less is slower
enum { LEAST_INTERVAL = 32, MOST_INTERVAL = 100, SHARE = 16 }; // sweeps between two evaluations: of those done 1/16
// Up to 4 times the permitted sweeps, while the error halves in half of the sweeps done or is small: then it only waits
// for a last contact to decide (piles that were not solved wandered about 1e-3).
static const double SMALL = 2e-4;
enum { EXTRA = 4 };

typedef struct motion {
    double *x, *p; // (rows) start of the sweep; momentum
    double *age;   // (groups) sweeps since the momentum began
} motion;

// l = S(x) becomes the next x.
static void carry_on(const vs_impulse_problem *p, const motion *m, double *l) {
    for (int g = 0; g < p->groups; g++) {
        int first = p->row[g], end = p->row[g + 1];
        double along = 0;
        for (int k = first; k < end; k++)
            along += (l[k] - m->x[k]) * m->p[k];
        m->age[g] = along < 0 ? 0 : m->age[g] + 1;
        double beta = fmin(MOST, m->age[g] / (m->age[g] + 2));
        for (int k = first; k < end; k++) {
            double more = beta * m->p[k];
            m->p[k] = more + l[k] - m->x[k];
            l[k] += more;
        }
    }
    vs_impulse_project(p, l);
}

// The last time that the least error had halved.
typedef struct halving {
    double error;
    int sweep;
} halving;

// The error stagnates for long and decreases again: within the permitted sweeps that is no reason to stop.
static bool is_over(halving *last, int allowed, int done, double error) {
    if (error <= .5 * last->error)
        *last = (halving){error, done};
    return done >= allowed && error > SMALL && done - last->sweep > done / 2;
}

static int smaller(int64_t a, int64_t b) {
    return (int)(a < b ? a : b);
}

void vs_nesterov_sweeps(vs_sweeper *sweeper, const vs_sweep_limits *limits, double *l, double *y, double *const *work,
                        vs_sweep_outcome *outcome) {
    const vs_impulse_problem *problem = sweeper->problem;
    size_t bytes = sizeof(double) * (size_t)problem->rows;
    motion m = {work[0], work[1], work[2]};
    vs_sweep_course course = {problem, limits, y, work[3], outcome, false};
    bool late = false;
    int done = 0, next = 0, end = smaller(limits->most, (int64_t)EXTRA * limits->sweeps);
    halving last = {INFINITY, 0};
    memset(m.p, 0, bytes);
    memset(m.age, 0, sizeof(double) * (size_t)problem->groups);
    vs_sweep_course_begin(&course);
    for (;;) {
        for (; done < next && !late; done++) {
            if (done > 0)
                carry_on(problem, &m, l);
            memcpy(m.x, l, bytes);
            sweeper->moved = true;
            vs_sweeper_sweep(sweeper, l);
            late = limits->late && limits->late(limits->user);
        }
        double error = vs_sweep_course_evaluate(&course, done, l);
        if (error <= limits->tolerance || !isfinite(error) || course.stop || late || done >= end ||
            is_over(&last, limits->sweeps, done, outcome->error))
            break;
        int more = smaller(MOST_INTERVAL, done / SHARE);
        next = smaller(end, (int64_t)done + (more > LEAST_INTERVAL ? more : LEAST_INTERVAL));
    }
    vs_sweep_course_end(&course, l);
}
