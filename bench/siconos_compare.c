// siconos_compare FILE… [--tolerance 1e-8] [--limit 5] [--repeat 3] [--detail]
//
// Exact Coulomb friction: voussoir with its default options against the fastest of Siconos' solvers, each problem
// from zero. Both are evaluated by one measure, computed by vs_measure() from the returned impulses alone:
//
//     |r - P_K(r - u - mu|u_T| n)| / max(|q|, |r|, |u|)
//
// voussoir has solved a problem if it reports so and this is within the tolerance; a solver of Siconos if it reports so
// and this is within twice the tolerance. Where Siconos' own error differs from it, other internal tolerances are
// tried.
//
// Every solve runs in a process of its own, since those of Siconos may crash or never end. The time is processor time
// of one thread and includes set-up, not reading the file or filling Siconos' structures. Global problems are also
// condensed to local ones (siconos_side.c); the time of that is shown, and is part of the time of a condensed solve.
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "linalg/blas.h"
#include "siconos_side.h"

enum {
    METHODS_MOST = 32,
    INNER_MOST = 20,    // solves in one process …
    VOUSSOIR_LIMIT = 60 // s; Siconos' limit is an option
};
static const double inner_seconds = 0.2; // … as long as they took no more than this together
static const double long_seconds = 2;    // longer solves are not repeated
static const double finalist_factor = 2; // solvers that take longer than this times the best are not repeated
static const double patience = 0.3;      // s, more than that for building a problem
static const double siconos_slack = 2;   // of the tolerance

typedef struct compare_options {
    double tolerance, limit;
    int repeat;
    bool detail;
} compare_options;

// Report of a process after each solve, followed by r (m).
typedef struct report {
    bool available;          // false: this solver is not available
    siconos_outcome outcome; //
    char stage[32];          // voussoir: the last stage that solved something
} report;

// One solver on one problem. Method null: voussoir.
typedef struct contender {
    const siconos_method *method;
    siconos_form form;
    double internal_tolerance; // passed to the solver
    bool available, reported;  // false: not in this build; crashed, or out of time
    bool late;                 // out of time, the last run
    bool solved;               // by its own report and by the measure
    double measured;           // natural map, relative
    double seconds;            // least, with condensing
    report best;               // of least time
} contender;

typedef struct match {
    vs_context *context;
    vs_problem *problem;
    vs_measurer *measurer;
    vs_problem_info info;
    double *r; // (m) impulses of the last report
    const compare_options *options;
    contender voussoir;
    contender siconos[METHODS_MOST];
    int count;
} match;

// ---- in the process of one solver --------------------------------------------------------------------

static void solve_voussoir(const match *g, double tolerance, report *out, double *r) {
    vs_solver_options options = vs_solver_options_default();
    options.model = VS_MODEL_EXACT;
    options.tolerance = tolerance;
    vs_solver *solver = NULL;
    vs_result result;
    bench_time begin = bench_now();
    vs_error error = vs_solver_create(g->problem, &options, &solver);
    out->available = error != VS_ERROR_UNSUPPORTED;
    if (!error)
        error = vs_solver_solve(solver, &result);
    out->outcome.time = bench_since(begin);
    if (!error) {
        memcpy(r, result.lambda, (size_t)g->info.m * sizeof *r);
        out->outcome.solved = result.status == VS_STATUS_CONVERGED;
        out->outcome.iterations = result.iterations;
        out->outcome.error = result.measures.natural_map_relative;
        for (int k = 0; k < result.stage_count; k++)
            if (result.stages[k].solved > 0)
                (void)snprintf(out->stage, sizeof out->stage, "%s", result.stages[k].name);
    }
    vs_solver_destroy(solver);
}

static void solve_once(const match *g, const contender *c, report *out, double *r) {
    *out = (report){.available = true};
    if (!c->method) {
        solve_voussoir(g, c->internal_tolerance, out, r);
        return;
    }
    siconos_side *side = siconos_side_create(g->problem, c->form, c->method->storage);
    if (side)
        siconos_side_solve(side, c->method, c->internal_tolerance, r, &out->outcome);
    siconos_side_destroy(side);
}

