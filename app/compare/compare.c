// voussoir compare: every solver on every problem at every tolerance, evaluated by the same measures.
//
// The exit code is 0 if the grid was run, whether problems were solved or not.
#include "compare/compare.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/system/clock.h"
#include "cli/command.h"
#include "cli/exit_code.h"
#include "cli/system/files.h"
#include "cli/help.h"
#include "cli/system/interrupt.h"
#include "cli/system/message.h"
#include "cli/system/output.h"
#include "cli/system/path.h"
#include "cli/system/process.h"
#include "cli/system/process_pool.h"
#include "cli/scene.h"
#include "compare/comparison.h"
#include "compare/entry.h"
#include "compare/html.h"
#include "compare/inputs.h"
#include "compare/league.h"
#include "compare/options.h"
#include "compare/peer.h"
#include "compare/plots.h"
#include "compare/results.h"
#include "compare/scores.h"
#include "voussoir/voussoir.h"

// ---- progress -----------------------------------------------------------------------------------------------------

typedef struct progress {
    app_comparison *c;
    const char *what;
    int tasks;
    bool terminal, shown;
    double start, last;
} progress;

enum { LINE = 78 };

static void show(void *user, const app_pool_state *state) {
    progress *p = user;
    const double t = app_now();
    const int finished = state->finished, running = state->running;
    if (!p->terminal || t - p->last < 0.2)
        return;
    char line[LINE + 1], rest[24] = "";
    if (finished > 0 && finished < p->tasks) {
        const double seconds = (t - p->start) / finished * (p->tasks - finished);
        (void)snprintf(rest, sizeof rest, ", about %.0f %s left", seconds < 90 ? seconds : seconds / 60,
                       seconds < 90 ? "s" : "min");
    }
    (void)snprintf(line, sizeof line, "%s: %d of %d, %d running%s", p->what, finished, p->tasks, running, rest);
    (void)fprintf(stderr, "\r%-*s", LINE, line);
    (void)fflush(stderr);
    p->last = t;
    p->shown = true;
}

static void clear(const progress *p) {
    if (p->shown)
        (void)fprintf(stderr, "\r%*s\r", LINE, "");
}

// ---- the grid -----------------------------------------------------------------------------------------------------

static void work(const void *options, const void *task, void *result) {
    const app_compare_task *t = task;
    switch (t->kind) {
    case APP_COMPARE_SOLVE:
        app_compare_solve(options, t, result);
        break;
    case APP_COMPARE_TRACE:
        app_compare_trace_one(options, t, result);
        break;
    case APP_COMPARE_CAPTURE:
        app_compare_capture(options, t, result);
        break;
    case APP_COMPARE_LIST:
        app_peer_list(t, result);
        break;
    }
}

static void tell_solve(void *user, int task, void *message) {
    const app_comparison *c = ((progress *)user)->c;
    const app_compare_task t = app_compare_task_of(c, task, task / c->tolerances / c->solvers,
                                                   task / c->tolerances % c->solvers, task % c->tolerances);
    memcpy(message, &t, sizeof t);
}

static void keep_row(void *user, int task, app_end end, const char *how, const void *result) {
    app_comparison *c = ((progress *)user)->c;
    app_compare_row *row = &c->row[task];
    if (end == APP_END_DONE) {
        memcpy(row, result, sizeof *row);
    } else if (end != APP_END_INTERRUPTED) {
        (void)snprintf(row->status, sizeof row->status, "%s", end == APP_END_CRASHED ? "crashed" : "timeout");
        (void)snprintf(row->message, sizeof row->message, "%s", how);
    }
    if (c->solver[task / c->tolerances % c->solvers].peer)
        app_peer_tidy(c, task);
}

static void tell_trace(void *user, int task, void *message) {
    const app_comparison *c = ((progress *)user)->c;
    app_compare_task t = app_compare_task_of(c, task, c->trace[task].file, c->trace[task].solver, c->tolerances - 1);
    t.kind = APP_COMPARE_TRACE;
    memcpy(message, &t, sizeof t);
}

static void keep_trace(void *user, int task, app_end end, const char *how, const void *result) {
    app_compare_trace *to = &((progress *)user)->c->trace[task];
    const int file = to->file, solver = to->solver;
    (void)how;
    if (end == APP_END_DONE)
        memcpy(to, result, sizeof *to);
    to->file = file, to->solver = solver;
}

