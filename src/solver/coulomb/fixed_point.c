// Exact friction by a method that solves only the convex (relaxed) model: de Saxcé's change of variables as an outer
// fixed point (De Saxcé and Feng 1998; Acary et al. 2011). For slip speeds s, one per friction contact,
//
//     relaxed problem with y_n + s in place of y_n    ->    l, y,        G(s)_i = mu_i |y_T,i|
//
//     s = G(s)
//
// solves the exact model. The shift belongs to the data, b_n - s or, in the local form, r_n + s, so that the inner
// method sees only another right-hand side. The first s = 0 gives the relaxed solution.
//
// At s = G(previous s) the relaxed error of the new impulses is their exact error: it is enough to solve each relaxed
// problem to a fraction of it. Iterates are evaluated by the exact measures; s is measured by its energy, s / sqrt(a).
//
//     plain       s <- G(s)
//     Anderson    accelerated (anderson.h), s >= 0; after a step that failed, plain steps from the previous point
//
// Where impulses in double precision do not determine the velocities (mass ratios beyond 1e8), the slip is taken from
// the inner method's own velocities. The iteration then ends when s is consistent: the remaining error is rounding.
//
// G need not contract (piles of spheres): the outer iteration then reports that it makes no progress. Where s = G(s) has
// several solutions, the start decides which one is found.
#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/elementary.h"
#include "solver/impulse/anderson.h"
#include "solver/method.h"

static const double INNER = .1;     // tolerance of a relaxed solve, relative to the exact error
static const double LOOSEST = 1e-2; // largest tolerance of a relaxed solve
static const double GAIN = .9;      // an error below this times the least one is progress
static const double GROWTH = 2;     // times the previous error: an accelerated step has failed
enum { PATIENCE = 30, DEPTH = 5 };  // outer iterations without progress; memory of Anderson acceleration

typedef struct fixed_point {
    vs_method_run *run;    // not owned
    vs_problem problem;    // the run's, borrowed, except for
    double *shifted;       // (m) its b, or r in the local form
    vs_method_run relaxed; // of that problem
    const vs_method_class *method;
    void *state;           // the method's
    vs_counts counts;      // of all relaxed solves
    double update_seconds; // s, of updating the inner method's data
    char choice[320];

    int contacts;     // with friction
    bool slides;      // there are some, on any process
    int *contact;     // (contacts)
    double *root_a;   // (contacts) sqrt(a) times the unit of the island, m/s: s = root_a x
    double *x, *G;    // (contacts) slip speeds assumed and found, sqrt(J)
    double *G_before; // (contacts) of the previous point, from which x was accelerated
    double *v;        // (n) the method's own velocities,
    bool own;         // if it has them
    vs_anderson anderson;
    bool accelerated;    // x is the result of an accelerated step
    bool stopped;        // by the caller, within a relaxed solve
    double before;       // exact error of the previous point
    int plain, failures; // plain steps to come; accelerated steps that failed
    double least;        // exact error when the last progress was made
    int waited;          // outer iterations since
} fixed_point;

// ---- life ------------------------------------------------------------------------------------------

static vs_error allocate(fixed_point *p, vs_arena *arena) {
    const vs_problem *problem = p->run->problem;
    p->shifted = VS_NEW_ZERO(arena, double, problem->m);
    p->contact = VS_NEW(arena, int, problem->contacts);
    if (!p->shifted || !p->contact)
        return VS_ERROR_MEMORY;
    for (int i = 0; i < problem->contacts; i++)
        if ((problem->kind[i] == VS_CONE_SECOND_ORDER && problem->mu[i] > 0) || vs_problem_rolls(problem, i))
            p->contact[p->contacts++] = i;
    p->slides = vs_space_any(problem->space, p->contacts > 0);
    p->root_a = VS_NEW_ZERO(arena, double, p->contacts);
    p->x = VS_NEW_ZERO(arena, double, p->contacts);
    p->G = VS_NEW_ZERO(arena, double, p->contacts);
    p->G_before = VS_NEW_ZERO(arena, double, p->contacts);
    p->v = VS_NEW(arena, double, problem->local ? 0 : problem->n);
    if (!p->v || !p->root_a || !p->x || !p->G || !p->G_before)
        return VS_ERROR_MEMORY;
    return vs_anderson_create(&p->anderson, p->contacts, DEPTH, arena);
}