static bool write_all(int file, const void *bytes, size_t size) {
    const char *at = bytes;
    while (size > 0) {
        ssize_t written = write(file, at, size);
        if (written <= 0)
            return false;
        at += written;
        size -= (size_t)written;
    }
    return true;
}

// Solves, repeatedly while that is quick; reports each time. Output of Siconos is discarded.
static void be_solver(const match *g, const contender *c, int file) {
    int nowhere = open("/dev/null", O_WRONLY);
    (void)dup2(nowhere, STDOUT_FILENO);
    (void)dup2(nowhere, STDERR_FILENO);
    vs_blas_single_thread();
    double spent = 0;
    for (int k = 0; k < INNER_MOST && spent <= inner_seconds; k++) {
        report out;
        solve_once(g, c, &out, g->r);
        spent += out.outcome.time.processor;
        if (!write_all(file, &out, sizeof out) || !write_all(file, g->r, (size_t)g->info.m * sizeof *g->r))
            break;
    }
}

// ---- in the first process ----------------------------------------------------------------------------

static bool read_all(int file, void *bytes, size_t size) {
    char *at = bytes;
    while (size > 0) {
        ssize_t got = read(file, at, size);
        if (got <= 0)
            return false;
        at += got;
        size -= (size_t)got;
    }
    return true;
}

static double seconds(const report *out) {
    return out->outcome.time.processor + out->outcome.condensing.processor;
}

// Measures the impulses in g->r. What counts is the fastest report that solves, if there is one.
static void take(match *g, contender *c, const report *out) {
    vs_measures measures;
    bool good = vs_measure(g->measurer, NULL, g->r, NULL, NULL, &measures) == VS_OK;
    double measured = good ? measures.natural_map_relative : INFINITY;
    double slack = c->method ? siconos_slack : 1;
    bool solved = out->outcome.solved && measured <= slack * g->options->tolerance;
    if (c->reported && (c->solved > solved || (c->solved == solved && c->seconds <= seconds(out))))
        return;
    c->reported = true;
    c->available = out->available;
    c->solved = solved;
    c->measured = measured;
    c->seconds = seconds(out);
    c->best = *out;
}

// Waits for the next report or the end of the process, which is killed at its limit: of processor time, so that a busy
// machine does not matter, or of wall time if it hangs. (An interval timer in the process itself would coarsen its
// clock.)
static bool wait_for(pid_t child, int file, double limit, bool *late) {
    clockid_t clock;
    double begin = bench_now().wall;
    for (;;) {
        struct pollfd end = {.fd = file, .events = POLLIN};
        if (poll(&end, 1, 20) != 0)
            return true;
        struct timespec used = {0, 0};
        if (clock_getcpuclockid(child, &clock) == 0)
            (void)clock_gettime(clock, &used);
        *late = (double)used.tv_sec + 1e-9 * (double)used.tv_nsec > limit || bench_now().wall - begin > 10 * limit;
        if (*late) {
            (void)kill(child, SIGKILL);
            return false;
        }
    }
}

// Runs a contender again in a new process and takes what it reports into account.
static void run(match *g, contender *c, double limit) {
    int ends[2];
    if (pipe(ends) != 0)
        return;
    (void)fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        (void)close(ends[0]);
        be_solver(g, c, ends[1]);
        _exit(0);
    }
    (void)close(ends[1]);
    report out;
    c->late = false;
    while (child > 0 && wait_for(child, ends[0], limit, &c->late) && read_all(ends[0], &out, sizeof out) &&
           read_all(ends[0], g->r, (size_t)g->info.m * sizeof *g->r))
        take(g, c, &out);
    (void)close(ends[0]);
    if (child > 0)
        (void)waitpid(child, NULL, 0);
}

static void attempt(match *g, contender *c, double factor, double limit) {
    *c = (contender){.method = c->method, .form = c->form, .internal_tolerance = factor * g->options->tolerance};
    run(g, c, limit);
}

// The first run. Siconos' own error may be larger or smaller than the measure: then an internal tolerance is searched
// with which both are met.
static void screen(match *g, contender *c, double limit) {
    attempt(g, c, 1, limit);
    if (!c->method)
        return;
    if (c->reported && !c->best.outcome.solved && c->measured <= siconos_slack * g->options->tolerance)
        attempt(g, c, 10, limit);
    for (int k = 1; k <= 2 && c->reported && c->best.outcome.solved && !c->solved; k++)
        attempt(g, c, pow(0.1, k), limit);
}

