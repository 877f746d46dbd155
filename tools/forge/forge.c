// Searches for false certificates: random contact problems (draw.h) are solved by the library, and each result is evaluated
// in quadruple precision from the problem and the impulses alone (evaluation.h, defect.h). Problem k of a seed is always the same. Usage: --help.
//
// A worker process solves, so that the search survives crashes and hangs; totals are kept in memory that it shares with
// its parent.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "build.h"
#include "draw.h"
#include "defect.h"
#include "worker.h"

static const char USAGE[] =
    "usage: forge [--problems N] [--seed S] [--first K] [--spoil scaled|missing] [--out FOLDER]\n"
    "\n"
    "Solves N random contact problems and checks every status in quadruple precision.\n"
    "\n"
    "  --problems N  number of problems, default 1000\n"
    "  --seed S      of the problems, default 1\n"
    "  --first K     number of the first problem, default 0: to repeat one problem, with --problems 1\n"
    "  --spoil HOW   evaluate wrong impulses in place of those of a converged solve, all of which must be found: "
    "scaled "
    "by\n"
    "                1.001, or missing in the island with the largest impulse\n"
    "  --out FOLDER  write problems with defects there, as FCLIB files\n"
    "\n"
    "Exit code 1 if there is a defect. Solves that are limited in time may end differently from run to run.\n";

static const double SPOILED = 1e4;          // tolerances by which impulses are scaled
enum { SECONDS = 140, WALL_SECONDS = 600 }; // of a solve: processor time (the slowest known takes 70 s), time
enum { MODELS = 3, METHODS = 16, STATUSES = 8, TEXT = 400, MOST_SHOWN = 50 };

typedef enum forge_spoil { SPOIL_NOTHING, SPOIL_SCALED, SPOIL_MISSING } forge_spoil;

typedef struct forge_settings {
    uint64_t seed, first, problems;
    forge_spoil spoil;
    const char *out; // null: nothing is written
} forge_settings;

typedef struct forge_totals {
    uint64_t current; // number of the problem at work
    long solves, refused, spoiled, found;
    long met;     // inaccurate, although the tolerance is met
    long excused; // converged, above the tolerance by the rounding of the measurement alone
    long hidden;  // inaccurate, although exact to the floor: double precision cannot tell
    long status[MODELS][METHODS][STATUSES];
    double seconds[MODELS][METHODS];
    long defects[DEFECTS];
    double slowest; // s
    uint64_t slowest_problem;
} forge_totals;

// A problem at work.
typedef struct forge_trial {
    const forge_settings *settings;
    forge_totals *totals;
    uint64_t number;
    specimen specimen;
    forge_order order;
    vs_context *context;
    vs_problem *problem;
    vs_solver *solver;
} forge_trial;

// ---- reports ---------------------------------------------------------------------------------------------

static void describe(const forge_order *order, const specimen *s, char *text, size_t size) {
    static const char *const forms[] = {"builder", "global", "local"};
    const vs_solver_options *o = &order->options;
    (void)snprintf(
        text, size,
        "%s form, %d contacts, %d joints; model %s, method %s, tol %.0e, criterion %s, iterations %d, start %s (%g)%s",
        forms[s->form], s->contacts, s->joints, vs_model_name(o->model), vs_method_at((int)o->method).name,
        o->tolerance, o->criterion == VS_CRITERION_BOTH ? "both" : "energy", o->max_iterations,
        start_name(order->start), order->size, order->changed ? ", then changed" : "");
}

static void write_problem(const forge_trial *t, const impulses *x) {
    char path[1000];
    if (!t->settings->out || !t->problem)
        return;
    (void)snprintf(path, sizeof path, "%s/forge-%llu-%llu.hdf5", t->settings->out,
                   (unsigned long long)t->settings->seed, (unsigned long long)t->number);
    vs_solution_view solution = {.g = x ? x->g : NULL, .lambda = x ? x->lambda : NULL};
    if (vs_fclib_write(path, t->problem, x ? &solution : NULL) == VS_OK)
        printf("    %s\n", path);
    else
        printf("    not written: %s\n", vs_context_get_error_text(t->context));
}

