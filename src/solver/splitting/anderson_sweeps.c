// Sweeps with Anderson acceleration. A sweep maps x to S(x). As soon as it is settled which contacts stick, slide and
// lift off, S is linear, and a few directions converge slowly: Anderson acceleration (anderson.h) finds them. The next
// x is its point, projected onto the groups' sets.
//
// The error is evaluated when half as many sweeps again are done, or when |f|, f = S(x) - x, which decreases with it,
// indicates that the tolerance is met. Its rate shows when that is out of reach. Converges for most problems with exact
// friction, but without guarantee.
#include <math.h>
#include <string.h>

#include "base/elementary.h"
#include "solver/impulse/group_law.h"
#include "solver/splitting/sweep_course.h"

static const int SWEEPS_PLAIN = 4;     // before the first acceleration: contacts open and close most
static const int SWEEPS_AT_LEAST = 60; // before giving up
static const double GROWTH_MOST = 1.2; // of |f|

// ---- rate of convergence -------------------------------------------------------------------------------

// The last three evaluations of the error, newest first.
typedef struct record {
    int count;
    int sweep[3];
    double error[3];
} record;

static void add(record *seen, int at, double error) {
    for (int k = 2; k > 0; k--) {
        seen->sweep[k] = seen->sweep[k - 1];
        seen->error[k] = seen->error[k - 1];
    }
    seen->sweep[0] = at;
    seen->error[0] = error;
    seen->count += seen->count < 3;
}

// Factor of the error per sweep since the k-th last evaluation.
static double rate_since(const record *seen, int k) {
    return vs_pow(seen->error[0] / seen->error[k], 1.0 / (seen->sweep[0] - seen->sweep[k]));
}

// The better of the two rates that the evaluations show; infinite if there is none yet.
static double find_rate(const record *seen) {
    if (seen->count < 2)
        return INFINITY;
    double rate = rate_since(seen, 1);
    return seen->count < 3 ? rate : fmin(rate, rate_since(seen, 2));
}

// Number of further sweeps at this rate.
static double predict(const record *seen, double rate, double tolerance) {
    return rate < 1.0 ? vs_ln(tolerance / seen->error[0]) / vs_ln(rate) : INFINITY;
}

// Convergence may become faster when the last contact has decided whether it slides: up to three times the permitted
// sweeps may be predicted at first, none beyond them at the end.
static bool is_hopeless(int done, int max_sweeps, double more) {
    return done >= SWEEPS_AT_LEAST && done < max_sweeps && done + more > 3.0 * max_sweeps - 2.0 * done;
}

// ---- sweeps ----------------------------------------------------------------------------------------

// |l - x|
static double change_of(int rows, const double *l, const double *x) {
    double sum = 0.0;
    for (int i = 0; i < rows; i++)
        sum += (l[i] - x[i]) * (l[i] - x[i]);
    return sqrt(sum);
}

// The sweep number `done`, from the accelerated point, which x receives. Returns |f|.
static double sweep(vs_sweeper *sweeper, vs_anderson *anderson, int done, double *x, double *l) {
    int rows = sweeper->problem->rows;
    if (anderson->count > 0) {
        vs_anderson_extrapolate(anderson, l);
        vs_impulse_project(sweeper->problem, l);
        sweeper->moved = true;
    }
    memcpy(x, l, sizeof(double) * (size_t)rows);
    vs_sweeper_sweep(sweeper, l);
    if (done < SWEEPS_PLAIN)
        return change_of(rows, l, x);
    vs_anderson_observe(anderson, x, l);
    return anderson->residual;
}

void vs_anderson_sweeps(vs_sweeper *sweeper, const vs_sweep_limits *limits, double *l, double *y, double *const *work,
                        vs_sweep_outcome *outcome) {
    vs_sweep_course course = {sweeper->problem, limits, y, work[VS_SWEEP_WORK - 1], outcome, false, NULL};
    vs_anderson anderson;
    record seen = {0};
    int done = 0, next = 0;
    bool late = false;
    double change = 0.0; // |f| of the last sweep
    double enough = 0.0; // |f| that the tolerance takes, by its ratio to the error at the last evaluation
    vs_anderson_init(&anderson, sweeper->problem->rows, VS_SWEEP_DEPTH, work + 1);
    anderson.regularization = 0.0;
    anderson.growth = GROWTH_MOST;
    vs_sweep_course_begin(&course);
    for (;;) {
        for (; done < next && !late && !(change < enough); done++) {
            change = sweep(sweeper, &anderson, done, work[0], l);
            late = limits->late && limits->late(limits->user);
        }
        double error = vs_sweep_course_evaluate(&course, done, l);
        if (error <= limits->tolerance || done >= limits->sweeps || !isfinite(error) || course.stop || late)
            break;

        add(&seen, done, error);
        double more = predict(&seen, find_rate(&seen), limits->tolerance);
        outcome->stalled = is_hopeless(done, limits->sweeps, more);
        if (outcome->stalled)
            break;
        enough = change * limits->tolerance / error;
        next = done + (done < 2 ? 1 : done < 4 ? 2 : done / 2);
        next = next < limits->sweeps ? next : limits->sweeps;
    }
    vs_sweep_course_end(&course, l);
}
