// The course of an iteration on impulses: see impulse_run.h.
#include "solver/impulse/impulse_run.h"

#include <limits.h>
#include <math.h>
#include <string.h>

#include "base/elementary.h"
#include "solver/impulse/group_law.h"
#include "solver/impulse/operator.h"

static const double INTERVAL = 1. / 16; // of the iterations so far pass between two measurements
static const double GAIN = .9;          // an error below this times the least counts as progress
static const double STALLED = .8;       // of all iterations without progress,
enum { PATIENCE = 20000 };              // and at least so many: it has stalled
enum { RATED = 4 };                     // iterations, doubled each time, over which the rate of a trial is measured

vs_error vs_impulse_run_create(vs_impulse_run *r, vs_method_run *run, vs_arena *arena) {
    const vs_scaled *scaled = &run->scaled;
    *r = (vs_impulse_run){
        .run = run, .scaled_g = VS_NEW(arena, double, scaled->m_e), .scaled_lambda = VS_NEW(arena, double, scaled->m)};
    if (!r->scaled_g || !r->scaled_lambda)
        return VS_ERROR_MEMORY;
    vs_error error = vs_islands_create_whole(&r->whole, scaled, arena);
    r->problem = r->whole.island;
    return error;
}

vs_error vs_impulse_run_update(vs_impulse_run *r) {
    return vs_islands_update(&r->whole);
}

void vs_impulse_run_start(vs_impulse_run *r, double *l) {
    const vs_method_run *run = r->run;
    const vs_scaled *scaled = &run->scaled;
    memset(l, 0, sizeof(double) * (size_t)r->problem->rows);
    if (run->warm_lambda && run->options.warm_start == VS_WARM_START_FULL) {
        vs_scaled_lambda(scaled, run->start_lambda, r->scaled_lambda);
        if (run->warm_g)
            vs_scaled_g(scaled, run->start_g, r->scaled_g);
        else
            memset(r->scaled_g, 0, sizeof(double) * (size_t)scaled->m_e);
        vs_impulse_gather(r->problem, r->scaled_g, r->scaled_lambda, l);
    }
    vs_impulse_project(r->problem, l);
    r->last_check = r->last_gain = 0;
    r->rate_from = run->iterations + RATED;
    r->rate_error = INFINITY;
    r->least = INFINITY;
    r->check_seconds = run->measuring;
    r->checked = run->max_time > 0 ? vs_method_run_elapsed(run) : 0;
}

vs_error vs_impulse_run_measure(vs_impulse_run *r, const double *l) {
    vs_method_run *run = r->run;
    vs_impulse_scatter(r->problem, l, r->scaled_g, r->scaled_lambda);
    vs_scaled_g_undo(&run->scaled, r->scaled_g, run->g);
    vs_scaled_lambda_undo(&run->scaled, r->scaled_lambda, run->lambda);
    return vs_method_run_measure(run);
}

// Is there no time for another iteration like the last one and its measurement?
static bool is_late(vs_impulse_run *r) {
    const vs_method_run *run = r->run;
    if (run->max_time <= 0)
        return false;
    double before = r->checked;
    r->checked = vs_method_run_elapsed(run);
    return r->checked + (r->checked - before) + r->check_seconds + run->reserve > run->max_time;
}

// Is there no progress any more?
static bool has_stalled(vs_impulse_run *r) {
    const vs_method_run *run = r->run;
    double error = vs_method_run_error(run, &run->measures);
    if (error < GAIN * r->least) {
        r->least = error;
        r->last_gain = run->iterations;
    }
    int waited = run->iterations - r->last_gain;
    return waited > PATIENCE && waited > STALLED * run->iterations;
}

// A trial: at the rate of the last half of its iterations, does it miss the tolerance?
static bool is_hopeless(vs_impulse_run *r) {
    const vs_method_run *run = r->run;
    int now = run->iterations;
    if (!run->trial || now < r->rate_from || (isfinite(r->rate_error) && now < 2 * r->rate_from))
        return false;
    double error = vs_method_run_error(run, &run->measures), tolerance = run->options.tolerance;
    double rate = vs_ln(r->rate_error / error) / (now - r->rate_from), left = vs_ln(error / tolerance);
    r->rate_from = now;
    r->rate_error = error;
    return !(left <= rate * (run->max_iterations - now)); // the first rate is infinite
}

void vs_impulse_run_check_next(vs_impulse_run *r) {
    r->last_check = INT_MIN / 2;
}

bool vs_impulse_run_check(vs_impulse_run *r, const double *l, vs_error *error) {
    vs_method_run *run = r->run;
    *error = VS_OK;
    run->iterations++;
    double since = (double)(run->iterations - r->last_check);
    bool due = run->options.check_every > 0 ? since >= run->options.check_every : since >= INTERVAL * run->iterations;
    bool last = is_late(r) || run->iterations >= run->max_iterations;
    if (!due && !last)
        return false;
    r->last_check = run->iterations;
    *error = vs_impulse_run_measure(r, l);
    if (*error)
        return true;
    vs_iteration line = {.energy_error = run->measures.energy_error,
                         .natural_map_relative = run->measures.natural_map_relative};
    bool stop = vs_method_run_note(run, &line);
    if (run->max_time > 0) {
        double now = vs_method_run_elapsed(run);
        r->check_seconds = now - r->checked;
        r->checked = now;
    }
    if (vs_method_run_converged(run, &run->measures))
        vs_method_run_end(run, VS_STATUS_CONVERGED, "");
    else if (!stop && last)
        vs_method_run_end(run, VS_STATUS_TIME_LIMIT, "out of time; returned is the best iterate (least error)");
    else if (!stop && (has_stalled(r) || is_hopeless(r)))
        vs_method_run_end(run, VS_STATUS_INACCURATE, "no more progress; returned is the best iterate (least error)");
    else
        return stop;
    return true;
}