// The problem of the run with its own right-hand side.
static void borrow_problem(fixed_point *p) {
    const vs_problem *problem = p->run->problem;
    const double *a = p->run->mass.scale.contact, *unit = vs_measurer_units(p->run->measurer);
    p->problem = *problem;
    memcpy(p->shifted, problem->local ? problem->r : problem->b, sizeof(double) * (size_t)problem->m);
    *(problem->local ? &p->problem.r : &p->problem.b) = p->shifted;
    for (int k = 0; k < p->contacts; k++)
        p->root_a[k] = sqrt(a[p->contact[k]]) * unit[p->run->mass.islands.contact[p->contact[k]]];
}

// The caller sees exact errors only: those of the last outer iteration while a relaxed solve runs.
static bool show_progress(void *user, const vs_iteration *iteration) {
    fixed_point *p = user;
    const vs_method_run *run = p->run;
    vs_iteration line = {.iteration = run->iterations + iteration->iteration,
                         .energy_error = run->measures.energy_error,
                         .natural_map_relative = run->measures.natural_map_relative,
                         .seconds = vs_clock() - run->begun,
                         .stage = ""};
    if (iteration->iteration > 0) // the start of a relaxed solve is no iteration
        p->stopped = !run->options.progress(run->options.progress_user, &line);
    return !p->stopped;
}

static void describe(fixed_point *p) {
    vs_result inner = {.choice = p->method->purpose};
    if (p->method->report)
        p->method->report(p->state, &inner);
    snprintf(p->choice, sizeof p->choice, "fixed point over %s; %s", p->method->name, inner.choice);
}

static vs_error create(void *state, vs_method_run *run, vs_arena *arena) {
    fixed_point *p = state;
    vs_solver_options options = run->options;
    p->run = run;
    options.model = VS_MODEL_RELAXED;
    options.progress = run->options.progress ? show_progress : NULL;
    options.progress_user = p;
    vs_error error = vs_method_find(&options, run->context, &p->method);
    if (!error)
        error = vs_method_check(p->method, run);
    if (!error)
        error = allocate(p, arena);
    if (error)
        return error;
    borrow_problem(p);
    error = vs_method_run_create(&p->relaxed, &p->problem, &options, arena);
    void *inner = error ? NULL : vs_arena_allocate_zero(arena, 1, p->method->size);
    if (error || !inner)
        return error ? error : VS_ERROR_MEMORY;
    p->state = inner;
    double begin = vs_thread_clock();
    error = p->method->create(p->state, &p->relaxed, arena);
    p->update_seconds = vs_thread_clock() - begin; // an estimate before the first update
    if (!error)
        describe(p);
    return error;
}

static void release(void *state) {
    fixed_point *p = state;
    if (p->state && p->method->release)
        p->method->release(p->state);
    vs_method_run_release(&p->relaxed);
}

// The shifted data are updated by the first relaxed solve.
static vs_error update(void *state) {
    borrow_problem(state);
    return VS_OK;
}

static void begin(void *state) {
    fixed_point *p = state;
    p->counts = (vs_counts){0};
    if (p->method->begin)
        p->method->begin(p->state);
}

// ---- a relaxed solve -------------------------------------------------------------------------------

static void shift(fixed_point *p) {
    const vs_problem *problem = p->run->problem;
    double sign = problem->local ? 1 : -1;
    for (int k = 0; k < p->contacts; k++) {
        int row = problem->row[p->contact[k]];
        double from = problem->local ? problem->r[row] : problem->b[row];
        p->shifted[row] = from + sign * p->root_a[k] * p->x[k];
    }
}

