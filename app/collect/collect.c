// voussoir collect: a collection of contact problems for the comparison of solvers, with certified solutions, made from scenes.
#include "collect/collect.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/csv.h"
#include "cli/exit_code.h"
#include "cli/help.h"
#include "cli/sha256.h"
#include "cli/system/clock.h"
#include "cli/system/interrupt.h"
#include "cli/system/message.h"
#include "cli/system/output.h"
#include "cli/system/path.h"
#include "cli/system/process_pool.h"
#include "cli/system/system.h"
#include "collect/collected.h"
#include "collect/recipe.h"

static const char TABLE[] = "collection.csv";
enum { MOST_EACH = 1000, TASK_SECONDS = 3600 };

typedef struct collect_options {
    const char *out, *only;
    int seed, each, jobs;
    bool quiet;
} collect_options;

// Problem `number` of a recipe.
typedef struct collect_task {
    int recipe, number;
} collect_task;

typedef struct collection {
    const collect_options *options;
    collect_task *task;       // (tasks)
    app_collected *collected; // (tasks)
    int tasks;
    double last; // s, when progress was shown
    bool shown;
} collection;

// ---- what is made -----------------------------------------------------------------------------------------------

static int count_recipes(void) {
    int count = 0;
    while (app_recipes[count].family)
        count++;
    return count;
}

// --only: a list of families and of names of problems.
static bool is_wanted(const char *only, const char *family, const char *name) {
    if (!only)
        return true;
    for (const char *at = only; *at;) {
        const size_t length = strcspn(at, ",");
        if ((strlen(family) == length && strncmp(at, family, length) == 0) ||
            (strlen(name) == length && strncmp(at, name, length) == 0))
            return true;
        at += length + (at[length] == ',');
    }
    return false;
}

// false: complained.
static bool list_tasks(collection *c) {
    const collect_options *o = c->options;
    const int recipes = count_recipes();
    c->task = calloc((size_t)recipes * (size_t)o->each + 1, sizeof *c->task);
    for (int r = 0; c->task && r < recipes; r++)
        for (int k = 1; k <= o->each; k++) {
            char name[APP_COLLECT_NAME];
            (void)snprintf(name, sizeof name, "%s-%03d", app_recipes[r].family, k);
            if (is_wanted(o->only, app_recipes[r].family, name))
                c->task[c->tasks++] = (collect_task){r, k};
        }
    c->collected = c->task ? calloc((size_t)c->tasks + 1, sizeof *c->collected) : NULL;
    if (!c->collected)
        app_complain("collect: out of memory; make fewer problems with --each");
    else if (c->tasks == 0)
        app_complain("--only: '%s' is neither a family nor the name of a problem, such as arch or arch-003; "
                     "'voussoir collect --help' lists the families",
                     o->only);
    return c->collected && c->tasks > 0;
}

// ---- making -----------------------------------------------------------------------------------------------------

static void work(const void *options, const void *message, void *result) {
    const collect_options *o = options;
    const collect_task *t = message;
    app_collect_one(&app_recipes[t->recipe], (uint64_t)o->seed, t->number, o->out, result);
}

static void tell_task(void *user, int task, void *message) {
    *(collect_task *)message = ((const collection *)user)->task[task];
}

static void keep(void *user, int task, app_end end, const char *how, const void *result) {
    collection *c = user;
    app_collected *to = &c->collected[task];
    if (end == APP_END_DONE) {
        memcpy(to, result, sizeof *to);
        return;
    }
    const app_recipe *recipe = &app_recipes[c->task[task].recipe];
    (void)snprintf(to->family, sizeof to->family, "%s", recipe->family);
    (void)snprintf(to->name, sizeof to->name, "%s-%03d", recipe->family, c->task[task].number);
    (void)snprintf(to->why, sizeof to->why, "%s", end == APP_END_INTERRUPTED ? "interrupted" : how);
}

static void show(void *user, const app_pool_state *state) {
    collection *c = user;
    const double now = app_now();
    if (c->options->quiet || isatty(STDERR_FILENO) != 1 || now - c->last < .2)
        return;
    (void)fprintf(stderr, "\r%d of %d problems", state->finished, c->tasks);
    c->last = now;
    c->shown = true;
}

// ---- tables -----------------------------------------------------------------------------------------------------

static void put_row(FILE *to, const app_collected *p) {
    (void)fprintf(to, "%s,%s,%s,", p->name, p->family, p->held_out ? "held-out" : "tuning");
    app_csv_text(to, p->scene);
    (void)fprintf(to, ",%d,%d,%d,%d,%.6g,%.6g,%.6g,%.3g,%d,%s,%s,%.1e,%.1e,%.1e,%ld,%s\n", p->contacts, p->rows,
                  p->joint_rows, p->velocities, p->mu_min, p->mu_max, p->mass_ratio, p->surplus, p->sweeps,
                  app_difficulties[p->difficulty], p->certified ? "yes" : "no", p->map, p->energy, p->rounding,
                  p->bytes, p->checksum);
}