// Histories are recorded only where the solver supports the problem.
static void list_traces(app_comparison *c) {
    for (int f = 0; f < c->files; f++)
        for (int s = 0; s < c->solvers && c->file[f].history; s++) {
            const app_compare_row *row = app_compare_row_of(c, f, s, c->tolerances - 1);
            if (row->measured && !c->solver[s].peer)
                c->trace[c->traces++] = (app_compare_trace){.file = f, .solver = s};
        }
}

static bool run_grid(app_comparison *c) {
    const app_compare_options *o = &c->options;
    progress p = {.c = c, .what = "solving", .terminal = isatty(STDERR_FILENO) == 1 && !o->quiet};
    app_pool pool = {.each = {.work = work,
                              .options = o,
                              .told = sizeof(app_compare_task),
                              .size = sizeof(app_compare_row),
                              .memory = o->max_memory * 1024 * 1024 * 1024},
                     .tasks = c->files * c->solvers * c->tolerances,
                     .jobs = o->jobs,
                     .limit = 2 * o->max_time + 5,
                     .tell = tell_solve,
                     .done = keep_row,
                     .show = show,
                     .user = &p};
    p.tasks = pool.tasks;
    p.start = app_now();
    bool whole = app_pool_run(&pool);
    clear(&p);
    if (!whole || o->histories == 0)
        return whole;

    list_traces(c);
    p = (progress){.c = c, .what = "histories", .terminal = p.terminal, .tasks = c->traces, .start = app_now()};
    pool.tasks = c->traces;
    pool.each.size = sizeof(app_compare_trace);
    pool.limit = 3 * o->max_time + 5; // the solve, then its repetitions
    pool.tell = tell_trace;
    pool.done = keep_trace;
    whole = app_pool_run(&pool);
    clear(&p);
    return whole;
}

static bool allocate(app_comparison *c) {
    const size_t entries = (size_t)c->files * (size_t)c->solvers * (size_t)c->tolerances;
    const size_t traces = (size_t)c->options.histories * (size_t)c->solvers;
    c->row = calloc(entries + 1, sizeof *c->row);
    c->trace = calloc(traces + 1, sizeof *c->trace);
    if (entries > INT_MAX || !c->row || !c->trace) {
        app_complain("compare: out of memory; compare fewer files");
        return false;
    }
    for (size_t k = 0; k < entries; k++) {
        c->row[k] = (app_compare_row){.iterations = -1, .factorizations = -1, .seconds = NAN, .prepare = NAN};
        (void)snprintf(c->row[k].status, sizeof c->row[k].status, "interrupted");
    }
    return true;
}

// ---- solvers and tolerances -----------------------------------------------------------------------------------------

static bool add_solver(app_comparison *c, const char *name, bool peer, vs_method method) {
    for (int k = 0; k < c->solvers; k++)
        if (strcmp(c->solver[k].name, name) == 0)
            return true;
    if (c->solvers == APP_COMPARE_SOLVERS) {
        app_complain("compare: more than %d solvers; name fewer with --solvers", APP_COMPARE_SOLVERS);
        return false;
    }
    app_compare_solver *s = &c->solver[c->solvers++];
    *s = (app_compare_solver){.peer = peer, .method = method};
    (void)snprintf(s->name, sizeof s->name, "%s", name);
    return true;
}

// The index of a method of the library, -1: there is none of this name.
static int find_method(const char *name) {
    for (int k = 0; k < vs_method_count(); k++)
        if (strcmp(vs_method_at(k).name, name) == 0)
            return k;
    return -1;
}

static bool add_own(app_comparison *c) {
    for (int k = 0; k < vs_method_count(); k++)
        if (!add_solver(c, vs_method_at(k).name, false, (vs_method)k))
            return false;
    return true;
}

typedef struct peers {
    char name[APP_COMPARE_SOLVERS][APP_COMPARE_NAME];
    int count;
} peers;

static bool complain_solver(const peers *p, const char *name) {
    char list[512] = "";
    for (int k = 0; k < vs_method_count(); k++)
        if (k == 0 || strcmp(vs_method_at(k).name, "auto") != 0)
            (void)snprintf(list + strlen(list), sizeof list - strlen(list), "%s%s", k ? ", " : "",
                           vs_method_at(k).name);
    for (int k = 0; k < p->count; k++)
        (void)snprintf(list + strlen(list), sizeof list - strlen(list), ", %s", p->name[k]);
    app_complain("--solvers: '%s' is unknown; choose from: %s", name, list);
    return false;
}

