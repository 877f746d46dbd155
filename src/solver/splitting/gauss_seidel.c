// Block Gauss-Seidel on one island, exact Coulomb. Group after group, with the newest impulses of all others:
//
//     q_i = r_i + sum over j != i of N_ij l_j,     l_i <- the solution of the group alone for N_ii l_i + q_i
//
// A contact that is open needs only its normal row.
//
// A sweep maps x to S(x). As soon as it is settled which contacts stick, slide and lift off, S is linear, and a few
// directions converge slowly: Anderson acceleration (anderson.h) finds them. The next x is its point projected onto the
// groups' sets.
//
// The error is evaluated when half as many sweeps again are done, or when |f|, f = S(x) - x, which falls with it, says
// that the tolerance is met. Its rate tells when that is out of reach. Converges for most problems, but with no guarantee.
// Serial.
#include "solver/splitting/gauss_seidel.h"

#include <math.h>
#include <string.h>

#include "solver/impulse/anderson.h"
#include "solver/impulse/one_contact.h"
#include "solver/impulse/row_sums.h"

static const int SWEEPS_PLAIN = 4;     // before the first extrapolation: contacts open and close most
static const int SWEEPS_AT_LEAST = 60; // before giving up
static const double GROWTH_MOST = 1.2; // of |f|

// ---- one sweep -------------------------------------------------------------------------------------

static inline void relax_contact(const vs_island *island, int g, double *l) {
    const vs_rows *N = &island->N;
    int64_t width = N->start[g + 1] - N->start[g];
    const double *a = N->x + N->value[g], *A = N->x + island->diagonal[g], *r = island->r + N->row[g];
    const int *col = N->col + N->start[g];
    double *x = l + N->row[g], mu = island->mu[g], q[3];
    if (x[0] == 0.0 && x[1] == 0.0 && x[2] == 0.0 && vs_sum_row(width, a, col, l, r[0]) >= 0.0)
        return;
    vs_sum_rows(width, a, col, l, r, q);
    const double old[3] = {x[0], x[1], x[2]};
    for (int k = 0; k < 3; k++)
        q[k] -= (A[k * width] * old[0] + A[k * width + 1] * old[1]) + A[k * width + 2] * old[2];
    vs_one_contact_solve(A, (int)width, q, mu, x);
}

static inline void relax_row(const vs_island *island, int g, double *l) {
    const vs_rows *N = &island->N;
    double a = N->x[island->diagonal[g]], *x = l + N->row[g];
    // A row that moves nothing (a joint between fixed bodies) has no answer.
    if (!(a > 0.0))
        return;
    double y =
        vs_sum_row(N->start[g + 1] - N->start[g], N->x + N->value[g], N->col + N->start[g], l, island->r[N->row[g]]);
    *x -= y / a;
    if (island->law[g] == VS_LAW_NONNEG)
        *x = *x > 0.0 ? *x : 0.0;
    else if (island->law[g] == VS_LAW_BOX)
        *x = fmin(fmax(*x, island->lo[g]), island->hi[g]);
}

void vs_gauss_seidel_sweep(const vs_island *island, double *l) {
    for (int g = 0; g < island->groups; g++) {
        if (island->law[g] == VS_LAW_FRICTION)
            relax_contact(island, g, l);
        else
            relax_row(island, g, l);
    }
}

// ---- acceleration ----------------------------------------------------------------------------------

// |l - x|
static double change_of(int rows, const double *l, const double *x) {
    double sum = 0.0;
    for (int i = 0; i < rows; i++)
        sum += (l[i] - x[i]) * (l[i] - x[i]);
    return sqrt(sum);
}

// ---- how fast --------------------------------------------------------------------------------------

// The last three looks at the error, newest first.
typedef struct looks {
    int count;
    int sweep[3];
    double error[3];
} looks;

static void look(looks *seen, int at, double error) {
    for (int k = 2; k > 0; k--) {
        seen->sweep[k] = seen->sweep[k - 1];
        seen->error[k] = seen->error[k - 1];
    }
    seen->sweep[0] = at;
    seen->error[0] = error;
    seen->count += seen->count < 3;
}

