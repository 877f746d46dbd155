// The problem in impulses as a mixed linear complementarity problem: see mlcp.h.
#include "solver/pivoting/mlcp.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/elementary.h"
#include "measure/residual.h"
#include "solver/impulse/group_law.h"
#include "solver/impulse/operator.h"

static const double ROW_LEAST = 1e-14;    // diagonal below which a row has no effect: its impulse is fixed
static const double BOUNDS_STILL = .1;    // of the tolerance: change of the bounds, relative to the largest
static const double GAIN = .9;            // error or change below this times the least counts as progress
enum { ROUNDS_MOST = 100, PATIENCE = 8 }; // of the bounds; rounds without progress

// ---- life ------------------------------------------------------------------------------------------

vs_error vs_mlcp_create(vs_mlcp *p, vs_method_run *run, vs_arena *arena) {
    vs_error error = vs_impulse_run_create(&p->impulses, run, arena);
    if (!error)
        error = vs_reduced_create(&p->reduced, p->impulses.problem, run->options.linear_solver, arena);
    if (error)
        return error;
    int rows = p->rows = p->impulses.problem->rows;
    p->lo = VS_NEW(arena, double, rows);
    p->hi = VS_NEW(arena, double, rows);
    p->x = VS_NEW(arena, double, rows);
    p->w = VS_NEW(arena, double, rows);
    p->centre = VS_NEW(arena, double, rows);
    p->l = VS_NEW(arena, double, rows);
    p->set = VS_NEW(arena, signed char, rows);
    if (!p->lo || !p->hi || !p->x || !p->w || !p->centre || !p->l || !p->set)
        return VS_ERROR_MEMORY;
    for (int g = 0; g < p->impulses.problem->groups; g++)
        p->friction = p->friction || p->impulses.problem->law[g] == VS_LAW_FRICTION;
    snprintf(p->choice, sizeof p->choice, "impulse form, the only one of pivoting; %s: %s", p->reduced.backend,
             p->reduced.why);
    return VS_OK;
}

void vs_mlcp_release(vs_mlcp *p) {
    vs_reduced_release(&p->reduced);
}

vs_error vs_mlcp_update(vs_mlcp *p) {
    vs_error error = vs_impulse_run_update(&p->impulses);
    if (!error)
        vs_reduced_update(&p->reduced);
    return error;
}

void vs_mlcp_begin(vs_mlcp *p) {
    vs_reduced_begin(&p->reduced);
    p->failed = NULL;
}

void vs_mlcp_report(const vs_mlcp *p, vs_result *result) {
    result->form = "impulse";
    result->linear_solver = p->reduced.backend;
    result->choice = p->choice;
    if (p->reduced.solver) {
        result->fill = p->reduced.solver->report.fill;
        result->flops = p->reduced.solver->report.flops;
    }
}

// ---- bounds ----------------------------------------------------------------------------------------

static void set_bounds(vs_mlcp *p, int k, double lo, double hi) {
    const vs_impulse_problem *d = p->impulses.problem;
    int g = d->group_of[k];
    p->lo[k] = lo;
    p->hi[k] = hi;
    if (!(d->A[9 * (int64_t)g + 4 * (k - d->row[g])] > ROW_LEAST))
        p->lo[k] = p->hi[k] = fmin(fmax(0, lo), hi);
}

// Updates the boxes of friction contacts from the normal impulses in x. Returns the largest change relative to the
// largest bound; 0 if there are none.
static double update_boxes(vs_mlcp *p) {
    const vs_impulse_problem *d = p->impulses.problem;
    double change = 0, largest = 0;
    for (int g = d->joints; g < d->groups; g++) {
        if (d->law[g] != VS_LAW_FRICTION)
            continue;
        int k = d->row[g];
        double bound = d->mu[g] * fmax(p->x[k], 0);
        change = fmax(change, fabs(bound - p->hi[k + 1]));
        largest = fmax(largest, bound);
        set_bounds(p, k + 1, -bound, bound);
        set_bounds(p, k + 2, -bound, bound);
    }
    return largest > 0 ? change / largest : change > 0;
}

static void find_bounds(vs_mlcp *p) {
    const vs_impulse_problem *d = p->impulses.problem;
    for (int g = 0; g < d->groups; g++) {
        bool free = d->law[g] == VS_LAW_FREE, box = d->law[g] == VS_LAW_BOX;
        set_bounds(p, d->row[g], free ? -INFINITY : box ? d->lo[g] : 0, box ? d->hi[g] : INFINITY);
        for (int k = d->row[g] + 1; k < d->row[g + 1]; k++)
            set_bounds(p, k, 0, 0);
    }
    update_boxes(p);
}