static void report_defect(const forge_trial *t, forge_defect defect, const char *text, const impulses *x) {
    char what[TEXT];
    long count = 0;
    t->totals->defects[defect]++;
    for (int k = 0; k < DEFECTS; k++)
        count += t->totals->defects[k];
    if (count > MOST_SHOWN || t->settings->spoil)
        return;
    describe(&t->order, &t->specimen, what, sizeof what);
    printf("%s: %s\n    %s\n    forge --seed %llu --first %llu --problems 1\n", defect_name(defect), text, what,
           (unsigned long long)t->settings->seed, (unsigned long long)t->number);
    write_problem(t, x);
    fflush(stdout);
}

// ---- one problem -----------------------------------------------------------------------------------------

// Impulses of a result, spoiled if that is asked for. Was there anything to spoil?
static bool take_impulses(const forge_trial *t, const vs_result *result, impulses *x) {
    const specimen *s = &t->specimen;
    int largest = -1;
    memset(x, 0, sizeof *x);
    if (s->m_e > 0)
        memcpy(x->g, result->g, sizeof(double) * (size_t)s->m_e);
    if (s->m > 0)
        memcpy(x->lambda, result->lambda, sizeof(double) * (size_t)s->m);
    for (int k = 0; k < s->m; k++)
        if (x->lambda[k] != 0 && (largest < 0 || fabs(x->lambda[k]) > fabs(x->lambda[largest])))
            largest = k;
    if (t->settings->spoil == SPOIL_NOTHING || largest < 0 || result->status != VS_STATUS_CONVERGED)
        return false;
    for (int i = 0; i < s->contacts; i++)
        for (int k = s->row[i]; k < s->row[i + 1]; k++)
            if (t->settings->spoil == SPOIL_SCALED)
                x->lambda[k] *= 1 + SPOILED * t->order.options.tolerance;
            else if (largest >= s->row[i] && largest < s->row[i + 1])
                x->lambda[k] = 0;
    return true;
}

static bool meets(const forge_verdict *q, const vs_solver_options *o) {
    bool met = q->finite && (o->criterion == VS_CRITERION_ENERGY || ratio_root(q->map, q->size) <= o->tolerance);
    for (int k = 0; k < q->islands; k++)
        met = met && (q->island[k].exact ||
                      (ratio_root(q->island[k].energy, q->island[k].reference) <= o->tolerance &&
                       ratio_root(q->island[k].work, q->island[k].reference) <= sqrt(sqrt(o->tolerance))));
    for (int k = 0; k < q->owns; k++)
        met = met && (q->own[k].exact || ratio_root(q->own[k].energy, q->own[k].reference) <= o->tolerance);
    return met;
}

static void evaluate_result(const forge_trial *t, const vs_result *result) {
    static forge_verdict verdict;
    impulses x;
    char text[TEXT];
    const vs_solver_options *o = &t->order.options;
    bool spoiled = take_impulses(t, result, &x);
    t->totals->solves++;
    t->totals->status[o->model][o->method][result->status]++;
    evaluate(&t->specimen, result->model, &x, &verdict);
    t->totals->spoiled += spoiled;
    t->totals->met += result->status == VS_STATUS_INACCURATE && meets(&verdict, o);
    forge_defect defect = find_defect(&verdict, o, result, text, sizeof text);
    t->totals->excused += !defect && is_excused(&verdict, o, result);
    if (defect == DEFECT_INACCURATE && is_hidden(&verdict, o->tolerance)) {
        t->totals->hidden++;
        defect = DEFECT_NONE;
    }
    t->totals->found += spoiled && defect == DEFECT_CONVERGED;
    if (defect && (spoiled || !t->settings->spoil))
        report_defect(t, defect, text, &x);
}

// Solves and evaluates; false if the library refuses.
static bool solve(const forge_trial *t, vs_result *result) {
    limit_time(SECONDS, WALL_SECONDS);
    vs_error error = vs_solver_solve(t->solver, result);
    limit_time(0, 0);
    if (error) {
        t->totals->refused++;
        report_defect(t, DEFECT_ERROR, vs_context_get_error_text(t->context), NULL);
        return false;
    }
    t->totals->seconds[t->order.options.model][t->order.options.method] += result->times.total;
    if (result->times.total > t->totals->slowest) {
        t->totals->slowest = result->times.total;
        t->totals->slowest_problem = t->number;
    }
    evaluate_result(t, result);
    return true;
}