// The requested names, in their order; then all peers, unless some of them were named.
static bool read_solvers(app_comparison *c, const peers *p) {
    bool named = false;
    char *copy = c->options.solvers ? strdup(c->options.solvers) : NULL, *rest = copy;
    if (!copy && !add_own(c))
        return false;
    for (char *word; rest && (word = strtok_r(rest, ", ", &rest));) {
        const int method = find_method(word);
        bool peer = false;
        for (int k = 0; k < p->count && !peer; k++)
            peer = strcmp(p->name[k], word) == 0;
        named = named || peer;
        if (method < 0 && !peer ? !complain_solver(p, word)
                                : !add_solver(c, word, peer, (vs_method)(peer ? 0 : method))) {
            free(copy);
            return false;
        }
    }
    free(copy);
    for (int k = 0; k < p->count && !named; k++)
        if (!add_solver(c, p->name[k], true, VS_METHOD_AUTO))
            return false;
    return true;
}

static int by_size(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x < y) - (x > y);
}

static bool read_tolerances(app_comparison *c) {
    const char *at = c->options.tolerances;
    while (*at) {
        char *end = NULL;
        const double x = strtod(at, &end);
        if (end == at || !isfinite(x) || x <= 0 || x >= 1 || (*end && *end != ',')) {
            app_complain(
                "--tolerances: '%s' is not a list of numbers between 0 and 1; for instance --tolerances 1e-4,1e-8", at);
            return false;
        }
        if (c->tolerances == APP_COMPARE_TOLERANCES) {
            app_complain("--tolerances: more than %d; give fewer", APP_COMPARE_TOLERANCES);
            return false;
        }
        c->tolerance[c->tolerances++] = x;
        at = end + (*end == ',');
    }
    qsort(c->tolerance, (size_t)c->tolerances, sizeof *c->tolerance, by_size);
    return c->tolerances > 0;
}

// ---- the command ----------------------------------------------------------------------------------------------------

// The directory of the results, and a temporary one for the files of peers.
static bool prepare_folders(app_comparison *c) {
    char scratch[APP_SCRATCH];
    const char *out = c->options.out;
    if (!app_make_directory(out)) {
        app_complain("%s: cannot create the directory%s; give another --output", out,
                     errno == EEXIST ? ": a file has this name" : "");
        return false;
    }
    if (!c->options.peers)
        return true;
    if (!app_scratch_make(scratch))
        return false;
    (void)snprintf(c->scratch, sizeof c->scratch, "%s", scratch);
    return true;
}

static void keep_line(app_comparison *c, int argc, char **argv) {
    size_t used = (size_t)snprintf(c->line, sizeof c->line, "voussoir");
    for (int k = 0; k < argc && used < sizeof c->line; k++) {
        const bool quote = !*argv[k] || strpbrk(argv[k], " '\"$&|;<>()*?\\") != NULL;
        used += (size_t)snprintf(c->line + used, sizeof c->line - used, quote ? " '%s'" : " %s", argv[k]);
    }
}

// All results so far, also after an interruption.
static int write_all(app_comparison *c) {
    app_compare_plot plot[APP_COMPARE_PLOTS];
    app_compare_tally(c);
    bool good = app_compare_write(c);
    const int plots = good ? app_compare_draw(c, plot) : 0;
    good = good && app_compare_report(c, plot, plots) && (!c->options.league || app_league_write(c));
    app_compare_print(c);
    if (good)
        printf("\nwritten to %s: %sreport.html, results.csv, results.json%s, plots/\n", c->options.out,
               c->options.league ? "league.html, " : "", c->traces > 0 ? ", histories.csv" : "");
    return good ? APP_DONE : APP_DATA;
}

// A scene may be in the folder of the results, under another name.
static bool spare_inputs(const app_comparison *c) {
    static const char *const outputs[] = {"report.html", "results.csv", "results.json", "histories.csv", "league.html"};
    bool good = true;
    for (size_t k = 0; good && k < sizeof outputs / sizeof *outputs; k++) {
        char path[APP_COMPARE_PATH];
        app_compare_path(c, outputs[k], path);
        good = app_writes(path);
    }
    return good;
}

