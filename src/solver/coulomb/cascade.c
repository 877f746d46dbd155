// The cascade from the start to the answer: see cascade.h.
//
//     start       every island at rest or at the warm start
//     rounds      all stages on all unsolved islands; then the impulses are measured on the unscaled problem. If
//                 that error is larger than the tolerance, another round with a smaller tolerance
//     fallback    compliant solutions of the islands that no stage solved, if asked for
//     end         status and reason
#include "solver/coulomb/cascade.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "solver/impulse/operator.h"
#include "solver/impulse/evaluation.h"
#include "solver/impulse/group_law.h"
#include "solver/coulomb/cascade_least.h"
#include "solver/coulomb/cascade_stage.h"
#include "solver/tolerance.h"

static const char START[] = "start"; // in reports: islands that the starting point solves
static const double NEAR = 100;      // error over tolerance: another start may solve it
static const double ENDING = 2.5;    // times a measurement: time for collecting the islands, the start, the result

// ---- start -------------------------------------------------------------------------------------------

static bool is_warm(const vs_method_run *run) {
    return run->warm_lambda && run->options.warm_start == VS_WARM_START_FULL;
}

// The warm start in the units of scaled.h; false if there is none.
static bool scale_warm_start(vs_cascade *c) {
    const vs_method_run *run = c->run;
    if (!is_warm(run))
        return false;
    vs_scaled_lambda(&run->scaled, run->start_lambda, c->scaled_lambda);
    if (run->warm_g)
        vs_scaled_g(&run->scaled, run->start_g, c->scaled_g);
    else
        memset(c->scaled_g, 0, sizeof(double) * (size_t)run->scaled.m_e);
    return true;
}

// Start, best iterate and error of island k.
static void start_island(vs_cascade *c, int k, bool warm) {
    const vs_method_run *run = c->run;
    const vs_impulse_problem *island = &c->islands.island[k];
    size_t bytes = sizeof(double) * (size_t)island->rows;
    double *l = c->l + c->first[k], *y = c->y + c->first[k];
    if (warm)
        vs_impulse_gather(island, c->scaled_g, c->scaled_lambda, l);
    else
        memset(l, 0, bytes);
    vs_impulse_project(island, l);
    memcpy(c->start + c->first[k], l, bytes);
    if (warm || run->boxes)
        vs_impulse_velocities(island, l, y);
    else
        memcpy(y, island->r, bytes); // rest
    c->error[k] = vs_impulse_error(island, run->options.criterion == VS_CRITERION_BOTH, l, y);
    c->rounded[k] = false;
    c->spent[k] = c->swept[k] = 0;
    c->patience[k] = run->options.exact.patience == 0 ? INT_MAX : run->options.exact.patience;
}

// From the warm start if there is one, or from rest.
static void start(vs_cascade *c, bool cold) {
    vs_cascade_report *report = &c->report;
    int solved = 0;
    bool warm = !cold && scale_warm_start(c);
    for (int k = 0; k < c->islands.count; k++) {
        const double tolerance = c->run->options.tolerance * vs_cascade_slack(c, k);
        start_island(c, k, warm);
        // A start that meets the tolerance is left as it is: the margin is for the results of stages.
        if (c->error[k] <= tolerance) {
            c->error[k] = fmin(c->error[k], VS_CASCADE_MARGIN * tolerance);
            solved++;
        }
    }
    if (solved > 0 && report->lines == 0)
        report->line[report->lines++] = (vs_stage){.name = START, .tried = solved, .solved = solved, .stopped = ""};
}

// ---- measuring on the unscaled problem ---------------------------------------------------------------

// The warm start as it was given.
static vs_error measure_warm_start(vs_method_run *run) {
    memcpy(run->lambda, run->start_lambda, sizeof(double) * (size_t)run->problem->m);
    if (run->warm_g)
        memcpy(run->g, run->start_g, sizeof(double) * (size_t)run->problem->m_e);
    else
        memset(run->g, 0, sizeof(double) * (size_t)run->problem->m_e);
    return vs_method_run_measure(run);
}

