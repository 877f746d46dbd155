// Block principal pivoting for the MLCP of mlcp.h.
//
// An index set assigns every row to its lower bound (L), its upper bound (U) or between (F). It determines
// one point: x at the bounds in L and U, and in F
//
//     A_FF x_F + A_FB x_B + q_F = 0
//
// Rows that are then on the wrong side (x_i outside its bounds in F, w_i < 0 in L, w_i > 0 in U) are infeasible. All of
// them change their set at once as long as their number decreases; after some exchanges in which it did not, only the
// infeasible row of largest index changes, which cannot cycle if A has positive principal minors (Murty 1974), until
// there are fewer (Júdice and Pires 1994).
//
// Redundant contacts and joints make A singular. Therefore the problem solved is
//
//     w = A x + q + epsilon (x - c)        c: the previous solution
//
// whose matrix is definite, so that every index set has its point and the exchange is finite; then c moves to the
// solution. These proximal points converge to a solution of the MLCP itself, and while the sets stay the same they are
// iterative refinement with the residual of the true A and the existing factor (Rockafellar 1976).
//
// Usually epsilon is tiny and the first proximal point is the solution. For large systems that are nearly singular
// exchanges of blocks fail, and single ones are far too many: such a point is abandoned for one with a larger epsilon,
// which then decreases again. When refinement stalls, a smaller epsilon resolves nearly singular directions.
#include "solver/pivoting/block_pivoting.h"

#include <limits.h>
#include <math.h>
#include <string.h>

#include "solver/impulse/operator.h"

enum {
    BLOCKS_MOST = 5,   // exchanges of all infeasible rows without fewer of them
    FEW = 10,          // infeasible rows: so few justify
    SINGLES_MOST = 20, // exchanges of one row without fewer
    REFINEMENTS_MOST = 4,
    CENTRES_MOST = 200, // proximal points
    STALLS_MOST = 5     // of them without progress
};
static const double ROUNDING = 1e-14; // of impulses and velocities, relative to the largest impulse
static const double SOLVED = .1;      // of the tolerance: the error of an MLCP whose bounds still change
static const double EPSILON_HARD = 1e-2, EPSILON_MOST = 1; // after failed exchanges: the first, and the largest
static const double EPSILON_GROWTH = 10, EPSILON_FALL = 30;
static const double EPSILON_LEAST = 1e-13; // just above the rounding of a factorization

// ---- the point of an index set -----------------------------------------------------------------------

// The largest impulse within its bounds, at least 1: the scale of small numbers.
static double find_size(const vs_mlcp *p) {
    double size = 1;
    for (int k = 0; k < p->rows; k++)
        size = fmax(size, fabs(fmin(fmax(p->x[k], p->lo[k]), p->hi[k])));
    return size;
}

// w of the regularized problem; returns its largest entry in F.
static double find_w(vs_mlcp *p) {
    double largest = 0;
    vs_impulse_velocities(p->impulses.problem, p->x, p->w);
    for (int k = 0; k < p->rows; k++) {
        p->w[k] += p->reduced.epsilon * (p->x[k] - p->centre[k]);
        if (p->set[k] == VS_BETWEEN)
            largest = fmax(largest, fabs(p->w[k]));
    }
    return largest;
}

// x and w of the index set, by corrections of the present x.
static vs_error find_point(vs_mlcp *p) {
    vs_error error = vs_reduced_factor(&p->reduced, p->set);
    if (error)
        return error;
    for (int k = 0; k < p->rows; k++)
        if (p->set[k] != VS_BETWEEN)
            p->x[k] = p->set[k] == VS_AT_LOWER ? p->lo[k] : p->hi[k];
    double left = find_w(p);
    for (int k = 0; k < REFINEMENTS_MOST && left > 0; k++) {
        double before = left;
        error = vs_reduced_solve(&p->reduced, p->w, p->l);
        if (error)
            return error;
        for (int i = 0; i < p->rows; i++)
            p->x[i] -= p->l[i];
        left = find_w(p);
        if (left <= ROUNDING * find_size(p) || (k > 0 && left > .5 * before))
            break;
    }
    return VS_OK;
}

// ---- exchanges ---------------------------------------------------------------------------------------

// The set to which row k must change, or its own if it is feasible.
static signed char find_side(const vs_mlcp *p, int k, double rounding) {
    double x = p->x[k], w = p->w[k];
    if (!(p->lo[k] < p->hi[k]))
        return p->set[k];
    switch (p->set[k]) {
    case VS_BETWEEN:
        return x < p->lo[k] - rounding ? VS_AT_LOWER : x > p->hi[k] + rounding ? VS_AT_UPPER : VS_BETWEEN;
    case VS_AT_LOWER:
        return w < -rounding ? VS_BETWEEN : VS_AT_LOWER;
    default:
        return w > rounding ? VS_BETWEEN : VS_AT_UPPER;
    }
}

