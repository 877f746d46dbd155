// The chain of stages over the islands: see coulomb.h.
#include "solver/coulomb/coulomb.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "solver/coulomb/semismooth.h"
#include "solver/impulse/one_contact.h"
#include "solver/splitting/momentum.h"

static const double ROUNDING = 4; // times the rounding of the impulses: no stage can do better
static const char AT_ROUNDING[] = "what is left of the error is the rounding of impulses in double precision";
static const double MARGIN = .9;     // of the tolerance, for what rounding adds
static const double RIGID_TIME = .7; // share of the time for the rigid problem, if a compliant one may be returned
enum { ROUNDS = 3, SWEEPS = 400 };
// Contacts from which sweeps with momentum are tried before the path, and before Newton's method: a sweep costs as much
// as 1/100 of a factorization in a pile of 3000 contacts, 1/1000 in one of 60 000. How many sweeps, then.
enum { LARGE = 1000, HUGE_ISLAND = 20000, LARGE_SWEEPS = 10000, HUGE_SWEEPS = 30000 };
static const double NEAR = 1e-6; // error from which Newton's method ends what they began, unless factors cost too much

// Under a time budget
static const double LEAST_TIME = .05; // of it: less is not worth a stage
static const double ENDING = 2.5;     // times a measurement: the islands put together, the start, what is returned
enum {
    NEWTON_LEAST = 10, // iterations that Newton's method is not begun without time for
    UNCLOCKED = 64     // groups relaxed between two readings of the clock
};

// ---- life ------------------------------------------------------------------------------------------

static vs_error allocate(vs_coulomb *c, vs_arena *arena) {
    const vs_islands *islands = &c->islands;
    int rows = 0, most = islands->most_rows, groups = islands->most_groups;
    c->first = VS_NEW(arena, int, islands->count + 1);
    if (!c->first)
        return VS_ERROR_MEMORY;
    for (int k = 0; k < islands->count; k++) {
        c->first[k] = rows;
        rows += islands->island[k].rows;
    }
    c->first[islands->count] = rows;
    c->system = VS_NEW_ZERO(arena, vs_system, islands->count);
    c->start = VS_NEW_ZERO(arena, double, rows);
    c->l = VS_NEW_ZERO(arena, double, rows);
    c->y = VS_NEW_ZERO(arena, double, rows);
    c->error = VS_NEW_ZERO(arena, double, islands->count);
    c->rounded = VS_NEW_ZERO(arena, bool, islands->count);
    c->later = VS_NEW_ZERO(arena, double, islands->count);
    c->scaled_g = VS_NEW_ZERO(arena, double, c->run->scaled.m_e);
    c->scaled_lambda = VS_NEW_ZERO(arena, double, c->run->scaled.m);
    c->dense = VS_NEW_ZERO(arena, double, VS_SYSTEM_SMALL *VS_SYSTEM_SMALL);
    c->pivot = VS_NEW_ZERO(arena, int, VS_SYSTEM_SMALL);
    bool complete = c->system && c->start && c->l && c->y && c->error && c->rounded && c->later && c->scaled_g &&
                    c->scaled_lambda && c->dense && c->pivot;
    for (int k = 0; k < VS_ATTEMPT_WORK; k++)
        complete = complete && (c->attempt.work[k] = VS_NEW_ZERO(arena, double, most));
    for (int k = 0; k < VS_ATTEMPT_BLOCKS; k++)
        complete = complete && (c->attempt.blocks[k] = VS_NEW_ZERO(arena, double, 9 * (int64_t)groups));
    return complete ? VS_OK : VS_ERROR_MEMORY;
}