// Factor of the error a sweep since the k-th last look.
static double rate_since(const looks *seen, int k) {
    return pow(seen->error[0] / seen->error[k], 1.0 / (seen->sweep[0] - seen->sweep[k]));
}

// The better one of the two that the looks tell; infinite if there is none yet.
static double find_rate(const looks *seen) {
    if (seen->count < 2)
        return INFINITY;
    double rate = rate_since(seen, 1);
    return seen->count < 3 ? rate : fmin(rate, rate_since(seen, 2));
}

// How many sweeps more at this rate.
static double predict(const looks *seen, double rate, double tolerance) {
    return rate < 1.0 ? log(tolerance / seen->error[0]) / log(rate) : INFINITY;
}

// ---- all -------------------------------------------------------------------------------------------

double vs_gauss_seidel_look(const vs_island *island, const vs_gauss_seidel_limits *limits, int done, const double *l,
                            double *y, double *best, vs_gauss_seidel_outcome *outcome, bool *stop) {
    vs_island_velocities(island, l, y);
    double error = vs_island_error(island, limits->both, l, y);
    if (error < outcome->error || done == 0) {
        outcome->error = error;
        memcpy(best, l, sizeof(double) * (size_t)island->rows);
    }
    *stop = limits->stop && limits->stop(limits->user, error, done - outcome->sweeps);
    outcome->sweeps = done;
    return error;
}

void vs_gauss_seidel_end(const vs_island *island, const double *best, double *l, double *y) {
    size_t bytes = sizeof(double) * (size_t)island->rows;
    if (memcmp(best, l, bytes) != 0) {
        memcpy(l, best, bytes);
        vs_island_velocities(island, l, y);
    }
}

// Convergence may become faster when the last contact has decided whether it slides: up to three times the sweeps
// allowed may be foreseen at first, none beyond them at the end.
static bool is_hopeless(int done, int max_sweeps, double more) {
    return done >= SWEEPS_AT_LEAST && done < max_sweeps && done + more > 3.0 * max_sweeps - 2.0 * done;
}

void vs_gauss_seidel(const vs_island *island, vs_gauss_seidel_limits limits, double *l, double *y, double *const *work,
                     vs_gauss_seidel_outcome *outcome) {
    double tolerance = limits.tolerance;
    int max_sweeps = limits.sweeps;
    size_t bytes = sizeof(double) * (size_t)island->rows;
    double *x = work[0], *best = work[VS_GAUSS_SEIDEL_WORK - 1];
    looks seen = {0};
    vs_anderson anderson;
    int done = 0, next = 0;
    bool late = false;
    double change = 0.0; // |f| of the last sweep
    double enough = 0.0; // |f| that the tolerance takes, by its ratio to the error at the last look
    vs_anderson_init(&anderson, island->rows, VS_GAUSS_SEIDEL_DEPTH, work + 1);
    anderson.regularization = 0.0;
    anderson.growth = GROWTH_MOST;
    *outcome = (vs_gauss_seidel_outcome){.error = INFINITY};
    for (;;) {
        for (; done < next && !late && !(change < enough); done++) {
            if (anderson.count > 0) {
                vs_anderson_extrapolate(&anderson, l);
                vs_island_project(island, l);
            }
            memcpy(x, l, bytes);
            vs_gauss_seidel_sweep(island, l);
            if (done >= SWEEPS_PLAIN)
                vs_anderson_observe(&anderson, x, l);
            change = done >= SWEEPS_PLAIN ? anderson.residual : change_of(island->rows, l, x);
            late = limits.late && limits.late(limits.user);
        }
        bool stop;
        double error = vs_gauss_seidel_look(island, &limits, done, l, y, best, outcome, &stop);
        if (error <= tolerance || done >= max_sweeps || !isfinite(error) || stop || late)
            break;

        look(&seen, done, error);
        double more = predict(&seen, find_rate(&seen), tolerance);
        outcome->stalled = is_hopeless(done, max_sweeps, more);
        if (outcome->stalled)
            break;
        enough = change * tolerance / error;
        next = done + (done < 2 ? 1 : done < 4 ? 2 : done / 2);
        next = next < max_sweeps ? next : max_sweeps;
    }
    vs_gauss_seidel_end(island, best, l, y);
}