// Number of infeasible rows and the last of them.
static int count_infeasible(const vs_mlcp *p, double rounding, int *last) {
    int count = 0;
    for (int k = 0; k < p->rows; k++)
        if (find_side(p, k, rounding) != p->set[k]) {
            count++;
            *last = k;
        }
    return count;
}

// Solves the regularized problem; every index set is an iteration. Unless `patient`, *solved = false after too many
// without progress.
static vs_error exchange(vs_mlcp *p, bool patient, bool *solved, bool *stop) {
    int least = INT_MAX, patience = BLOCKS_MOST;
    *solved = false;
    for (bool first = true;; first = false) {
        int last = 0;
        *stop = vs_method_run_late(p->impulses.run, &p->pace, first, vs_reduced_guess(&p->reduced, p->set));
        if (*stop)
            return VS_OK;
        vs_error error = find_point(p);
        if (error == VS_ERROR_NUMERICAL) {
            p->failed = "the system of an index set cannot be factored; returned is the best iterate (least error)";
            return VS_OK;
        }
        if (error)
            return error;
        double rounding = ROUNDING * find_size(p);
        int count = count_infeasible(p, rounding, &last);
        *solved = count == 0;
        *stop = vs_mlcp_check(p, *solved, &error);
        if (error || *stop || *solved)
            return error;

        patience = count < least ? BLOCKS_MOST : patience - 1;
        least = count < least ? count : least;
        for (int k = patience >= 0 ? 0 : last; k <= last; k++)
            p->set[k] = find_side(p, k, rounding);
        if (patience < (least <= FEW ? -SINGLES_MOST : 0) && !patient)
            return VS_OK;
    }
}

// Returns to the centre, with its index sets.
static void return_to_centre(vs_mlcp *p) {
    memcpy(p->x, p->centre, sizeof *p->x * (size_t)p->rows);
    vs_impulse_velocities(p->impulses.problem, p->x, p->w);
    vs_mlcp_guess_sets(p);
}

vs_error vs_block_solve(vs_mlcp *p, bool *stop) {
    double before = INFINITY, enough = SOLVED * p->impulses.run->options.tolerance, epsilon = VS_REDUCED_EPSILON;
    memcpy(p->centre, p->x, sizeof *p->x * (size_t)p->rows);
    for (int k = 0, stalls = 0; k < CENTRES_MOST && stalls < STALLS_MOST; k++) {
        bool solved;
        vs_reduced_regularize(&p->reduced, epsilon);
        vs_error error = exchange(p, epsilon >= EPSILON_MOST, &solved, stop);
        if (error || *stop || p->failed)
            return error;
        if (!solved) {
            epsilon = fmin(fmax(epsilon * EPSILON_GROWTH, EPSILON_HARD), EPSILON_MOST);
            return_to_centre(p);
            continue;
        }
        double now = vs_mlcp_error(p), least = fmin(epsilon, VS_REDUCED_EPSILON);
        if (p->friction && now <= enough)
            return VS_OK;
        bool stalled = now > .5 * before && epsilon <= VS_REDUCED_EPSILON;
        stalls = stalled ? stalls + 1 : 0;
        before = fmin(before, now);
        epsilon = fmax(epsilon / EPSILON_FALL, stalled ? EPSILON_LEAST : least);
        memcpy(p->centre, p->x, sizeof *p->x * (size_t)p->rows);
    }
    return VS_OK;
}

// ---- the method ----------------------------------------------------------------------------------------

static vs_error create(void *state, vs_method_run *run, vs_arena *arena) {
    return vs_mlcp_create(state, run, arena);
}

static void release(void *state) {
    vs_mlcp_release(state);
}

static vs_error update(void *state) {
    return vs_mlcp_update(state);
}

static void begin(void *state) {
    vs_mlcp_begin(state);
}

static vs_error solve_bounds(void *state, vs_mlcp *p, bool *stop) {
    (void)state;
    vs_impulse_velocities(p->impulses.problem, p->x, p->w);
    vs_mlcp_guess_sets(p);
    return vs_block_solve(p, stop);
}

static vs_error solve(void *state) {
    return vs_mlcp_solve(state, solve_bounds, NULL);
}

static const vs_counts *counts(const void *state) {
    return &((const vs_mlcp *)state)->reduced.counts;
}

static void report(const void *state, vs_result *result) {
    vs_mlcp_report(state, result);
}

const vs_method_class vs_pivoting_class = {
    .name = "pivoting",
    .purpose = "block principal pivoting: exact for frictionless contacts, boxes and joints; friction as boxes",
    .models = VS_SOLVES_ALL,
    .boxes = true,
    .most = 10000,
    .size = sizeof(vs_mlcp),
    .create = create,
    .release = release,
    .update = update,
    .begin = begin,
    .solve = solve,
    .counts = counts,
    .report = report,
};