// A linear solver that was asked for must be able to factor unsymmetric matrices in double precision.
static vs_error check_engine(const vs_solver_options *options, vs_context *context, const char **name) {
    *name = NULL;
    if (!options->linear_solver || strcmp(options->linear_solver, "auto") == 0)
        return VS_OK;
    const vs_linear_backend *engine = vs_linear_backend_find(options->linear_solver);
    if (!engine)
        return vs_fail(context, VS_ERROR_UNSUPPORTED, "linear_solver: \"%s\" is not in this build",
                       options->linear_solver);
    if (!engine->unsymmetric || engine->single)
        return vs_fail(context, VS_ERROR_UNSUPPORTED,
                       "linear_solver: %s cannot factor the unsymmetric matrices of exact friction; use klu, lapack or "
                       "mumps",
                       engine->name);
    *name = engine->name;
    return VS_OK;
}

static vs_error check_form(const vs_run *run) {
    bool blocks = !run->scaled.local && run->scaled.identity;
    if (run->options.form == VS_FORM_AUGMENTED)
        return vs_fail(run->context, VS_ERROR_UNSUPPORTED,
                       "form: exact friction has the impulse and the velocity form; use auto");
    if (run->options.form == VS_FORM_VELOCITY && !blocks)
        return vs_fail(
            run->context, VS_ERROR_UNSUPPORTED,
            "form: exact friction has the velocity form only for masses in small blocks; use auto or impulse");
    return VS_OK;
}

vs_error vs_coulomb_create(vs_coulomb *c, vs_run *run, vs_arena *arena) {
    *c = (vs_coulomb){.run = run, .arena = arena};
    const char *engine;
    vs_error error = check_engine(&run->options, run->context, &engine);
    if (!error)
        error = check_form(run);
    if (!error)
        error = vs_islands_create(&c->islands, &run->scaled, arena);
    if (!error)
        error = allocate(c, arena);
    for (int k = 0; !error && k < c->islands.count; k++)
        vs_system_init(&c->system[k], &c->islands, k, run->options.form, engine, c->dense, c->pivot, &c->counts);
    return error;
}

void vs_coulomb_release(vs_coulomb *c) {
    for (int k = 0; c->system && k < c->islands.count; k++)
        vs_system_release(&c->system[k]);
}

const vs_system *vs_coulomb_largest(const vs_coulomb *c) {
    const vs_system *largest = NULL;
    for (int k = 0; k < c->islands.count; k++) {
        const vs_system *system = &c->system[k];
        if (system->solver && (!largest || system->island->rows > largest->island->rows))
            largest = system;
    }
    return largest;
}

vs_error vs_coulomb_update(vs_coulomb *c) {
    return vs_islands_update(&c->islands);
}

// ---- stages ----------------------------------------------------------------------------------------

// Is an island's share of the time used up, but for one more sweep, a look and the way back to the best iterate?
static bool is_share_over(void *user) {
    vs_attempt *attempt = user;
    attempt->unclocked += attempt->island->groups;
    if (attempt->unclocked < UNCLOCKED)
        return false;
    double now = vs_run_elapsed(attempt->run), last = now - attempt->clock;
    attempt->unclocked = 0;
    attempt->clock = now;
    return now + 3 * last > attempt->deadline;
}

// A stage works on c->attempt, which is at island k.
typedef vs_outcome (*stage_function)(vs_coulomb *c, int k);

// An island of one contact: no sweep, the kernel alone. False if it found no solution to the tolerance.
static bool solve_one_contact(vs_attempt *attempt, double *l, double *y) {
    const vs_island *island = attempt->island;
    vs_one_contact_solve(island->N.x, 3, island->r, island->mu[0], l);
    vs_island_project(island, l);
    vs_island_velocities(island, l, y);
    double error = vs_island_error(island, attempt->both, l, y);
    vs_attempt_accept(attempt, l, y, error);
    vs_attempt_note(attempt, error, 1);
    return vs_attempt_solved(attempt);
}

static bool note_sweeps(void *user, double error, int sweeps) {
    vs_attempt *attempt = user;
    vs_attempt_note(attempt, error, sweeps);
    return attempt->stopped;
}

