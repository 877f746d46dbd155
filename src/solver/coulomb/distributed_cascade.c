// Exact friction over several processes: the stages of the cascade that need no factorization, on the whole problem, and all
// of its stages on islands that one process can take over.
//
//     accelerated-gauss-seidel   sweeps with momentum, every process on its own contacts (splitting/split.h)
//     proximal-sweeps            the proximal point method around them, for soft modes along which sweeps creep
//     gathered                   islands that are not solved by then: the serial cascade on process 0
//
// An exchange per sweep; sums over the processes only where an iterate is evaluated, every 20 to 100 sweeps. Where H couples
// bodies there are no sweeps (split.h), and everything is gathered. The result is measured on the unscaled problem like any
// other, and reported as inaccurate where the tolerance is not met: Newton's method and the central path are serial, and
// islands of more than VS_GATHERED_MOST contacts do without them.
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "solver/coulomb/gathered_islands.h"
#include "solver/coulomb/stage.h"
#include "solver/impulse/impulse_run.h"
#include "solver/least.h"
#include "solver/method.h"
#include "solver/tolerance.h"
#include "solver/splitting/proximal_sweeps.h"

static const double SHARE = .5; // of a time budget for sweeps, if other stages may follow
static const double EASY = .01; // of the tolerance: islands of less error stay as they are when others are gathered
enum { STAGES = 3 };

// Sweeps by contacts and joints of all processes. Where the serial cascade may follow, it has better methods than many sweeps,
// and in small problems they cost less than the sweeps, too.
typedef struct effort {
    int size;     // at most
    int momentum; // sweeps with momentum alone that are worth it if the error does not fall,
    int most;     // and that are done at most
    int proximal; // sweeps of the proximal point method
} effort;
static const effort efforts[] = {
    {VS_STAGE_LARGE, 300, 600, 300},
    {VS_GATHERED_MOST, 3000, 12000, 10000},
    {INT_MAX, 3000, 12000, 30000},
};

typedef struct distributed_cascade {
    vs_impulse_run impulses;
    vs_split split;
    vs_sweeper sweeper;
    vs_proximal_sweeps proximal;
    double *l, *y;               // (rows and ghosts), (rows)
    double *work[VS_SWEEP_WORK]; // (rows) each
    double *slack;               // (groups) of vs_impulse_problem, of this solve
    bool sweeps;                 // there is a split
    effort effort;               //
    double unit;                 // sqrt(J); of the errors in the history
    bool stopped;                // by a limit or by the caller
    bool late;                   // the time for sweeps is over
    double clock;                // s of the time budget, when it was last read
    int since;                   // sweeps of this solve, as the clock counts them
    vs_stage line[STAGES];
    int lines;
    vs_counts counts;
    char reason[256];
} distributed_cascade;

// ---- life --------------------------------------------------------------------------------------------

static vs_error allocate(distributed_cascade *c, vs_arena *arena) {
    const vs_impulse_problem *problem = c->impulses.problem;
    c->l = VS_NEW_ZERO(arena, double, (int64_t)problem->rows + problem->scaled->ghosts);
    c->y = VS_NEW(arena, double, problem->rows);
    double *v = VS_NEW(arena, double, problem->n);
    c->slack = VS_NEW(arena, double, problem->groups);
    bool complete = c->l && c->y && c->slack && v;
    for (int k = 0; k < VS_SWEEP_WORK && complete; k++) {
        c->work[k] = VS_NEW(arena, double, problem->rows);
        complete = c->work[k];
    }
    c->sweeper = (vs_sweeper){.problem = problem, .split = &c->split, .omega = 1, .v = v};
    return vs_space_agree(problem->space, complete ? VS_OK : VS_ERROR_MEMORY);
}

static vs_error create(void *state, vs_method_run *run, vs_arena *arena) {
    distributed_cascade *c = state;
    vs_error error = vs_impulse_run_create(&c->impulses, run, arena);
    if (error)
        return error;
    c->sweeps = vs_split_exists(c->impulses.problem);
    const double size = vs_space_sum(run->problem->space, run->problem->contacts + run->problem->joints);
    int k = 0;
    while (size > efforts[k].size)
        k++;
    c->effort = efforts[k];
    if (!c->sweeps && size > VS_GATHERED_MOST)
        return vs_fail(
            run->context, VS_ERROR_UNSUPPORTED,
            "method: exact friction on several processes needs a mass matrix in blocks of bodies, or at most %d "
            "contacts and joints; use a serial run, or the relaxed model",
            VS_GATHERED_MOST);
    error = allocate(c, arena);
    if (!error && c->sweeps)
        error = vs_split_create(&c->split, c->impulses.problem, arena);
    if (!error && c->sweeps)
        error = vs_proximal_sweeps_create(&c->proximal, &c->sweeper, arena);
    return vs_space_agree(run->problem->space, error);
}