static void enter_methods(match *g) {
    const siconos_method *method;
    for (int k = 0; (method = siconos_method_get(k)) && g->count < METHODS_MOST; k++) {
        if (method->global && g->info.local)
            continue;
        siconos_form local = g->info.local ? SICONOS_LOCAL : SICONOS_CONDENSED;
        g->siconos[g->count++] = (contender){.method = method, .form = method->global ? SICONOS_GLOBAL : local};
    }
}

// Of Siconos; null if none solves.
static const contender *fastest(const match *g, bool tuned) {
    const contender *best = NULL;
    for (int k = 0; k < g->count; k++) {
        const contender *c = &g->siconos[k];
        if (c->solved && (tuned || !c->method->tuned) && (!best || c->seconds < best->seconds))
            best = c;
    }
    return best;
}

// A first run of everyone, then voussoir and the best of Siconos in turn. Solvers much slower than an earlier one of
// Siconos are stopped.
static void play(match *g) {
    const compare_options *o = g->options;
    screen(g, &g->voussoir, VOUSSOIR_LIMIT);
    double limit = g->voussoir.solved ? fmax(o->limit, 2 * g->voussoir.seconds) : o->limit;
    for (int k = 0; k < g->count; k++) {
        const contender *best = fastest(g, g->siconos[k].method->tuned);
        screen(g, &g->siconos[k], best ? fmin(limit, patience + finalist_factor * best->seconds) : limit);
    }
    for (int round = 1; round < o->repeat; round++) {
        if (g->voussoir.solved && g->voussoir.seconds <= long_seconds)
            run(g, &g->voussoir, VOUSSOIR_LIMIT);
        for (int k = 0; k < g->count; k++) {
            contender *c = &g->siconos[k];
            const contender *best = fastest(g, c->method->tuned);
            if (c->solved && c->seconds <= fmin(finalist_factor * best->seconds, long_seconds))
                run(g, c, limit);
        }
    }
}

// ---- tables ------------------------------------------------------------------------------------------

static void print_voussoir(const contender *c) {
    if (!c->available && c->reported)
        printf(" not available | |");
    else if (!c->solved)
        printf(" – | error %.0e |", c->reported ? c->measured : INFINITY);
    else
        printf(" %.3g | %s |", c->seconds, c->best.stage);
}

static void print_siconos(const contender *c) {
    if (!c)
        printf(" – | |");
    else if (c->form == SICONOS_CONDENSED)
        printf(" %.3g | condensed (%.2g) %s |", c->seconds, c->best.outcome.condensing.processor, c->method->name);
    else
        printf(" %.3g | %s |", c->seconds, c->method->name);
}

static bool is_ahead(const contender *voussoir, const contender *siconos) {
    return voussoir->solved && (!siconos || voussoir->seconds < siconos->seconds);
}

static void print_line(const match *g, const char *path) {
    const contender *voussoir = &g->voussoir, *siconos = fastest(g, true);
    printf("| %s | %d |", bench_base_name(path), g->info.contacts);
    print_voussoir(voussoir);
    print_siconos(fastest(g, false));
    print_siconos(siconos);
    if (siconos && voussoir->solved)
        printf(" %.2f |", siconos->seconds / voussoir->seconds);
    else
        printf(" |");
    printf(" %s |\n", is_ahead(voussoir, siconos) ? "voussoir" : siconos ? "Siconos" : "neither");
}

static void print_contender(const char *path, const contender *c) {
    const siconos_outcome *o = &c->best.outcome;
    printf("| %s | %s%s | %.0e |", bench_base_name(path), c->form == SICONOS_CONDENSED ? "condensed " : "",
           c->method ? c->method->name : "voussoir", c->internal_tolerance);
    if (!c->reported) {
        printf(" %s | | | | |\n", c->late ? "out of time" : "crashed");
        return;
    }
    const char *verdict = c->solved ? "solved" : o->solved ? "claims it" : "failed";
    printf(" %s | %.1e | %.1e | %d | %.3g |\n", verdict, o->error, c->measured, o->iterations, c->seconds);
}