// The exact model's units of energy over those of the relaxed one, of the island where this is least.
static double unit_ratio(const fixed_point *p) {
    const double *exact = vs_measurer_units(p->run->measurer), *inner = vs_measurer_units(p->relaxed.measurer);
    double least = DBL_MAX;
    for (int k = 0; k < p->run->mass.islands.count; k++)
        least = fmin(least, exact[k] / inner[k]);
    return vs_space_min(p->run->problem->space, least);
}

// A fraction of the exact error, which is relative to other energies. Without friction there is one relaxed solve, to the
// tolerance; so there is where the error is rounding.
static double choose_tolerance(const fixed_point *p, double error) {
    const vs_method_run *run = p->run;
    if (run->scaled.extreme)
        return run->options.tolerance;
    double ratio = unit_ratio(p);
    if (run->options.criterion == VS_CRITERION_BOTH) // the natural map has its own scale
        ratio = fmin(ratio, 1);
    double wanted = p->slides ? INNER * error : run->options.tolerance;
    return fmax(fmin(wanted * ratio, LOOSEST), DBL_MIN);
}

// The remaining iterations and time.
static void limit(fixed_point *p) {
    vs_method_run *run = p->run, *relaxed = &p->relaxed;
    int left = run->max_iterations - run->iterations;
    relaxed->max_iterations = left < p->method->most ? left : p->method->most;
    relaxed->max_time = 0;
    if (run->max_time > 0)
        relaxed->max_time = fmax(run->max_time - vs_method_run_elapsed(run), 1e-9);
    relaxed->measuring = run->measuring;
    relaxed->reserve = run->reserve + run->measuring; // time for measuring by the exact model
}

static void add_counts(fixed_point *p) {
    if (!p->method->counts)
        return;
    const vs_counts *more = p->method->counts(p->state);
    p->counts.factorizations += more->factorizations;
    p->counts.solves += more->solves;
    p->counts.regularization = fmax(p->counts.regularization, more->regularization);
    p->counts.assemble += more->assemble;
    p->counts.factor += more->factor;
    p->counts.solve += more->solve;
    p->counts.refine += more->refine;
}

// The relaxed problem at x, to the tolerance that follows from the exact error of the previous point.
static vs_error solve_relaxed(fixed_point *p, double error_before) {
    vs_method_run *relaxed = &p->relaxed;
    shift(p);
    double begin = vs_thread_clock();
    vs_error error = vs_method_run_update(relaxed, &p->problem);
    if (!error)
        error = p->method->update(p->state);
    if (error)
        return error;
    p->update_seconds = vs_thread_clock() - begin;
    vs_method_run_begin(relaxed);
    limit(p);
    relaxed->options.tolerance = choose_tolerance(p, error_before);
    if (p->method->begin)
        p->method->begin(p->state);
    error = vs_method_run_measure_rest(relaxed);
    if (!error && vs_method_run_converged(relaxed, &relaxed->measures))
        vs_method_run_end(relaxed, VS_STATUS_CONVERGED, "");
    else if (!error)
        error = p->method->solve(p->state);
    add_counts(p);
    p->run->iterations += relaxed->iterations;
    return error;
}

// The next relaxed solve starts from the result of the last one, unless that broke down.
static void keep_start(fixed_point *p) {
    vs_method_run *relaxed = &p->relaxed;
    memcpy(relaxed->start_lambda, relaxed->best_lambda, sizeof(double) * (size_t)p->problem.m);
    memcpy(relaxed->start_g, relaxed->best_g, sizeof(double) * (size_t)p->problem.m_e);
    relaxed->options.warm_start = VS_WARM_START_FULL;
    relaxed->warm_lambda = relaxed->warm_g = relaxed->status != VS_STATUS_BREAKDOWN;
    relaxed->warm_v = false;
}

// ---- the fixed point -------------------------------------------------------------------------------

// sum mu_k |y_k| of a contact with rolling or spinning friction
static double rolling_slip(const fixed_point *p, int contact, const double *y) {
    double ell[VS_DISCS_ROWS], speed[VS_DISCS_ROWS] = {0};
    const vs_discs d = vs_mass_model_discs(&p->run->mass, contact, ell);
    for (int k = 0; k < d.rows; k++)
        speed[k] = y[k] * ell[k];
    return vs_discs_slip(&d, speed);
}

