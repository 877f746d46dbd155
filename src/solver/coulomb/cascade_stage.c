// One stage of the cascade over all islands that it is for: the order of the islands, their shares of a time budget,
// and the stage's line of the report.
#include "solver/coulomb/cascade_stage.h"

#include <limits.h>
#include <math.h>

#include "base/clock.h"
#include "solver/impulse/evaluation.h"
#include "solver/impulse/joint_elimination.h"
#include "solver/impulse/operator.h"
#include "solver/tolerance.h"

#define ROW(index, title, function, ...) [VS_STAGE_##index] = {.name = title, .run = vs_stage_##function, __VA_ARGS__},
const vs_stage_def vs_stages[VS_STAGE_COUNT] = {VS_STAGE_TABLE(ROW)};
#undef ROW

const char vs_cascade_at_rounding[] = "the remaining error is the rounding of impulses in double precision";

static const double ROUNDING = 4;     // times the rounding of the impulses: no stage can do better
static const double UNROUNDED = .99;  // of a tolerance beside which rounding is nothing: what islands are solved to
static const double LEAST_TIME = .05; // of the time budget: less is not worth a stage

// ---- which islands -----------------------------------------------------------------------------------

double vs_cascade_slack(const vs_cascade *c, int k) {
    const vs_solver_options *options = &c->run->options;
    return vs_impulse_is_granular(&c->islands.island[k], 0) ? vs_granular_tolerance(options) / options->tolerance : 1;
}

double vs_cascade_tolerance(const vs_cascade *c, int k) {
    const double slack = vs_cascade_slack(c, k);
    return slack > 1 ? UNROUNDED / VS_CASCADE_MARGIN * slack * c->tolerance : c->tolerance;
}

bool vs_cascade_unsolved(const vs_cascade *c, int k) {
    return c->error[k] > vs_cascade_tolerance(c, k) && !c->rounded[k];
}

// Sweeps whose work the factorizations of a heap may have, to a loose tolerance or with rolling friction, and operations of a
// factorization that take as long as an entry in a sweep (heaps of 1000 to 10 000 contacts). The sweeps before them are at most
// 6000, usually 300.
static const double SWEEPS_WORTH = 12000, SWEEP_FLOPS = 6;
enum {
    LEAST_PATIENCE = 4,
    ROLLING_PATIENCE = 150 // with rolling friction, where blocks of six rows cost more than their factorization
};

enum {
    FEW_BODIES = 8,      // contacts per body; a heap of spheres has 3 to 6
    CARRIED_BODIES = 16, // that count as one contact
    MASONRY_ROWS = 3     // per velocity; a heap of spheres has 1.5 to 2
};

int vs_cascade_budget(const vs_cascade *c, int k) {
    return c->patience[k] > c->spent[k] ? c->patience[k] - c->spent[k] : 0;
}

// Bounds the patience for heaps with a loose tolerance or with rolling friction by what sweeps would cost.
static vs_error bound_patience(vs_cascade *c, int k) {
    const vs_progress *progress = &c->progress;
    double flops;
    const bool loose = vs_progress_is_loose(progress) || vs_cascade_slack(c, k) > 1;
    if (c->run->options.exact.patience == 0 || !progress->packed || !(loose || vs_progress_is_rolling(progress)))
        return VS_OK;
    vs_error error = vs_linear_system_count(progress->system, &flops);
    double most = SWEEPS_WORTH * SWEEP_FLOPS * (double)vs_impulse_entries(progress->island) / flops;
    if (vs_progress_is_rolling(progress))
        most = fmin(most, ROLLING_PATIENCE);
    if (!error && most < c->patience[k])
        c->patience[k] = most > LEAST_PATIENCE ? (int)most : LEAST_PATIENCE;
    return error;
}

// Contacts of an island, as a measure of what a factorization costs beside a sweep. One that carries velocities is factored
// in these: where there are few, as in a wall, which has a tenth as many bodies as contacts, a share of the bodies counts. Not in
// a flow of grains, which has that many contacts within its reach. Grains with a loose tolerance are large in any case: a few hundred
// sweeps solve them, where Newton's method takes dozens of factorizations (300 balls in a shaft).
int vs_cascade_size(const vs_impulse_problem *island) {
    int bodies = (island->n + 5) / 6;
    if (island->loose)
        return island->contacts > VS_STAGE_LARGE ? island->contacts : VS_STAGE_LARGE;
    bool few = island->carried && FEW_BODIES * (int64_t)bodies < island->contacts && !vs_impulse_is_granular(island, 0);
    return few ? 1 + bodies / CARRIED_BODIES : island->contacts;
}

bool vs_cascade_is_masonry(const vs_impulse_problem *island) {
    return island->carried && island->contacts >= VS_STAGE_MASONRY &&
           island->rows >= MASONRY_ROWS * (int64_t)island->n && island->n > 0;
}

static bool is_due(const vs_cascade *c, const vs_stage_def *def, int k) {
    int size = vs_cascade_size(&c->islands.island[k]);
    bool rolling = c->islands.island[k].ld > 3;
    bool enough = def->when == VS_STAGE_LIMITED && c->swept[k] >= def->iterations;
    return vs_cascade_unsolved(c, k) && !enough && vs_cascade_budget(c, k) > 0 && size >= def->from &&
           (def->below == 0 || size < def->below) && !(rolling ? def->plain : def->rolling) &&
           (!def->jointed || vs_joint_elimination_suits(&c->islands.island[k]));
}