void vs_mlcp_guess_sets(vs_mlcp *p) {
    for (int k = 0; k < p->rows; k++) {
        double reach = p->x[k] - p->w[k];
        bool fixed = !(p->lo[k] < p->hi[k]);
        p->set[k] = fixed || reach <= p->lo[k] ? VS_AT_LOWER : reach >= p->hi[k] ? VS_AT_UPPER : VS_BETWEEN;
    }
}

// ---- evaluation------------------------------------------------------------------------------------

static double cut(const vs_mlcp *p, int k) {
    return fmin(fmax(p->x[k], p->lo[k]), p->hi[k]);
}

// From the box to the disc inside it, along the same direction: the normal impulse stays, which a projection onto the
// cone would change.
static void round_off(const vs_impulse_problem *d, double *l) {
    for (int g = d->joints; g < d->groups; g++)
        if (d->law[g] == VS_LAW_FRICTION) {
            double *x = l + d->row[g], length = vs_hypot(x[1], x[2]), most = d->mu[g] * fmax(x[0], 0);
            double factor = length > most ? most / length : 1;
            x[1] *= factor;
            x[2] *= factor;
        }
}

bool vs_mlcp_check(vs_mlcp *p, bool measure, vs_error *error) {
    for (int k = 0; k < p->rows; k++)
        p->l[k] = cut(p, k);
    round_off(p->impulses.problem, p->l);
    vs_impulse_project(p->impulses.problem, p->l);
    if (measure)
        vs_impulse_run_check_next(&p->impulses);
    return vs_impulse_run_check(&p->impulses, p->l, error);
}

double vs_mlcp_error(vs_mlcp *p) {
    double sum = 0;
    for (int k = 0; k < p->rows; k++)
        p->x[k] = cut(p, k);
    vs_impulse_velocities(p->impulses.problem, p->x, p->w);
    for (int k = 0; k < p->rows; k++) {
        double natural = vs_row_natural(p->x[k], p->w[k], p->lo[k], p->hi[k]);
        sum += natural * natural;
    }
    return isfinite(sum) ? sqrt(.5 * sum) : INFINITY;
}

// ---- all -------------------------------------------------------------------------------------------

// Solves for one set of bounds after another; *change: the last change of the bounds.
static vs_error settle_bounds(vs_mlcp *p, vs_mlcp_solver solver, void *state, double *change, bool *stop) {
    const vs_method_run *run = p->impulses.run;
    double least = INFINITY, least_change = INFINITY;
    for (int round = 0, last_gain = 0; round < ROUNDS_MOST && round - last_gain < PATIENCE; round++) {
        vs_error error = solver(state, p, stop);
        if (error || *stop || p->failed || !p->friction)
            return error;
        *change = update_boxes(p);
        if (*change <= BOUNDS_STILL * run->options.tolerance)
            break;
        if (run->best.energy_error < GAIN * least || *change < GAIN * least_change)
            last_gain = round;
        least = fmin(least, run->best.energy_error);
        least_change = fmin(least_change, *change);
    }
    return VS_OK;
}

vs_error vs_mlcp_solve(vs_mlcp *p, vs_mlcp_solver solver, void *state) {
    vs_method_run *run = p->impulses.run;
    double change = INFINITY;
    bool stop = false;
    vs_impulse_run_start(&p->impulses, p->x);
    find_bounds(p);
    vs_error error = settle_bounds(p, solver, state, &change, &stop);
    // ended by a limit or the user, or solved; a stall needs an explanation
    if (error || (stop && (run->status != VS_STATUS_INACCURATE || !p->friction)))
        return error;
    const char *reason = "no more progress; returned is the best iterate (least error)";
    if (p->failed)
        reason = p->failed;
    else if (p->friction && change <= BOUNDS_STILL * run->options.tolerance)
        reason = "friction was solved with one box per contact instead of a cone; returned is the best iterate (least "
                 "energy error)";
    else if (p->friction)
        reason = "friction was solved with one box per contact, whose bounds do not converge; returned is the best "
                 "iterate (least error)";
    vs_method_run_end(run, VS_STATUS_INACCURATE, reason);
    return VS_OK;
}