static bool write_file(const collection *c, const char *name, void (*put)(FILE *to, const collection *c)) {
    char path[APP_COLLECT_PATH];
    app_output output;
    if (snprintf(path, sizeof path, "%s/%s", c->options->out, name) >= (int)sizeof path ||
        !app_output_open(&output, path))
        return false;
    put(output.file, c);
    return app_output_close(&output, true);
}

static void put_table(FILE *to, const collection *c) {
    (void)fputs("name,family,split,scene,contacts,rows,joint_rows,velocities,mu_min,mu_max,mass_ratio,surplus,sweeps,"
                "difficulty,certified,natural_map,energy_error,rounding,bytes,sha256\n",
                to);
    for (int k = 0; k < c->tasks; k++)
        if (!*c->collected[k].why)
            put_row(to, &c->collected[k]);
}

static void put_checksums(FILE *to, const collection *c) {
    for (int k = 0; k < c->tasks; k++)
        if (!*c->collected[k].why)
            (void)fprintf(to, "%s  %s.hdf5\n", c->collected[k].checksum, c->collected[k].name);
}

// As tolerances are met by compare, but for what rounding of the impulses to doubles leaves.
static bool is_solved(const app_collected *p, double tolerance) {
    return !*p->why && p->map <= tolerance && p->energy <= fmax(tolerance, APP_COLLECT_ROUNDINGS * p->rounding);
}

static void print_split(const collection *c, bool held_out) {
    int made = 0, rough = 0, fine = 0;
    for (int k = 0; k < c->tasks; k++) {
        const app_collected *p = &c->collected[k];
        if (*p->why || p->held_out != held_out)
            continue;
        made++, rough += is_solved(p, 1e-6), fine += is_solved(p, 1e-8);
    }
    if (made > 0)
        printf("%s: %d, solved to 1e-6: %d, to 1e-8: %d\n", held_out ? "held out" : "tuning", made, rough, fine);
}

// By which league pages cite it.
static void print_checksum(const collection *c) {
    char path[APP_COLLECT_PATH], digits[APP_SHA256];
    long size = 0;
    (void)snprintf(path, sizeof path, "%s/%s", c->options->out, TABLE);
    if (app_sha256_file(path, digits, &size))
        printf("checksum of %s: %s\n", TABLE, digits);
}

static void print_totals(const collection *c) {
    int made = 0, certified = 0, held_out = 0, by_difficulty[3] = {0};
    double bytes = 0;
    for (int k = 0; k < c->tasks; k++) {
        const app_collected *p = &c->collected[k];
        if (*p->why) {
            app_complain("%s: %s", p->name, p->why);
            continue;
        }
        made++, certified += p->certified, held_out += p->held_out, by_difficulty[p->difficulty]++;
        bytes += (double)p->bytes;
    }
    printf("%d problems of %d, %.1f MB in %s: %d certified to %g; %d for tuning, %d held out; %d easy, %d medium, "
           "%d hard\n",
           made, c->tasks, bytes * 1e-6, c->options->out, certified, APP_COLLECT_CERTIFIED, made - held_out, held_out,
           by_difficulty[APP_EASY], by_difficulty[APP_MEDIUM], by_difficulty[APP_HARD]);
    print_split(c, false);
    print_split(c, true);
    print_checksum(c);
    for (int k = 0; k < c->tasks; k++)
        if (!*c->collected[k].why && !c->collected[k].certified)
            printf("not certified: %s, natural map %.1e, energy error %.1e, rounding %.1e\n", c->collected[k].name,
                   c->collected[k].map, c->collected[k].energy, c->collected[k].rounding);
}

// ---- the command ------------------------------------------------------------------------------------------------

static bool make_folder(const char *path) {
    const bool made = app_make_directory(path);
    if (!made)
        app_complain("%s: cannot create the directory (%s); give another --output", path, strerror(errno));
    return made;
}

static int collect(collection *c) {
    if (!list_tasks(c))
        return APP_USAGE;
    if (!make_folder(c->options->out))
        return APP_DATA;
    app_catch_interrupts();
    const app_pool pool = {
        .each = {.work = work, .options = c->options, .told = sizeof(collect_task), .size = sizeof(app_collected)},
        .tasks = c->tasks,
        .jobs = c->options->jobs,
        .limit = TASK_SECONDS,
        .tell = tell_task,
        .done = keep,
        .show = show,
        .user = c};
    for (int k = 0; k < c->tasks; k++)
        keep(c, k, APP_END_INTERRUPTED, "", NULL);
    const bool whole = app_pool_run(&pool);
    if (c->shown)
        (void)fprintf(stderr, "\r%*s\r", 40, "");
    if (!write_file(c, TABLE, put_table) || !write_file(c, "SHA256SUMS", put_checksums))
        return APP_DATA;
    print_totals(c);
    for (int k = 0; whole && k < c->tasks; k++)
        if (*c->collected[k].why)
            return APP_DATA;
    return whole ? APP_DONE : APP_INTERRUPTED;
}