// Sweeps from `start`, at most so many, to an error.
static vs_outcome sweep(vs_sweeping method, vs_attempt *attempt, const double *start, int most, double error) {
    const vs_run *run = attempt->run;
    double *l = attempt->work[VS_GAUSS_SEIDEL_WORK], *y = attempt->work[VS_GAUSS_SEIDEL_WORK + 1];
    int left = run->max_iterations - run->iterations;
    vs_gauss_seidel_outcome outcome;
    vs_gauss_seidel_limits limits = {.both = attempt->both,
                                     .tolerance = error,
                                     .sweeps = left < most ? left : most,
                                     .most = left,
                                     .stop = note_sweeps,
                                     .late = run->max_time > 0 ? is_share_over : NULL,
                                     .user = attempt};
    memmove(l, start, sizeof(double) * (size_t)attempt->island->rows);
    method(attempt->island, limits, l, y, attempt->work, &outcome);
    vs_attempt_accept(attempt, l, y, outcome.error);
    attempt->why = outcome.stalled ? "the rate of convergence is too slow" : "the sweeps were used up";
    return vs_attempt_solved(attempt) ? VS_OUTCOME_SOLVED : attempt->stopped ? VS_OUTCOME_STOPPED : VS_OUTCOME_FAILED;
}

static vs_outcome run_gauss_seidel(vs_coulomb *c, int k) {
    vs_attempt *attempt = &c->attempt;
    (void)k;
    const vs_island *island = attempt->island;
    double *l = attempt->work[VS_GAUSS_SEIDEL_WORK], *y = attempt->work[VS_GAUSS_SEIDEL_WORK + 1];
    if (island->groups == 1 && island->law[0] == VS_LAW_FRICTION && solve_one_contact(attempt, l, y))
        return VS_OUTCOME_SOLVED;
    attempt->why = "joints alone are linear";
    if (island->contacts == 0)
        return VS_OUTCOME_FAILED;
    return sweep(vs_gauss_seidel, attempt, attempt->start, SWEEPS, attempt->tolerance);
}

// Where there is no time for Newton's method, what there is goes to sweeps.
static vs_outcome run_more_sweeps(vs_coulomb *c, int k) {
    vs_attempt *attempt = &c->attempt;
    (void)k;
    attempt->why = "there is time for Newton's method";
    if (attempt->island->contacts == 0 || vs_run_fits(attempt->run, vs_system_predict(attempt->system, NEWTON_LEAST)))
        return VS_OUTCOME_FAILED;
    vs_sweeping method = attempt->island->contacts < LARGE ? vs_gauss_seidel : vs_momentum;
    return sweep(method, attempt, attempt->l, INT_MAX, attempt->tolerance);
}

static vs_outcome run_momentum(vs_coulomb *c, int k) {
    vs_attempt *attempt = &c->attempt;
    (void)k;
    if (attempt->island->contacts >= HUGE_ISLAND)
        return sweep(vs_momentum, attempt, attempt->l, HUGE_SWEEPS, attempt->tolerance);
    vs_outcome outcome = sweep(vs_momentum, attempt, attempt->l, LARGE_SWEEPS, fmax(NEAR, attempt->tolerance));
    if (outcome == VS_OUTCOME_FAILED && attempt->error <= NEAR)
        outcome = vs_semismooth_solve(&vs_semismooth_polish, attempt, attempt->l);
    if (outcome == VS_OUTCOME_FAILED && attempt->error <= NEAR)
        outcome = sweep(vs_momentum, attempt, attempt->l, LARGE_SWEEPS, attempt->tolerance);
    return outcome;
}

// From where the solve began: sweeps that did not converge are not a better start (measured).
static vs_outcome run_newton(vs_coulomb *c, int k) {
    vs_attempt *attempt = &c->attempt;
    if (attempt->island->contacts == 0) {
        // Joints alone are linear: what one solve leaves is rounding, of impulses or of rows that contradict each
        // other.
        vs_outcome outcome = vs_semismooth_solve(&vs_semismooth_firm, attempt, attempt->start);
        c->rounded[k] = outcome == VS_OUTCOME_FAILED;
        return outcome;
    }
    vs_outcome outcome = vs_semismooth_solve(&vs_semismooth_cold, attempt, attempt->start);
    return outcome == VS_OUTCOME_FAILED ? vs_semismooth_solve(&vs_semismooth_firm, attempt, attempt->start) : outcome;
}