static void start_from(const forge_trial *t, stream *random) {
    static double v[MOST_N];
    impulses x;
    draw_start(random, &t->specimen, &t->order, &x, v);
    (void)vs_solver_warm_start(t->solver, v, x.g, x.lambda);
}

// Again, from the result of the first solve made wrong.
static void start_from_result(const forge_trial *t, stream *random, const vs_result *result) {
    const specimen *s = &t->specimen;
    impulses x;
    int missing = s->contacts > 0 ? draw_below(random, s->contacts) : 0;
    double factor = t->order.start == START_SCALED ? 1 + pow(10, draw_uniform(random, -14, 0)) : 1;
    if (s->m_e > 0)
        memcpy(x.g, result->g, sizeof(double) * (size_t)s->m_e);
    for (int i = 0; i < s->contacts; i++)
        for (int k = s->row[i]; k < s->row[i + 1]; k++)
            x.lambda[k] = t->order.start == START_MISSING && i == missing ? 0 : factor * result->lambda[k];
    (void)vs_solver_warm_start(t->solver, NULL, s->m_e > 0 ? x.g : NULL, x.lambda);
}

// The same solver with other velocities.
static void solve_changed(forge_trial *t) {
    vs_result result;
    specimen *s = &t->specimen;
    change_specimen(s, t->order.factor);
    vs_problem_change_def change = vs_problem_change_def_default();
    bool local = s->form == FORM_LOCAL;
    change.c = local ? NULL : s->c, change.b = local ? NULL : s->b, change.r = local ? s->r : NULL;
    vs_problem *changed;
    if (vs_problem_change(t->problem, &change, &changed) != VS_OK)
        return; // out of range
    vs_problem *before = t->problem;
    t->problem = changed;
    if (vs_solver_update(t->solver, changed) == VS_OK)
        (void)solve(t, &result);
    t->problem = before;
    vs_solver_destroy(t->solver);
    t->solver = NULL;
    vs_problem_destroy(changed);
}

// Creates problem and solver; false if the library refuses.
static bool prepare(forge_trial *t) {
    limit_time(SECONDS, WALL_SECONDS);
    vs_error error = build_problem(&t->specimen, t->context, &t->problem);
    if (!error)
        error = vs_solver_create(t->problem, &t->order.options, &t->solver);
    limit_time(0, 0);
    if (!error)
        return true;
    t->totals->refused++;
    return false;
}

static void draw(forge_trial *t, stream *random) {
    *random = stream_open(t->settings->seed, t->number);
    draw_specimen(random, &t->specimen);
    draw_order(random, &t->order);
}

static void try_problem(forge_trial *t) {
    stream random;
    vs_result result;
    draw(t, &random);
    bool again = t->order.start == START_SCALED || t->order.start == START_MISSING;
    if (prepare(t)) {
        if (t->order.start != START_COLD && !again)
            start_from(t, &random);
        bool solved = solve(t, &result);
        if (solved && again) {
            start_from_result(t, &random, &result);
            solved = solve(t, &result);
        }
        if (solved && t->order.changed)
            solve_changed(t);
    }
    vs_solver_destroy(t->solver);
    vs_problem_destroy(t->problem);
    t->solver = NULL, t->problem = NULL;
}

// ---- processes -------------------------------------------------------------------------------------------

typedef struct forge_search {
    const forge_settings *settings;
    forge_totals *totals;
} forge_search;

static forge_trial *create_trial(const forge_settings *settings, forge_totals *totals) {
    forge_trial *t = calloc(1, sizeof *t);
    if (!t || vs_context_create(NULL, &t->context) != VS_OK)
        exit(2);
    t->settings = settings;
    t->totals = totals;
    return t;
}

static void destroy_trial(forge_trial *t) {
    vs_solver_destroy(t->solver);
    vs_problem_destroy(t->problem);
    vs_context_destroy(t->context);
    free(t);
}

static void work(void *user, uint64_t from) {
    const forge_search *search = user;
    const forge_settings *settings = search->settings;
    forge_totals *totals = search->totals;
    forge_trial *t = create_trial(settings, totals);
    for (t->number = from; t->number < settings->first + settings->problems; t->number++) {
        totals->current = t->number;
        try_problem(t);
    }
    destroy_trial(t);
}