static int run(void *options, const app_line *line) {
    collection c = {.options = options};
    if (line->operands > 0) {
        app_complain("collect: unexpected argument '%s'; the directory is given by --output", line->operand[0]);
        return APP_USAGE;
    }
    if (!c.options->out) {
        app_complain(
            "collect: no directory given; give one with --output, for instance 'voussoir collect -o collection'");
        return APP_USAGE;
    }
    const int code = collect(&c);
    free(c.task);
    free(c.collected);
    return code;
}

static void prepare(void *options) {
    const long processors = app_system_machine().processors;
    *(collect_options *)options =
        (collect_options){.seed = 1, .each = 26, .jobs = processors > 0 ? (int)processors : 1};
}

static void put_families(FILE *to) {
    (void)fputs("\nfamilies\n", to);
    for (const app_recipe *recipe = app_recipes; recipe->family; recipe++)
        app_help_entry(recipe->family, recipe->holds, to);
    (void)fputs("\nfiles in the directory\n", to);
    app_help_entry("NAME.hdf5", "a problem, in FCLIB form, with its solution", to);
    app_help_entry("collection.csv", "one row per problem: where it comes from, sizes, difficulty, split, errors", to);
    app_help_entry("SHA256SUMS", "for sha256sum --check", to);
}

static const app_option rows[] = {
    {.name = "--each",
     .value = "N",
     APP_TARGET(collect_options, each),
     .least = 1,
     .most = MOST_EACH - 1,
     .help = "problems per family"},
    {.name = "--seed",
     .value = "N",
     APP_TARGET(collect_options, seed),
     .most = 2147483647,
     .help = "seed of all draws; another seed gives another collection"},
    {.name = "--only",
     .value = "NAME,...",
     .example = "arch,cards-003",
     APP_TARGET(collect_options, only),
     .otherwise = "all",
     .help = "families and names of problems to make; the others do not change"},
    {.name = NULL},
};

static const app_option execution_rows[] = {
    {.name = "--jobs",
     .value = "N",
     APP_TARGET(collect_options, jobs),
     .least = 1,
     .most = 1024,
     .otherwise = "one per processor",
     .help = "parallel processes; the files do not depend on it"},
    {.name = "--quiet", APP_TARGET(collect_options, quiet), .help = "do not show progress"},
    {.name = "--output",
     .letter = 'o',
     .value = "DIR",
     APP_TARGET(collect_options, out),
     .path = true,
     .writes = true,
     .otherwise = "",
     .help = "directory for the problems; files of the same names are replaced"},
    {.name = NULL},
};

static const app_group groups[] = {
    {.title = "collection", .rows = rows}, {.title = "execution and output", .rows = execution_rows}, {.rows = NULL}};

const app_command app_collect_command = {
    .name = "collect",
    .summary = "make a collection of contact problems with certified solutions",
    .usage = "--output DIR [OPTIONS]",
    .description =
        "Makes contact problems for the comparison of solvers: scenes with random parameters are simulated to a random "
        "step, whose contact problem (exact friction) is written in FCLIB form with a solution. The solution is "
        "evaluated with velocities in twice the precision of doubles and kept if its relative natural-map error and "
        "its relative energy error are at most 1e-12 (the latter, or what rounding of the impulses to doubles leaves); "
        "otherwise the problem has none and is reported. The same seed "
        "gives the same bytes. A name belongs to the split 'held-out' if the first digit of its SHA-256 is 8 to f, "
        "else "
        "to 'tuning': methods may be tuned on the latter only. The difficulty is the number of Gauss-Seidel sweeps to "
        "1e-4: easy up to 100, medium up to 1000, else hard.",
    .groups = groups,
    .more = put_families,
    .examples = "voussoir collect -o collection\n"
                "voussoir collect --each 2 --only arch,cards -o few\n"
                "voussoir compare collection --solvers auto --tolerances 1e-6,1e-8 -o league",
    .notes = "Ctrl-C ends it and lists what was made so far.",
    .exit_codes = "0 if all problems were made; 1 usage error, 2 some were not, or bad data, 130 interrupted.",
    .size = sizeof(collect_options),
    .prepare = prepare,
    .run = run,
    .task = work,
    .computes = true,
};