// Work of the path and of the homotopies; most problems never need it.
static bool need_path(vs_coulomb *c) {
    const vs_islands *islands = &c->islands;
    vs_error error = VS_OK;
    if (!c->path)
        error = vs_path_create(islands->most_rows, islands->most_groups, c->arena, &c->path);
    if (!error && !c->homotopy.l)
        error = vs_homotopy_create(&c->homotopy, islands->count, c->first[islands->count], islands->most_rows,
                                   islands->most_groups, c->arena);
    c->attempt.broken = error;
    return !error;
}

// Along the path in each of the ways, until one arrives.
static vs_outcome follow(vs_coulomb *c, const vs_path_options *ways) {
    vs_outcome outcome = need_path(c) ? VS_OUTCOME_FAILED : VS_OUTCOME_STOPPED;
    for (; ways->iterations > 0 && outcome == VS_OUTCOME_FAILED; ways++)
        outcome = vs_path_follow(c->path, ways, &c->attempt);
    return outcome;
}

static vs_outcome run_compliance(vs_coulomb *c, int k) {
    if (!need_path(c))
        return VS_OUTCOME_STOPPED;
    return vs_homotopy_compliance(&c->homotopy, c->path, &c->islands.island[k], &c->attempt, k, c->first[k]);
}

static vs_outcome run_friction(vs_coulomb *c, int k) {
    return need_path(c) ? vs_homotopy_friction(&c->homotopy, &c->islands.island[k], &c->attempt) : VS_OUTCOME_STOPPED;
}

// Only for the compliant fallback.
static vs_outcome run_soften(vs_coulomb *c, int k) {
    if (!need_path(c))
        return VS_OUTCOME_STOPPED;
    c->attempt.why = "solved with compliance before";
    if (c->homotopy.softness[k] > 0)
        return VS_OUTCOME_FAILED;
    return vs_homotopy_soften(&c->homotopy, c->path, &c->islands.island[k], &c->attempt, k, c->first[k]);
}

typedef struct stage_def {
    const char *name;
    stage_function run;
    const vs_path_options *ways; // instead of run: along the path
    bool hurried;                // only under a time budget, of which every island has its share
    int least, below;            // contacts of the islands it is for; below = 0: no limit
} stage_def;

static const stage_def chain[] = {
    {.name = "gauss-seidel", .run = run_gauss_seidel}, // cheap; kept only if it converges
    {.name = "more sweeps", .run = run_more_sweeps, .hurried = true},
    {.name = "momentum", .run = run_momentum, .least = HUGE_ISLAND}, // factors cost too much
    {.name = "newton", .run = run_newton},                           // most of what is left
    {.name = "momentum", .run = run_momentum, .least = LARGE, .below = HUGE_ISLAND},
    {.name = "path", .ways = vs_path_wide}, // folds: from here on the path of the split interior point
    {.name = "tight path", .ways = vs_path_tight},
    {.name = "long path", .ways = vs_path_long},
    {.name = "compliance", .run = run_compliance},
    {.name = "friction", .run = run_friction},
    {.name = "last path", .ways = vs_path_last},
};
static const stage_def soften = {.name = "soften", .run = run_soften};

static bool is_unsolved(const vs_coulomb *c, int k) {
    return c->error[k] > c->tolerance && !c->rounded[k];
}

static bool is_due(const vs_coulomb *c, const stage_def *def, int k) {
    int contacts = c->islands.island[k].contacts;
    return is_unsolved(c, k) && contacts >= def->least && (def->below == 0 || contacts < def->below);
}

static bool any_due(const vs_coulomb *c, const stage_def *def) {
    for (int k = 0; k < c->islands.count; k++)
        if (is_due(c, def, k))
            return true;
    return false;
}