// Collects the impulses of all islands and measures them.
static vs_error measure(vs_cascade *c) {
    vs_method_run *run = c->run;
    if (run->iterations == 0 && is_warm(run)) {
        vs_error error = measure_warm_start(run);
        vs_iteration line = {.energy_error = run->measures.energy_error,
                             .natural_map_relative = run->measures.natural_map_relative};
        (void)vs_method_run_note(run, &line);
        return error;
    }
    for (int k = 0; k < c->islands.count; k++)
        vs_impulse_scatter(&c->islands.island[k], c->l + c->first[k], c->scaled_g, c->scaled_lambda);
    vs_scaled_lambda_undo(&run->scaled, c->scaled_lambda, run->lambda);
    vs_scaled_g_undo(&run->scaled, c->scaled_g, run->g);
    return vs_method_run_measure(run);
}

// ---- rounds ------------------------------------------------------------------------------------------

static int count_unsolved(const vs_cascade *c) {
    int count = 0;
    for (int k = 0; k < c->islands.count; k++)
        count += vs_cascade_unsolved(c, k);
    return count;
}

// Are islands left that no stage has solved, all of them small and a few digits from the tolerance?
static bool any_nearly_solved(const vs_cascade *c) {
    int count = 0;
    for (int k = 0; k < c->islands.count; k++) {
        if (!vs_cascade_unsolved(c, k))
            continue;
        if (vs_cascade_size(&c->islands.island[k]) >= VS_STAGE_LARGE || !(c->error[k] <= NEAR * c->tolerance))
            return false;
        count++;
    }
    return count > 0;
}

static bool any_rounded(const vs_cascade *c) {
    for (int k = 0; k < c->islands.count; k++)
        if (c->rounded[k])
            return true;
    return false;
}

// For another round. Of large islands a sum of many small errors missed, so they resume from what they have, to a little less;
// what small ones missed is rounding, which they repeat from the same place: again from the start, to a tenth.
static void tighten(vs_cascade *c) {
    double factor = .1;
    for (int k = 0; k < c->islands.count; k++) {
        if (vs_cascade_size(&c->islands.island[k]) < VS_STAGE_LARGE)
            continue;
        factor = vs_measures_tightening(&c->run->measures, &c->run->options);
        memcpy(c->start + c->first[k], c->l + c->first[k], sizeof(double) * (size_t)(c->first[k + 1] - c->first[k]));
    }
    c->tolerance *= factor;
}

// All stages, in rounds. *complete: none was stopped by a limit or by the caller.
static vs_error run_rounds(vs_cascade *c, bool *complete) {
    vs_method_run *run = c->run;
    vs_error error = VS_OK;
    bool resume = true;
    c->tolerance = VS_CASCADE_MARGIN * run->options.tolerance;
    for (int round = 0; round < VS_CASCADE_ROUNDS && resume && !error; round++) {
        for (int stage = 0; stage < VS_STAGE_COUNT && resume && !error; stage++)
            if (vs_cascade_due(c, (vs_stage_index)stage))
                resume = vs_cascade_run_stage(c, (vs_stage_index)stage, &error);
        int left = count_unsolved(c);
        if (!resume && !error)
            error = vs_cascade_do_least(c);
        if (!error)
            error = measure(c);
        if (left > 0 || vs_method_run_converged(run, &run->best) || any_rounded(c))
            break;
        tighten(c);
    }
    *complete = resume;
    return error;
}

// ---- fallback ----------------------------------------------------------------------------------------

// Instead of the iterates of least error the exact solutions for the smallest compliance that was solved; islands with
// a rigid solution keep it.
static vs_error return_compliant(vs_cascade *c, bool complete) {
    vs_error error = VS_OK;
    bool late = c->run->status == VS_STATUS_TIME_LIMIT;
    vs_cascade_limit_time(c, VS_STAGE_COMPLIANT_FALLBACK);
    if (complete || late)
        (void)vs_cascade_run_stage(c, VS_STAGE_COMPLIANT_FALLBACK, &error);
    if (late) // although the rest of the time sufficed for the fallback
        c->run->status = VS_STATUS_TIME_LIMIT;
    for (int k = 0; k < c->islands.count && c->homotopy.softness && !error; k++) {
        const vs_impulse_problem *island = &c->islands.island[k];
        if (c->error[k] <= vs_cascade_tolerance(c, k) || c->homotopy.softness[k] == 0)
            continue;
        memcpy(c->l + c->first[k], c->homotopy.soft + c->first[k], sizeof(double) * (size_t)island->rows);
        c->compliance = fmax(c->compliance, c->homotopy.softness[k]);
    }
    if (!error && c->compliance > 0) {
        vs_method_run_forget(c->run);
        error = measure(c);
    }
    return error;
}