bool vs_cascade_due(const vs_cascade *c, vs_stage_index stage) {
    const vs_stage_def *def = &vs_stages[stage];
    if (def->when == VS_STAGE_FALLBACK || (def->when == VS_STAGE_LIMITED && !c->run->obliged) ||
        (def->when == VS_STAGE_TIMED && !(c->run->max_time > 0)))
        return false;
    for (int k = 0; k < c->islands.count; k++)
        if (is_due(c, def, k))
            return true;
    return false;
}

// ---- shares of the time and of the error -------------------------------------------------------------

void vs_cascade_limit_time(vs_cascade *c, vs_stage_index stage) {
    bool fallback = c->run->options.exact.fallback == VS_FALLBACK_COMPLIANT;
    c->run->max_time = fallback ? c->max_time * vs_stages[stage].time : c->max_time;
}

// The cost of a sweep, in entries that it reads.
static double work_of(const vs_cascade *c, int k) {
    return (double)vs_impulse_entries(&c->islands.island[k]);
}

static void sum_work(vs_cascade *c, const vs_stage_def *def) {
    c->work = 0;
    for (int k = 0; k < c->islands.count; k++)
        c->work += is_due(c, def, k) ? work_of(c, k) : 0;
}

// sqrt(J); root of the energy that the errors of island k are relative to.
static double unit_of(const vs_cascade *c, int k) {
    const vs_impulse_problem *island = &c->islands.island[k];
    return sqrt(island->unit_l[0] * island->unit_y[0]);
}

static double energy_of(const vs_cascade *c, int k) {
    double root = c->error[k] * unit_of(c, k);
    return root * root;
}

static void sum_energies(vs_cascade *c) {
    double sum = c->before = 0;
    for (int k = c->islands.count - 1; k >= 0; k--) {
        c->later[k] = sum;
        sum += energy_of(c, k);
    }
}

// ---- one island --------------------------------------------------------------------------------------

static void begin_island(vs_cascade *c, int k) {
    vs_progress *progress = &c->progress;
    const vs_method_run *run = c->run;
    progress->island = &c->islands.island[k];
    progress->system = &c->system[k];
    progress->run = c->run;
    progress->tolerance = vs_cascade_tolerance(c, k);
    progress->both = run->options.criterion == VS_CRITERION_BOTH;
    progress->packed = c->packed[k];
    progress->start = c->start + c->first[k];
    progress->l = c->l + c->first[k];
    progress->y = c->y + c->first[k];
    progress->error = c->error[k];
    progress->iterations = 0;
    progress->reason = "";
    progress->failure = VS_OK;
    progress->stopped = false;
    progress->others = c->before + c->later[k];
    progress->unit = unit_of(c, k);
    progress->unclocked = 0;
    if (run->max_time > 0) {
        double now = vs_method_run_elapsed(run), left = run->max_time - run->reserve - now;
        progress->clock = now;
        progress->deadline = now + left * work_of(c, k) / c->work;
        c->work -= work_of(c, k);
    }
}

// Runs the stage on island k and adds to its line. True: continue with the next island.
static bool run_island(vs_cascade *c, const vs_stage_def *def, int k, vs_stage *line, vs_error *error) {
    vs_progress *progress = &c->progress;
    begin_island(c, k);
    *error = def->sweeps ? VS_OK : bound_patience(c, k);
    if (*error)
        return false;
    int factorizations = c->counts.factorizations, budget = vs_cascade_budget(c, k);
    if (budget == 0)
        return true;
    vs_stage_end outcome = def->run(c, k, def->sweeps || def->iterations < budget ? def->iterations : budget);
    c->spent[k] += c->counts.factorizations - factorizations;
    c->error[k] = progress->error;
    c->swept[k] += def->sweeps ? progress->iterations : 0;
    line->tried++;
    line->iterations += progress->iterations;
    if (outcome == VS_STAGE_SOLVED) {
        line->solved++;
        return !progress->stopped;
    }
    line->error = fmax(line->error, progress->error);
    if (progress->error <= ROUNDING * vs_impulse_rounding(progress->island, progress->both, progress->l))
        c->rounded[k] = true;
    line->stopped = outcome == VS_STAGE_STOPPED ? "stopped" : c->rounded[k] ? vs_cascade_at_rounding : progress->reason;
    *error = progress->failure;
    return outcome != VS_STAGE_STOPPED;
}

// ---- all islands -------------------------------------------------------------------------------------

// The stage's line of the report: a later round adds to it.
static vs_stage *find_line(vs_cascade_report *report, vs_stage_index stage) {
    if (report->line_of[stage] == 0) {
        report->line[report->lines] = (vs_stage){.name = vs_stages[stage].name, .stopped = ""};
        report->line_of[stage] = ++report->lines;
    }
    return &report->line[report->line_of[stage] - 1];
}

bool vs_cascade_run_stage(vs_cascade *c, vs_stage_index stage, vs_error *error) {
    const vs_stage_def *def = &vs_stages[stage];
    vs_cascade_limit_time(c, stage);
    if (!vs_method_run_fits(c->run, LEAST_TIME * c->run->max_time)) {
        vs_method_run_end(c->run, VS_STATUS_TIME_LIMIT, "");
        return false;
    }
    vs_stage *line = find_line(&c->report, stage);
    c->run->stage = def->name;
    double begin = vs_clock();
    int factorizations = c->counts.factorizations;
    bool resume = true;
    sum_energies(c);
    sum_work(c, def);
    for (int k = 0; k < c->islands.count && resume; c->before += energy_of(c, k), k++)
        if (is_due(c, def, k))
            resume = run_island(c, def, k, line, error);
    line->seconds += vs_clock() - begin;
    line->factorizations += c->counts.factorizations - factorizations;
    return resume;
}