// What a sweep costs, in entries of N.
static double work_of(const vs_coulomb *c, int k) {
    const vs_rows *N = &c->islands.island[k].N;
    return (double)N->value[N->groups];
}

static void begin_attempt(vs_coulomb *c, int k) {
    vs_attempt *attempt = &c->attempt;
    const vs_run *run = c->run;
    attempt->island = &c->islands.island[k];
    attempt->system = &c->system[k];
    attempt->run = c->run;
    attempt->tolerance = c->tolerance;
    attempt->both = run->options.criterion == VS_CRITERION_BOTH;
    attempt->start = c->start + c->first[k];
    attempt->l = c->l + c->first[k];
    attempt->y = c->y + c->first[k];
    attempt->error = c->error[k];
    attempt->iterations = 0;
    attempt->why = "";
    attempt->broken = VS_OK;
    attempt->stopped = false;
    attempt->others = c->before + c->later[k];
    attempt->unclocked = 0;
    if (run->max_time > 0) {
        double now = vs_run_elapsed(run), left = run->max_time - run->reserve - now;
        attempt->clock = now;
        attempt->deadline = now + left * work_of(c, k) / c->work;
        c->work -= work_of(c, k);
    }
}

static double energy_of(const vs_coulomb *c, int k) {
    return c->error[k] * c->error[k] * c->islands.island[k].share;
}

static void sum_energies(vs_coulomb *c) {
    double sum = c->before = 0;
    for (int k = c->islands.count - 1; k >= 0; k--) {
        c->later[k] = sum;
        sum += energy_of(c, k);
    }
}

// The report of a stage: a later round adds to it.
static vs_stage *find_stage(vs_coulomb *c, const char *name) {
    for (int k = 0; k < c->stages; k++)
        if (c->stage[k].name == name)
            return &c->stage[k];
    c->stage[c->stages] = (vs_stage){.name = name, .stopped = ""};
    return &c->stage[c->stages++];
}

// One stage on all islands that it is for and that are not solved yet. True: go on with the next.
static bool run_stage(vs_coulomb *c, const stage_def *def, vs_error *error) {
    if (!vs_run_fits(c->run, LEAST_TIME * c->run->max_time)) {
        vs_run_end(c->run, VS_STATUS_TIME_LIMIT, "");
        return false;
    }
    vs_stage *stage = find_stage(c, def->name);
    double begin = vs_clock();
    int factorizations = c->counts.factorizations;
    bool go_on = true;
    sum_energies(c);
    c->work = 0;
    for (int k = 0; k < c->islands.count; k++)
        c->work += is_due(c, def, k) ? work_of(c, k) : 0;
    for (int k = 0; k < c->islands.count && go_on; c->before += energy_of(c, k), k++) {
        vs_attempt *attempt = &c->attempt;
        if (!is_due(c, def, k))
            continue;
        begin_attempt(c, k);
        vs_outcome outcome = def->ways ? follow(c, def->ways) : def->run(c, k);
        c->error[k] = attempt->error;
        stage->tried++;
        stage->iterations += attempt->iterations;
        if (outcome == VS_OUTCOME_SOLVED) {
            stage->solved++;
            go_on = !attempt->stopped;
            continue;
        }
        stage->error = fmax(stage->error, attempt->error);
        if (attempt->error <= ROUNDING * vs_island_rounding(attempt->island, attempt->both, attempt->l))
            c->rounded[k] = true;
        stage->stopped = outcome == VS_OUTCOME_STOPPED ? "stopped" : c->rounded[k] ? AT_ROUNDING : attempt->why;
        *error = attempt->broken;
        go_on = outcome != VS_OUTCOME_STOPPED;
    }
    stage->seconds += vs_clock() - begin;
    stage->factorizations += c->counts.factorizations - factorizations;
    return go_on;
}

// ---- the whole -------------------------------------------------------------------------------------