static void print_detail(const match *g, const char *path) {
    print_contender(path, &g->voussoir);
    for (int k = 0; k < g->count; k++)
        print_contender(path, &g->siconos[k]);
}

static void print_head(const compare_options *o) {
    char date[16];
    time_t now = time(NULL);
    struct tm parts;
    (void)strftime(date, sizeof date, "%Y-%m-%d", gmtime_r(&now, &parts));
    printf("# Exact Coulomb friction, voussoir and Siconos\n\n");
    printf("%s; BLAS: %s, 1 thread; tolerance %.0e; ", date, vs_solver_blas(), o->tolerance);
    printf("minimum of %d processes with up to %d solves each;\n", o->repeat, INNER_MOST);
    printf("Siconos' limit %.3g s, or twice voussoir's time; seconds of processor time.\n\n", o->limit);
    if (o->detail)
        printf("| problem | solver | internal tolerance | | own error | measured | iterations | s |\n"
               "|---|---|---|---|---|---|---|---|\n");
    else
        printf(
            "| problem | contacts | voussoir, s | stage | Siconos by default, s | solver | Siconos tuned, s | solver |"
            " tuned / voussoir | faster |\n|---|---|---|---|---|---|---|---|---|---|\n");
}

// ---- problems ----------------------------------------------------------------------------------------

typedef struct tally {
    int compared, ahead, ahead_default;
} tally;

static bool compare(const char *path, const compare_options *options, tally *score) {
    match g = {.options = options};
    if (!bench_read(path, &g.context, &g.problem))
        return false;
    g.info = vs_problem_get_info(g.problem);
    g.r = calloc((size_t)g.info.m, sizeof *g.r);
    bool good = g.r && siconos_takes(g.problem);
    if (good && vs_measurer_create(g.problem, VS_MODEL_EXACT, &g.measurer) == VS_OK) {
        enter_methods(&g);
        play(&g);
        if (options->detail)
            print_detail(&g, path);
        else
            print_line(&g, path);
        (void)fflush(stdout);
        score->compared++;
        score->ahead += is_ahead(&g.voussoir, fastest(&g, true));
        score->ahead_default += is_ahead(&g.voussoir, fastest(&g, false));
    } else {
        (void)fprintf(stderr, "%s: joints, compliance or rows without friction are not supported by Siconos\n", path);
        good = false;
    }
    free(g.r);
    vs_measurer_destroy(g.measurer);
    vs_problem_destroy(g.problem);
    vs_context_destroy(g.context);
    return good;
}

static bool parse(int argc, char **argv, compare_options *options, int *files) {
    *options = (compare_options){.tolerance = 1e-8, .limit = 5, .repeat = 3};
    *files = 0;
    for (int k = 1; k < argc; k++) {
        bool value = k + 1 < argc;
        if (strcmp(argv[k], "--detail") == 0)
            options->detail = true;
        else if (strcmp(argv[k], "--tolerance") == 0 && value)
            options->tolerance = atof(argv[++k]);
        else if (strcmp(argv[k], "--limit") == 0 && value)
            options->limit = atof(argv[++k]);
        else if (strcmp(argv[k], "--repeat") == 0 && value)
            options->repeat = atoi(argv[++k]);
        else if (strncmp(argv[k], "--", 2) != 0)
            argv[(*files)++] = argv[k];
        else
            return false;
    }
    return *files > 0 && options->tolerance > 0 && options->limit > 0 && options->repeat >= 1;
}

int main(int argc, char **argv) {
    compare_options options;
    int files;
    tally score = {0};
    if (!parse(argc, argv, &options, &files)) {
        (void)fprintf(stderr, "usage: FILE… [--tolerance 1e-8] [--limit SECONDS] [--repeat N] [--detail]\n");
        return 1;
    }
    vs_blas_single_thread();
    print_head(&options);
    bool good = true;
    for (int k = 0; k < files; k++)
        good = compare(argv[k], &options, &score) && good;
    if (!options.detail)
        printf("\nfaster than Siconos' default options on %d of %d\nfaster than tuned Siconos on %d of %d\n",
               score.ahead_default, score.compared, score.ahead, score.compared);
    return good ? 0 : 2;
}