// G of the contact velocities y (m)
static void find_slip(const fixed_point *p, const double *y, double *G) {
    const vs_problem *problem = p->run->problem;
    for (int k = 0; k < p->contacts; k++) {
        int i = p->contact[k];
        const double *y_i = y + problem->row[i];
        double slip =
            vs_problem_rolls(problem, i) ? rolling_slip(p, i, y_i) : problem->mu[i] * vs_hypot(y_i[1], y_i[2]);
        G[k] = slip / p->root_a[k];
    }
}

// The first slip speeds are those of the warm start, if there is one; otherwise zero.
static void start(fixed_point *p) {
    vs_method_run *run = p->run, *relaxed = &p->relaxed;
    const vs_problem *problem = run->problem;
    memset(p->x, 0, sizeof(double) * (size_t)p->contacts);
    relaxed->options.warm_start = run->options.warm_start;
    relaxed->warm_v = run->warm_v, relaxed->warm_g = run->warm_g, relaxed->warm_lambda = run->warm_lambda;
    if (run->warm_g)
        memcpy(relaxed->start_g, run->start_g, sizeof(double) * (size_t)problem->m_e);
    if (run->warm_v)
        memcpy(relaxed->start_v, run->start_v, sizeof(double) * (size_t)problem->n);
    if (run->warm_lambda)
        memcpy(relaxed->start_lambda, run->start_lambda, sizeof(double) * (size_t)problem->m);
    if (run->warm_lambda && run->options.warm_start == VS_WARM_START_FULL) {
        find_slip(p, run->y, p->x); // measured before this began
    } else if (run->warm_v) {
        double *y = relaxed->y;
        vs_rows_multiply(&problem->D, 1, run->start_v, 0, y, run->context);
        for (int k = 0; k < problem->m; k++)
            y[k] -= problem->b[k];
        find_slip(p, y, p->x);
    }
    vs_anderson_forget(&p->anderson);
    p->accelerated = p->stopped = false;
    p->before = p->least = INFINITY;
    p->plain = p->failures = 0;
    p->waited = 0;
}

// Measures the result of the relaxed solve by the exact model.
static vs_error measure(fixed_point *p) {
    vs_method_run *run = p->run;
    memcpy(run->lambda, p->relaxed.best_lambda, sizeof(double) * (size_t)run->problem->m);
    memcpy(run->g, p->relaxed.best_g, sizeof(double) * (size_t)run->problem->m_e);
    run->rounding = p->relaxed.rounding / (unit_ratio(p) * unit_ratio(p));
    vs_error error = vs_method_run_measure(run);
    if (error)
        return error;
    p->own = p->method->velocities && p->method->velocities(p->state, p->v);
    if (p->own)
        vs_method_run_contact_velocities(run, p->v, run->lambda, p->relaxed.y);
    find_slip(p, p->own ? p->relaxed.y : run->y, p->G);
    return VS_OK;
}

// Are the slip speeds found those that were assumed, to the tolerance?
static bool is_consistent(const fixed_point *p) {
    double sum = 0, tolerance = p->run->options.tolerance;
    for (int k = 0; k < p->contacts; k++)
        sum += (p->G[k] - p->x[k]) * (p->G[k] - p->x[k]);
    return .5 * sum <= tolerance * tolerance;
}

static bool note(vs_method_run *run) {
    vs_iteration line = {.energy_error = run->measures.energy_error,
                         .natural_map_relative = run->measures.natural_map_relative};
    return vs_method_run_note(run, &line);
}