// ---- end ---------------------------------------------------------------------------------------------

static bool is_given_up(const vs_cascade *c, int k) {
    return vs_cascade_unsolved(c, k) && vs_cascade_budget(c, k) == 0;
}

// Least patience of the islands that were given up; INT_MAX: none was.
static int least_patience(const vs_cascade *c) {
    int least = INT_MAX;
    for (int k = 0; k < c->islands.count; k++)
        if (is_given_up(c, k) && c->patience[k] < least)
            least = c->patience[k];
    return least;
}

// Why the last stage that failed gave up.
static const char *last_reason(const vs_cascade_report *report) {
    const char *reason = "";
    for (int k = 0; k < report->lines; k++)
        if (report->line[k].tried > report->line[k].solved && *report->line[k].stopped)
            reason = report->line[k].stopped;
    return reason;
}

// The status and its reason in words.
static void end(vs_cascade *c, bool complete) {
    vs_method_run *run = c->run;
    const char *returned = "returned is the best iterate (least error)";
    if (c->compliance > 0)
        returned = "this is the exact solution with compliance added to the contacts";
    else if (run->options.exact.fallback == VS_FALLBACK_COMPLIANT)
        returned = "no compliant problem was solved either; returned is the best iterate (least error)";
    const char *limit = run->status == VS_STATUS_TIME_LIMIT        ? "out of time"
                        : run->status == VS_STATUS_ITERATION_LIMIT ? "out of iterations"
                                                                   : "stopped by the caller";
    // Solved in the islands' units but not when measured, or at the rounding of the impulses: the same thing.
    if (complete && count_unsolved(c) == 0)
        snprintf(c->reason, sizeof c->reason, "as accurate as can be: %s", vs_cascade_at_rounding);
    else if (complete && least_patience(c) < INT_MAX)
        snprintf(c->reason, sizeof c->reason, "out of patience after %d factorizations; %s", least_patience(c),
                 returned);
    else if (complete)
        snprintf(c->reason, sizeof c->reason, "no stage reached the tolerance (%s); %s", last_reason(&c->report),
                 returned);
    else
        snprintf(c->reason, sizeof c->reason, "%s; %s", limit, returned);
    vs_method_run_end(run, complete ? VS_STATUS_INACCURATE : run->status, c->reason);
}

// ---- the whole ---------------------------------------------------------------------------------------

void vs_cascade_begin(vs_cascade *c) {
    c->counts = (vs_counts){0};
    c->report = (vs_cascade_report){0};
    c->compliance = 0;
    if (c->homotopy.softness)
        memset(c->homotopy.softness, 0, sizeof(double) * (size_t)c->islands.count);
}

vs_error vs_cascade_solve(vs_cascade *c) {
    vs_method_run *run = c->run;
    bool complete;
    c->max_time = run->max_time;
    vs_cascade_limit_time(c, (vs_stage_index)0);
    run->reserve *= ENDING;
    start(c, false);
    vs_error error = run_rounds(c, &complete);
    bool converged = !error && vs_method_run_converged(run, &run->best);
    // Redundant impulses that a warm start brings along may have grown until their rounding is above the tolerance; and where
    // a few digits are missing, another start may find them. (Where all are, the problem usually has no solution.)
    if (!error && !converged && complete && is_warm(run) && (any_rounded(c) || any_nearly_solved(c))) {
        start(c, true);
        error = run_rounds(c, &complete);
        converged = !error && vs_method_run_converged(run, &run->best);
    }
    // Islands are compared by both criteria, which may leave more energy error than there was.
    if (!error && !converged && run->iterations > 0 && is_warm(run))
        error = measure_warm_start(run);
    if (!error && !converged && run->options.exact.fallback == VS_FALLBACK_COMPLIANT)
        error = return_compliant(c, complete);
    if (!error && converged)
        vs_method_run_end(run, VS_STATUS_CONVERGED, "");
    else if (!error)
        end(c, complete);
    return error;
}