static int compare(app_comparison *c, char **operand) {
    peers p = {.count = 0};
    if (!read_tolerances(c) || !spare_inputs(c))
        return APP_USAGE;
    if (!prepare_folders(c))
        return APP_DATA;
    if (c->options.peers && !app_peer_find(c, p.name, APP_COMPARE_SOLVERS, &p.count))
        return APP_DATA;
    if (!read_solvers(c, &p))
        return APP_USAGE;
    if (!app_compare_gather(c, operand))
        return app_interrupted() ? APP_INTERRUPTED : app_worse(c->exit_code, APP_DATA);
    if (c->options.league && !app_league_read(c))
        return APP_DATA;
    if (!allocate(c))
        return APP_DATA;
    if (!c->options.quiet && isatty(STDERR_FILENO) == 1)
        app_complain("%d files x %d solvers x %d tolerances, %d in parallel, at most %g s each; Ctrl-C ends early and "
                     "writes the results so far",
                     c->files, c->solvers, c->tolerances, c->options.jobs, c->options.max_time);
    c->interrupted = !run_grid(c);
    return app_worse(c->exit_code, write_all(c));
}

static int run(void *options, const app_line *line) {
    if (line->operands == 0) {
        app_complain("compare: no problems given; give files, a directory or a scene, for instance 'voussoir compare "
                     "problems/'");
        return APP_USAGE;
    }
    app_comparison *c = calloc(1, sizeof *c);
    if (!c) {
        app_complain("compare: out of memory");
        return APP_DATA;
    }
    c->work = work;
    keep_line(c, line->argc, line->argv);
    c->options = *(const app_compare_options *)options;
    c->options.operands = line->operands;
    app_catch_interrupts();
    int code = compare(c, line->operand);
    if (c->interrupted || code == APP_INTERRUPTED) {
        app_complain("interrupted; the results so far are included");
        code = APP_INTERRUPTED;
    }
    app_compare_release(c);
    free(c);
    return code;
}

static void prepare(void *options) {
    *(app_compare_options *)options = app_compare_options_default();
}

static void put_files(FILE *to) {
    (void)fputs("\nfiles in the directory\n", to);
    app_help_entry("report.html", "everything in one page that needs no network", to);
    app_help_entry("league.html", "the same of a collection, to be cited (--league)", to);
    app_help_entry("results.csv, .json", "one row per entry", to);
    app_help_entry("histories.csv",
                   "energy error, natural map, Fischer-Burmeister and natural residual over iterations and time", to);
    app_help_entry("plots/", "SVG and PNG, with their gnuplot scripts and data", to);
}

const app_command app_compare_command = {
    .name = "compare",
    .summary = "compare all solvers on the same problems: tables, plots, a report",
    .usage = "FILE...|DIRECTORY|SCENE [OPTIONS]",
    .description =
        "Runs every solver on every contact problem at every tolerance, each in its own process with a time limit, "
        "evaluates all results by the same error measures, and writes tables, plots and a report. A directory stands "
        "for the *.hdf5 files in it; a scene (file or name, see 'voussoir scenes') is simulated to capture its contact "
        "problems.",
    .groups = app_compare_groups,
    .more = put_files,
    .examples = "voussoir compare problems/ -o results\n"
                "voussoir compare brick-wall --steps 100 --tolerances 1e-4,1e-8,1e-12 --max-time 2\n"
                "voussoir compare pile.hdf5 --solvers auto,apgd,gauss-seidel --model relaxed --jobs 1 --repeat 5\n"
                "voussoir compare problems/ --peers --criterion natural\n"
                "voussoir compare collection/ --league --solvers auto,gauss-seidel --tolerances 1e-6,1e-8",
    .notes = "Ctrl-C or SIGTERM (kill) ends the comparison and writes the results so far; a second one kills it.",
    .exit_codes = "0 if everything was run, whether solved or not; 1 usage error, 2 bad data, 130 interrupted.",
    .size = sizeof(app_compare_options),
    .prepare = prepare,
    .run = run,
    .task = work,
    .computes = true,
    .files = "hdf5 json",
#ifdef APP_DYNAMICS
    .word = app_scene_word,
#endif
};