static bool is_warm(const vs_run *run) {
    return run->warm_lambda && run->options.warm == VS_WARM_FULL;
}

// The warm start in the units of scaled.h; false if there is none.
static bool take_warm_start(vs_coulomb *c) {
    const vs_run *run = c->run;
    if (!is_warm(run))
        return false;
    vs_scaled_lambda(&run->scaled, run->start_lambda, c->scaled_lambda);
    if (run->warm_g)
        vs_scaled_g(&run->scaled, run->start_g, c->scaled_g);
    else
        memset(c->scaled_g, 0, sizeof(double) * (size_t)run->scaled.m_e);
    return true;
}

static void start(vs_coulomb *c) {
    vs_run *run = c->run;
    int solved = 0;
    bool warm = take_warm_start(c), both = run->options.criterion == VS_CRITERION_BOTH;
    for (int k = 0; k < c->islands.count; k++) {
        const vs_island *island = &c->islands.island[k];
        size_t bytes = sizeof(double) * (size_t)island->rows;
        double *l = c->l + c->first[k], *y = c->y + c->first[k];
        if (warm)
            vs_islands_gather(&c->islands, island, c->scaled_g, c->scaled_lambda, l);
        else
            memset(l, 0, bytes);
        vs_island_project(island, l);
        memcpy(c->start + c->first[k], l, bytes);
        if (warm || run->problem->lo)
            vs_island_velocities(island, l, y);
        else
            memcpy(y, island->r, bytes); // rest
        c->error[k] = vs_island_error(island, both, l, y);
        c->rounded[k] = false;
        // A start that meets the tolerance is left as it is: the margin is for what stages compute.
        if (c->error[k] <= run->options.tolerance) {
            c->error[k] = fmin(c->error[k], MARGIN * run->options.tolerance);
            solved++;
        }
    }
    if (solved > 0)
        c->stage[c->stages++] = (vs_stage){.name = "start", .tried = solved, .solved = solved, .stopped = ""};
}

// The warm start as it was given.
static vs_error measure_warm_start(vs_run *run) {
    memcpy(run->lambda, run->start_lambda, sizeof(double) * (size_t)run->problem->m);
    if (run->warm_g)
        memcpy(run->g, run->start_g, sizeof(double) * (size_t)run->problem->m_e);
    else
        memset(run->g, 0, sizeof(double) * (size_t)run->problem->m_e);
    return vs_run_measure(run);
}

// Puts the islands together and has them measured on the unscaled problem.
static vs_error measure(vs_coulomb *c) {
    vs_run *run = c->run;
    if (run->iterations == 0 && is_warm(run)) {
        vs_error error = measure_warm_start(run);
        vs_iteration line = {.energy_error = run->measures.energy_error,
                             .natural_map_relative = run->measures.natural_map_relative};
        (void)vs_run_note(run, &line);
        return error;
    }
    for (int k = 0; k < c->islands.count; k++)
        vs_islands_scatter(&c->islands, &c->islands.island[k], c->l + c->first[k], c->scaled_g, c->scaled_lambda);
    vs_scaled_lambda_undo(&run->scaled, c->scaled_lambda, run->lambda);
    vs_scaled_g_undo(&run->scaled, c->scaled_g, run->g);
    return vs_run_measure(run);
}

static int unsolved(const vs_coulomb *c) {
    int count = 0;
    for (int k = 0; k < c->islands.count; k++)
        count += is_unsolved(c, k);
    return count;
}

static bool any_rounded(const vs_coulomb *c) {
    for (int k = 0; k < c->islands.count; k++)
        if (c->rounded[k])
            return true;
    return false;
}