static vs_error update(void *state) {
    distributed_cascade *c = state;
    vs_error error = vs_impulse_run_update(&c->impulses);
    if (!error && c->sweeps)
        vs_split_update(&c->split);
    return error;
}

static void begin(void *state) {
    distributed_cascade *c = state;
    c->lines = 0;
    c->stopped = c->late = false;
    c->counts = (vs_counts){0};
}

// ---- stages ------------------------------------------------------------------------------------------

static bool record(void *user, double error, int sweeps) {
    distributed_cascade *c = user;
    vs_method_run *run = c->impulses.run;
    vs_iteration line = {.energy_error = error * error * c->unit * c->unit, .natural_map_relative = error};
    run->iterations += sweeps;
    c->stopped = vs_method_run_note(run, &line);
    return c->stopped;
}

static bool may_gather(const distributed_cascade *c) {
    return c->effort.size <= VS_GATHERED_MOST;
}

// Is there no time for another sweep, its evaluation and the return to the best iterate? A few are done at any budget.
static bool is_late(void *user) {
    distributed_cascade *c = user;
    const vs_method_run *run = c->impulses.run;
    double now = vs_method_run_elapsed(run), last = now - c->clock;
    c->clock = now;
    c->late = ++c->since > VS_LEAST_SWEEPS &&
              now + 3 * last + run->reserve > (may_gather(c) ? SHARE * run->max_time : run->max_time);
    return c->late;
}

static vs_sweep_limits limits_of(distributed_cascade *c, double tolerance, int sweeps, int most) {
    const vs_method_run *run = c->impulses.run;
    int left = run->max_iterations - run->iterations;
    left = left < most ? left : most;
    return (vs_sweep_limits){.both = run->options.criterion == VS_CRITERION_BOTH,
                             .tolerance = tolerance,
                             .sweeps = left < sweeps ? left : sweeps,
                             .most = left,
                             .stop = record,
                             .late = run->max_time > 0 ? is_late : NULL,
                             .user = c};
}

// The line of a stage in the report.
static vs_stage *line_of(distributed_cascade *c, const char *name) {
    int k = 0;
    while (k < c->lines && strcmp(c->line[k].name, name) != 0)
        k++;
    if (k == c->lines)
        c->line[c->lines++] = (vs_stage){.name = name, .stopped = ""};
    c->impulses.run->stage = name;
    return &c->line[k];
}

static bool end_sweeps(distributed_cascade *c, vs_stage *line, const vs_sweep_outcome *outcome, double tolerance,
                       double begun) {
    const int64_t islands = c->impulses.run->measures.islands;
    const bool solved = outcome->error <= tolerance;
    line->tried = (int)islands;
    line->solved = solved ? line->tried : 0;
    line->iterations += outcome->sweeps;
    line->seconds += vs_clock() - begun;
    line->error = solved ? 0 : outcome->error;
    line->stopped = solved             ? ""
                    : c->late          ? "the time for sweeps was used up"
                    : outcome->stalled ? "the error stagnates"
                                       : "the sweeps were used up";
    return solved;
}

// To a tolerance of vs_impulse_error(). True: it was reached.
static bool sweep(distributed_cascade *c, double tolerance) {
    vs_sweep_outcome outcome;
    vs_sweep_limits limits = limits_of(c, tolerance, c->effort.momentum, c->effort.most);
    double begun = vs_clock();
    vs_stage *line = line_of(c, "accelerated-gauss-seidel");
    vs_nesterov_sweeps(&c->sweeper, &limits, c->l, c->y, c->work, &outcome);
    if (end_sweeps(c, line, &outcome, tolerance, begun) || c->stopped || c->late)
        return !c->stopped && !c->late;
    limits = limits_of(c, tolerance, c->effort.proximal, c->effort.proximal);
    begun = vs_clock();
    line = line_of(c, "proximal-sweeps");
    vs_proximal_sweeps_solve(&c->proximal, &limits, c->l, c->y, c->work, &outcome);
    return end_sweeps(c, line, &outcome, tolerance, begun);
}