// The worker ended in the middle of a problem: which is drawn again, for the report.
static void report_end(void *user, bool hang, const char *how) {
    const forge_search *search = user;
    stream random;
    forge_trial *t = create_trial(search->settings, search->totals);
    t->number = search->totals->current;
    draw(t, &random);
    (void)build_problem(&t->specimen, t->context, &t->problem);
    report_defect(t, hang ? DEFECT_HANG : DEFECT_CRASH, how, NULL);
    destroy_trial(t);
}

// ---- the whole -------------------------------------------------------------------------------------------

static int width(vs_status status) {
    return (int)strlen(vs_status_name(status));
}

static void print_totals(const forge_settings *settings, const forge_totals *totals) {
    printf("%-13s %-13s", "model", "method");
    for (int k = 0; k < STATUSES; k++)
        printf(" %*s", width((vs_status)k), vs_status_name((vs_status)k));
    printf("  seconds\n");
    for (int model = 0; model < MODELS; model++)
        for (int method = 0; method < vs_method_count(); method++) {
            printf("%-13s %-13s", vs_model_name((vs_model)model), vs_method_at(method).name);
            for (int k = 0; k < STATUSES; k++)
                printf(" %*ld", width((vs_status)k), totals->status[model][method][k]);
            printf(" %8.1f\n", totals->seconds[model][method]);
        }
    printf("seed %llu: %llu problems, %ld solves, %ld refused, slowest %.2f s (problem %llu)\n",
           (unsigned long long)settings->seed, (unsigned long long)settings->problems, totals->solves, totals->refused,
           totals->slowest, (unsigned long long)totals->slowest_problem);
    printf("converged, above the tolerance by rounding of the measurement alone: %ld\n", totals->excused);
    printf("inaccurate although the tolerance is met: %ld, although exact: %ld\n", totals->met, totals->hidden);
    if (settings->spoil)
        printf("spoiled %ld, found %ld\n", totals->spoiled, totals->found);
    printf("defects:");
    for (int k = DEFECT_NONE + 1; k < DEFECTS; k++)
        printf("%s %ld %s", k > DEFECT_NONE + 1 ? "," : "", totals->defects[k], defect_name((forge_defect)k));
    printf("\n");
}

static bool read_number(const char *text, uint64_t *number) {
    char *end;
    *number = strtoull(text, &end, 10);
    return *text && !*end;
}

static bool read_settings(int argc, char **argv, forge_settings *settings) {
    bool good = argc % 2 == 1;
    for (int k = 1; k + 1 < argc; k += 2) {
        const char *name = argv[k], *value = argv[k + 1];
        if (strcmp(name, "--problems") == 0)
            good = good && read_number(value, &settings->problems);
        else if (strcmp(name, "--seed") == 0)
            good = good && read_number(value, &settings->seed);
        else if (strcmp(name, "--first") == 0)
            good = good && read_number(value, &settings->first);
        else if (strcmp(name, "--out") == 0)
            settings->out = value;
        else if (strcmp(name, "--spoil") == 0 && strcmp(value, "scaled") == 0)
            settings->spoil = SPOIL_SCALED;
        else if (strcmp(name, "--spoil") == 0 && strcmp(value, "missing") == 0)
            settings->spoil = SPOIL_MISSING;
        else
            good = false;
    }
    return good;
}

int main(int argc, char **argv) {
    forge_settings settings = {.problems = 1000, .seed = 1};
    if (!read_settings(argc, argv, &settings)) {
        fputs(USAGE, argc == 2 && strcmp(argv[1], "--help") == 0 ? stdout : stderr);
        return 1;
    }
    forge_totals *totals = share_memory(sizeof *totals);
    forge_search search = {&settings, totals};
    forge_workers workers = {.work = work, .report_end = report_end, .user = &search, .current = &totals->current};
    run_workers(&workers, settings.first, settings.first + settings.problems);
    print_totals(&settings, totals);
    bool defective = false;
    for (int k = 0; k < DEFECTS; k++)
        defective = defective || totals->defects[k] > 0;
    return defective;
}