// Is the outcome known? Then it is in run.
static bool ends(fixed_point *p, double error) {
    vs_method_run *run = p->run;
    const vs_method_run *relaxed = &p->relaxed;
    p->waited++;
    if (error < GAIN * p->least) {
        p->least = error;
        p->waited = 0;
    }
    bool broken = relaxed->status == VS_STATUS_BREAKDOWN && !relaxed->warm_lambda;
    bool at_limit = !p->stopped && note(run), late = relaxed->status == VS_STATUS_TIME_LIMIT;
    if (vs_method_run_converged(run, &run->measures))
        vs_method_run_end(run, VS_STATUS_CONVERGED, "");
    else if (p->stopped)
        vs_method_run_end(run, VS_STATUS_STOPPED, "stopped by the caller; returned is the best iterate (least error)");
    else if (at_limit)
        return true;
    else if (late || broken || !p->slides || relaxed->status == VS_STATUS_INFEASIBLE_JOINTS)
        vs_method_run_end(run, relaxed->status, relaxed->reason);
    else if (p->own && run->rounded && is_consistent(p))
        vs_method_run_end(run, VS_STATUS_INACCURATE, ""); // the text says that it is rounding
    else if (p->waited >= PATIENCE)
        vs_method_run_end(
            run, VS_STATUS_INACCURATE,
            "the fixed point on the slip speeds makes no more progress; returned is the best iterate (least energy "
            "error)");
    else
        return false;
    return true;
}

// The next x. Each failure of an accelerated step is followed by more plain ones, so that acceleration that always fails
// leaves the plain fixed point.
static void step(fixed_point *p, double error) {
    size_t bytes = sizeof(double) * (size_t)p->contacts;
    bool failed = p->accelerated && !(error <= GROWTH * p->before);
    if (failed) {
        vs_anderson_forget(&p->anderson);
        p->plain = p->failures++ < 8 ? 1 << p->failures : 256;
        memcpy(p->x, p->G_before, bytes);
        p->accelerated = false;
        return;
    }
    p->before = error;
    memcpy(p->G_before, p->G, bytes);
    bool accelerate = p->run->options.exact.outer == VS_OUTER_ANDERSON && --p->plain < 0;
    if (accelerate)
        vs_anderson_observe(&p->anderson, p->x, p->G);
    memcpy(p->x, p->G, bytes);
    p->accelerated = accelerate && p->anderson.count > 0;
    if (!p->accelerated)
        return;
    vs_anderson_extrapolate(&p->anderson, p->x);
    for (int k = 0; k < p->contacts; k++)
        if (p->x[k] < 0) // not 0: it would stay there if the same changes came again
            p->x[k] = p->G[k];
}

static vs_error solve(void *state) {
    fixed_point *p = state;
    vs_method_run *run = p->run;
    double exact_error = vs_method_run_error(run, &run->measures);
    start(p);
    if (note(run)) // the starting point
        return VS_OK;
    while (!vs_method_run_late(run, &(vs_pace){0}, true, p->update_seconds)) {
        vs_error error = solve_relaxed(p, exact_error);
        if (!error)
            error = measure(p);
        if (error)
            return error;
        exact_error = vs_method_run_error(run, &run->measures);
        if (ends(p, exact_error))
            return VS_OK;
        step(p, exact_error);
        keep_start(p);
    }
    return VS_OK;
}

// ---- report ----------------------------------------------------------------------------------------

static const vs_counts *counts(const void *state) {
    return &((const fixed_point *)state)->counts;
}

// Form and linear solver are those of the inner method.
static void report(const void *state, vs_result *result) {
    const fixed_point *p = state;
    if (p->method->report)
        p->method->report(p->state, result);
    result->method = p->method->name;
    result->choice = p->choice;
}

static bool velocities(const void *state, double *v) {
    const fixed_point *p = state;
    bool better = p->own && p->run->rounded && p->run->status != VS_STATUS_CONVERGED;
    if (better)
        memcpy(v, p->v, sizeof(double) * (size_t)p->run->problem->n);
    return better;
}

const vs_method_class vs_fixed_point_class = {
    .name = "fixed-point",
    .purpose = "exact friction by a convex method: fixed point on the slip speeds",
    .models = VS_SOLVES_EXACT,
    .rolling = true,
    .most = 1000000, // of all relaxed solves together, as of the methods alone
    .size = sizeof(fixed_point),
    .create = create,
    .release = release,
    .update = update,
    .begin = begin,
    .solve = solve,
    .counts = counts,
    .report = report,
    .velocities = velocities,
};