// The islands that were measured last and are not solved.
static vs_error gather(distributed_cascade *c) {
    vs_method_run *run = c->impulses.run;
    vs_gathered_outcome outcome;
    vs_stage *line = line_of(c, "gathered");
    vs_error error = vs_gathered_islands_solve(run, EASY, &outcome);
    line->tried = (int)outcome.islands;
    const bool converged = outcome.islands > 0 && outcome.status == VS_STATUS_CONVERGED;
    line->solved = converged ? line->tried : 0;
    line->iterations += outcome.iterations;
    line->factorizations += outcome.counts.factorizations;
    line->seconds += outcome.seconds;
    line->stopped = converged ? "" : "the serial cascade did not reach the tolerance";
    if (outcome.islands == 0)
        line->stopped = "the islands are too large for one process";
    else if (c->lines > 1) // the others were solved by sweeps
        line[-1].solved = line[-1].tried - line->tried;
    c->counts.factorizations += outcome.counts.factorizations;
    c->counts.solves += outcome.counts.solves;
    run->iterations += outcome.iterations;
    c->late = outcome.status == VS_STATUS_TIME_LIMIT;
    return error;
}

// ---- solving -----------------------------------------------------------------------------------------

// Rounds of sweeps, each to a smaller tolerance than the last, until the measured error meets it. *solved: the last one
// ended as it should.
static vs_error sweep_rounds(distributed_cascade *c, bool *solved) {
    vs_method_run *run = c->impulses.run;
    double tolerance = VS_CASCADE_MARGIN * run->options.tolerance;
    vs_error error = VS_OK;
    *solved = c->sweeps;
    for (int round = 0; round < VS_CASCADE_ROUNDS && !error && *solved && !c->stopped; round++) {
        *solved = sweep(c, tolerance);
        error = vs_impulse_run_measure(&c->impulses, c->l);
        if (vs_method_run_converged(run, &run->best))
            break;
        tolerance *= vs_measures_tightening(&run->measures, &run->options);
    }
    return error;
}

// Errors of granular islands count by the ratio of the tolerances.
static void set_slack(distributed_cascade *c) {
    const vs_method_run *run = c->impulses.run;
    vs_impulse_problem *problem = c->impulses.whole.island;
    const double ratio = vs_granular_tolerance(&run->options) / run->options.tolerance;
    for (int g = 0; g < problem->groups; g++)
        c->slack[g] = vs_impulse_is_granular(problem, g) ? ratio : 1;
    problem->slack = run->mass.islands.granular_islands > 0 ? c->slack : NULL;
}

static vs_error solve(void *state) {
    distributed_cascade *c = state;
    vs_method_run *run = c->impulses.run;
    bool solved;
    set_slack(c);
    vs_impulse_run_start(&c->impulses, c->l);
    c->unit = sqrt(run->best.energy_scale);
    c->clock = run->max_time > 0 ? vs_method_run_elapsed(run) : 0;
    c->since = 0;
    vs_error error = sweep_rounds(c, &solved);
    if (!error && !c->sweeps)
        error = vs_impulse_run_measure(&c->impulses, c->l);
    if (!error && !c->stopped && !vs_method_run_converged(run, &run->best) && (!c->late || may_gather(c)))
        error = gather(c);
    if (error)
        return error;
    if (c->late && !c->stopped) {
        vs_method_run_end(run, VS_STATUS_TIME_LIMIT, "out of time; returned is the best iterate (least error)");
        return VS_OK;
    }
    const char *what = solved ? "as accurate as sweeps in double precision are" : c->line[c->lines - 1].stopped;
    (void)snprintf(c->reason, sizeof c->reason, "no stage reached the tolerance (%s); %s", what,
                   "returned is the best iterate (least error)");
    vs_method_run_end(run, c->stopped ? run->status : VS_STATUS_INACCURATE, c->stopped ? run->reason : c->reason);
    return VS_OK;
}

static const vs_counts *counts(const void *state) {
    return &((const distributed_cascade *)state)->counts;
}

static void report(const void *state, vs_result *result) {
    const distributed_cascade *c = state;
    result->choice = c->sweeps ? "exact friction on several processes: sweeps; what they leave, on one process"
                               : "exact friction, and a mass matrix that couples bodies: on one process";
    result->islands = (int)c->impulses.run->best.islands;
    result->stages = c->line;
    result->stage_count = c->lines;
}

const vs_method_class vs_distributed_cascade_class = {
    .name = "cascade",
    .purpose = "exact friction over processes by stages of sweeps",
    .models = VS_SOLVES_EXACT,
    .rolling = true,
    .distributed = true,
    .most = 1000000,
    .size = sizeof(distributed_cascade),
    .create = create,
    .update = update,
    .begin = begin,
    .solve = solve,
    .counts = counts,
    .report = report,
};