// The exact solutions for the smallest compliance that was solved, instead of the least error; rigid ones where they
// are known.
static vs_error return_compliant(vs_coulomb *c, bool go_on) {
    vs_error error = VS_OK;
    bool late = c->run->status == VS_STATUS_TIME_LIMIT;
    c->run->max_time = c->run->options.max_time;
    if (go_on || late)
        (void)run_stage(c, &soften, &error);
    if (late) // that the rest of the time was enough does not make it less
        c->run->status = VS_STATUS_TIME_LIMIT;
    for (int k = 0; k < c->islands.count && c->homotopy.softness && !error; k++) {
        const vs_island *island = &c->islands.island[k];
        if (c->error[k] <= c->tolerance || c->homotopy.softness[k] == 0)
            continue;
        memcpy(c->l + c->first[k], c->homotopy.soft + c->first[k], sizeof(double) * (size_t)island->rows);
        c->compliance = fmax(c->compliance, c->homotopy.softness[k]);
    }
    if (!error && c->compliance > 0) {
        vs_run_forget(c->run);
        error = measure(c);
    }
    return error;
}

// The status and its reason in words.
static void end(vs_coulomb *c, bool go_on) {
    vs_run *run = c->run;
    const char *what = "this is the iterate of least energy error", *why = "";
    for (int k = 0; k < c->stages; k++)
        if (c->stage[k].tried > c->stage[k].solved && *c->stage[k].stopped)
            why = c->stage[k].stopped;
    if (c->compliance > 0)
        what = "this is the exact solution with compliance added to the contacts";
    else if (run->options.fallback == VS_FALLBACK_COMPLIANT)
        what = "no compliant problem was solved either; this is the iterate of least energy error";
    const char *limit = run->status == VS_STATUS_TIME_LIMIT        ? "out of time"
                        : run->status == VS_STATUS_ITERATION_LIMIT ? "out of iterations"
                                                                   : "stopped by the caller";
    // Solved in the islands' numbers but not when measured, or at the rounding of its impulses: the same thing.
    if (go_on && unsolved(c) == 0)
        snprintf(c->reason, sizeof c->reason, "as accurate as can be: %s", AT_ROUNDING);
    else if (go_on)
        snprintf(c->reason, sizeof c->reason, "no stage reached the tolerance (%s); %s", why, what);
    else
        snprintf(c->reason, sizeof c->reason, "%s; %s", limit, what);
    vs_run_end(run, go_on ? VS_STATUS_INACCURATE : run->status, c->reason);
}

void vs_coulomb_begin(vs_coulomb *c) {
    c->counts = (vs_counts){0};
    c->stages = 0;
    c->compliance = 0;
    if (c->homotopy.softness)
        memset(c->homotopy.softness, 0, sizeof(double) * (size_t)c->islands.count);
}

vs_error vs_coulomb_solve(vs_coulomb *c) {
    vs_run *run = c->run;
    vs_error error = VS_OK;
    if (run->options.fallback == VS_FALLBACK_COMPLIANT)
        run->max_time *= RIGID_TIME;
    run->reserve *= ENDING;
    start(c);
    // The islands are judged in their own units; where rounding makes the measured error larger, once more and tighter.
    bool go_on = true;
    c->tolerance = MARGIN * run->options.tolerance;
    for (int round = 0; round < ROUNDS && go_on && !error; round++) {
        for (size_t k = 0; k < sizeof chain / sizeof *chain && go_on && !error; k++)
            if ((run->max_time > 0 || !chain[k].hurried) && any_due(c, &chain[k]))
                go_on = run_stage(c, &chain[k], &error);
        int left = unsolved(c);
        if (!error)
            error = measure(c);
        if (left > 0 || vs_run_converged(run, &run->best) || any_rounded(c))
            break;
        c->tolerance *= .1;
    }
    bool converged = !error && vs_run_converged(run, &run->best);
    // Islands are compared by both criteria, which may leave more energy error than there was.
    if (!error && !converged && run->iterations > 0 && is_warm(run))
        error = measure_warm_start(run);
    if (!error && !converged && run->options.fallback == VS_FALLBACK_COMPLIANT)
        error = return_compliant(c, go_on);
    if (!error && converged)
        vs_run_end(run, VS_STATUS_CONVERGED, "");
    else if (!error)
        end(c, go_on);
    return error;
}
