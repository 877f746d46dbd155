// voussoir sweep: many runs of one scene, each in its own process, with one table of all results.
//
// Every result is in a journal before the next run begins, so that a sweep can be killed at any time and continued.
#define _GNU_SOURCE
#include "sweep/sweep.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/clock.h"
#include "cli/exit_code.h"
#include "cli/interrupt.h"
#include "cli/message.h"
#include "cli/nearest.h"
#include "cli/output.h"
#include "cli/path.h"
#include "cli/process_pool.h"
#include "cli/scene.h"
#include "sweep/child.h"
#include "sweep/journal.h"
#include "sweep/options.h"
#include "sweep/plan.h"
#include "sweep/quantity.h"
#include "sweep/schedule.h"
#include "sweep/space.h"
#include "sweep/state.h"
#include "sweep/table.h"
#include "voussoir/voussoir.h"

// ---- the scene ---------------------------------------------------------------------------------------------

static bool check_name(const vs_scene_info *info, const char *name) {
    const char *names[64] = {NULL};
    for (int k = 0; k < info->parameter_count && k < 63; k++) {
        if (strcmp(info->parameters[k].name, name) == 0)
            return true;
        names[k] = info->parameters[k].name;
    }
    const char *near = app_nearest(name, names);
    app_complain("sweep: scene %s has no parameter '%s'; %s%s", info->name, name,
                 near ? "did you mean " : "'voussoir scenes' lists them", near ? near : "");
    return false;
}

// A continued sweep must use the same file.
static bool hash_file(const char *path, uint64_t *hash) {
    FILE *file = fopen(path, "rb");
    *hash = 0xcbf29ce484222325u; // FNV-1a
    for (int c; file && (c = fgetc(file)) != EOF;)
        *hash = (*hash ^ (uint64_t)c) * 0x100000001b3u;
    const bool good = file && ferror(file) == 0;
    if (!good)
        app_complain("%s: cannot read the file (%s); give a scene file or a name from 'voussoir scenes'", path,
                     strerror(errno));
    if (file)
        (void)fclose(file);
    return good;
}

static bool find_scene(app_sweep *s) {
    const app_sweep_options *o = s->options;
    vs_scene_info info;
    s->named = app_scene_find(o->run.scene, &info);
    (void)snprintf(s->title, sizeof s->title, "%s", app_base_name(o->run.scene));
    if (!s->named)
        return hash_file(o->run.scene, &s->scene_hash);
    for (int k = 0; k < o->space.axes; k++)
        if (!check_name(&info, o->space.axis[k].name))
            return false;
    return true;
}

// ---- a trial before the first run --------------------------------------------------------------------------------

typedef struct trial {
    const app_sweep_options *options;
    int64_t run;
    app_sweep_result result[2]; // of the unmodified scene, of the first run
    bool made[2];
} trial;

static void hush(int descriptor) {
    const int null = descriptor < 0 ? open("/dev/null", O_WRONLY | O_CLOEXEC) : descriptor;
    if (null >= 0)
        (void)dup2(null, STDERR_FILENO);
}

static void try_scene(void *user, int task, void *result) {
    const trial *l = user;
    hush(-1);
    app_sweep_run_child(l->options, task == 0 ? -1 : l->run, true, result);
}

static void keep_trial(void *user, int task, app_end end, const char *how, const void *result) {
    trial *l = user;
    (void)how;
    l->made[task] = end == APP_END_DONE;
    memcpy(&l->result[task], result, sizeof l->result[task]);
}

// An invalid scene, an unknown parameter or body is reported once, not once per run. Invalid values concern only the
// runs that have them.
static int check_scene(const app_sweep *s, int64_t run) {
    trial l = {.options = s->options, .run = run};
    const app_pool pool = {.tasks = 2,
                           .jobs = 1,
                           .size = sizeof l.result[0],
                           .limit = s->options->limit,
                           .work = try_scene,
                           .done = keep_trial,
                           .user = &l};
    if (!app_pool_run(&pool))
        return APP_INTERRUPTED;
    const app_sweep_result *base = &l.result[0], *first = &l.result[1];
    const bool first_good = l.made[1] && first->exit_code == APP_DONE;
    if (l.made[0] && base->exit_code != APP_DONE && !first_good) {
        app_complain("sweep: %s", base->message);
        return base->exit_code;
    }
    if (l.made[1] && first->exit_code == APP_USAGE && !s->named) {
        app_complain("sweep: %s", first->message);
        return APP_USAGE;
    }
    if (first_good && first->absent[0]) {
        app_complain("--quantity: the scene has no body or joint '%s'; check its name, or use #0, #1, ...",
                     first->absent);
        return APP_USAGE;
    }
    return APP_DONE;
}

// ---- running -----------------------------------------------------------------------------------------------

typedef struct running {
    app_sweep *sweep;
    int64_t *todo; // (tasks) runs
    int tasks;
    int log; // descriptor for the messages of runs, -1: none
    int64_t done, failed;
    bool terminal, quiet, shown, broken;
    double start, last;
} running;

static void work(void *user, int task, void *result) {
    const running *r = user;
    hush(r->log);
    if (r->sweep->journal >= 0)
        (void)close(r->sweep->journal); // a child must not hold the lock
    app_sweep_run_child(r->sweep->options, r->todo[task], false, result);
}

static void note_failure(const running *r, int64_t run, const app_sweep_result *result) {
    char values[200];
    app_space_describe(&r->sweep->options->space, run, values, sizeof values);
    if (r->log >= 0)
        (void)dprintf(r->log, "-- run %" PRId64 " (%s): %s: %s\n", run, values, result->status, result->message);
}

static void keep(void *user, int task, app_end end, const char *how, const void *data) {
    running *r = user;
    app_sweep_result result = app_sweep_nothing;
    const int64_t run = r->todo[task];
    if (end == APP_END_INTERRUPTED)
        return; // it was not run
    for (int k = 0; k < APP_SWEEP_NUMBERS; k++)
        result.quantity[k] = (double)NAN;
    if (end == APP_END_DONE) {
        memcpy(&result, data, sizeof result);
    } else {
        (void)snprintf(result.status, sizeof result.status, "%s", end == APP_END_CRASHED ? "crashed" : "timeout");
        (void)snprintf(result.message, sizeof result.message, "%s", how);
    }
    const bool done = end == APP_END_DONE && strcmp(result.status, "error") != 0;
    r->done++;
    r->failed += !done;
    if (!done)
        note_failure(r, run, &result);
    if (!app_sweep_append(r->sweep, run, done, &result) || !app_sweep_keep(r->sweep, run, done, &result)) {
        r->broken = true;
        app_interrupt(); // results can no longer be stored
    }
}

enum { LINE = 90 };

// Five times per second on a terminal; a line every ten seconds elsewhere.
static void show(void *user, int finished, int under_way) {
    running *r = user;
    const double t = app_now();
    if (r->quiet || t - r->last < (r->terminal ? .2 : 10))
        return;
    char line[LINE + 1], rest[32] = "", failed[32] = "";
    if (finished > 0 && finished < r->tasks) {
        const double seconds = (t - r->start) / finished * (r->tasks - finished);
        (void)snprintf(rest, sizeof rest, ", about %.0f %s left", seconds < 90 ? seconds : seconds / 60,
                       seconds < 90 ? "s" : "min");
    }
    if (r->failed > 0)
        (void)snprintf(failed, sizeof failed, ", %" PRId64 " failed", r->failed);
    (void)snprintf(line, sizeof line, "sweep: %d of %d runs, %d running%s%s", finished, r->tasks, under_way, failed,
                   rest);
    (void)fprintf(stderr, r->terminal ? "\r%-*s" : "%.*s\n", LINE, line);
    (void)fflush(stderr);
    r->last = t;
    r->shown = r->terminal;
}

// The runs of this part that are not done yet. false: complained.
static bool list_todo(running *r) {
    const app_sweep *s = r->sweep;
    r->todo = calloc((size_t)(s->runs / s->parts) + 1, sizeof *r->todo);
    if (!r->todo) {
        app_complain("sweep: out of memory; use several smaller sweeps");
        return false;
    }
    for (int64_t m = s->part; m < s->runs; m += s->parts)
        if (s->run[m].state == APP_SWEEP_MISSING || (s->options->retry && s->run[m].state == APP_SWEEP_FAILED))
            r->todo[r->tasks++] = m;
    return true;
}

static int choose_jobs(const app_sweep *s) {
    const long processors = sysconf(_SC_NPROCESSORS_ONLN);
    if (s->options->jobs > 0)
        return s->options->jobs;
    return s->parts > 1 || processors < 1 ? 1 : (int)processors;
}

static int run_todo(running *r) {
    app_sweep *s = r->sweep;
    char path[APP_SWEEP_PATH], name[64];
    const int code = check_scene(s, r->todo[0]);
    if (code != APP_DONE)
        return code;
    (void)snprintf(name, sizeof name, "part-%d-of-%d.log", s->part, s->parts);
    app_sweep_path(s, name, path);
    r->log = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    const app_pool pool = {.tasks = r->tasks,
                           .jobs = choose_jobs(s),
                           .size = sizeof(app_sweep_result),
                           .limit = s->options->limit,
                           .memory = s->options->memory * 1024 * 1024 * 1024,
                           .work = work,
                           .done = keep,
                           .show = show,
                           .user = r};
    const bool whole = app_pool_run(&pool);
    if (r->shown)
        (void)fprintf(stderr, "\r%*s\r", LINE, "");
    if (r->log >= 0) {
        if (lseek(r->log, 0, SEEK_END) == 0)
            (void)unlink(path); // no messages
        (void)close(r->log);
    }
    return r->broken ? APP_DATA : whole ? APP_DONE : APP_INTERRUPTED;
}

// ---- the command -------------------------------------------------------------------------------------------

static bool allocate(app_sweep *s) {
    s->runs = app_space_count(&s->options->space);
    s->run = calloc((size_t)s->runs, sizeof *s->run);
    if (!s->run)
        app_complain("sweep: out of memory; use several smaller sweeps");
    return s->run != NULL;
}

// 3 if a run failed or missed the tolerance.
static int exit_code_of(const app_sweep *s) {
    for (int64_t m = 0; m < s->runs; m++)
        if (s->run[m].state == APP_SWEEP_FAILED ||
            (s->run[m].state == APP_SWEEP_DONE && s->run[m].result->exit_code != APP_DONE))
            return APP_TOLERANCE;
    return APP_DONE;
}

static int64_t count_missing(const app_sweep *s) {
    int64_t missing = 0;
    for (int64_t m = 0; m < s->runs; m++)
        missing += s->run[m].state == APP_SWEEP_MISSING;
    return missing;
}

// One part of several: the table is written by the part that finds no run missing, at the latest the last one.
static int end_part(app_sweep *s, const running *r, int code) {
    if (!app_sweep_read(s))
        return APP_DATA;
    const int64_t missing = count_missing(s);
    if (missing == 0 && code == APP_DONE) {
        if (!app_sweep_write(s))
            return APP_DATA;
        app_sweep_report(s, r->done, app_now() - r->start);
    } else if (!s->options->quiet) {
        printf("part %d/%d: %" PRId64 " runs done, %" PRId64 " failed; %" PRId64 " of %" PRId64 " missing in total\n",
               s->part, s->parts, r->done, r->failed, missing, s->runs);
    }
    return code;
}

static int finish(app_sweep *s, const running *r, int code) {
    if (s->parts > 1)
        return end_part(s, r, code);
    if (!app_sweep_write(s))
        return APP_DATA;
    app_sweep_report(s, r->done, app_now() - r->start);
    return code == APP_DONE ? exit_code_of(s) : code;
}

static int run_all(app_sweep *s) {
    running r = {.sweep = s, .log = -1, .terminal = isatty(STDERR_FILENO) == 1, .start = app_now()};
    r.quiet = s->options->quiet || s->part > 0;
    r.last = r.terminal ? 0 : r.start;
    if (!app_sweep_open(s))
        return APP_DATA;
    int code = app_sweep_read(s) && list_todo(&r) ? APP_DONE : APP_DATA;
    bool begun = code == APP_DONE;
    if (begun && r.tasks > 0 && !s->options->collect) {
        code = run_todo(&r);
        begun = code == APP_DONE || code == APP_INTERRUPTED;
    }
    app_sweep_close(s);
    free(r.todo);
    return begun ? finish(s, &r, code) : code;
}

// The scene and the table may be in the folder of the results, under other names.
static bool spare_inputs(const app_sweep *s) {
    static const char *const outputs[] = {"sweep.json", "sweep.sbatch", "runs.csv", "runs.h5"};
    bool good = true;
    for (size_t k = 0; good && k < sizeof outputs / sizeof *outputs; k++) {
        char path[APP_SWEEP_PATH];
        app_sweep_path(s, outputs[k], path);
        good = app_output_spares(path, s->named ? NULL : s->options->run.scene) &&
               app_output_spares(path, s->options->table);
    }
    return good;
}

static int sweep(app_sweep *s) {
    if (!app_sweep_find_part(s))
        return APP_USAGE;
    if (!find_scene(s))
        return s->named ? APP_USAGE : APP_DATA;
    if (!allocate(s))
        return APP_DATA;
    if (s->options->list) {
        app_sweep_list(s);
        return APP_DONE;
    }
    if (s->options->commands > 0)
        return app_sweep_commands(s);
    if (!spare_inputs(s))
        return APP_USAGE;
    if (!app_sweep_prepare(s))
        return APP_DATA;
    if (s->options->slurm > 0)
        return app_sweep_slurm(s);
    app_catch_interrupts();
    const int code = run_all(s);
    if (code == APP_INTERRUPTED)
        app_complain("interrupted; repeat the command to complete the missing runs");
    return code;
}

int app_sweep_main(int argc, char **argv) {
    app_sweep_options *options = calloc(1, sizeof *options);
    app_sweep *s = calloc(1, sizeof *s);
    int code = APP_USAGE;
    if (!options || !s) {
        app_complain("sweep: out of memory");
        code = APP_DATA;
    } else {
        s->options = options;
        s->journal = -1;
        app_sweep_keep_line(s, argc, argv);
        if (app_sweep_options_read(argc, argv, options)) {
            if (options->help)
                app_sweep_help(stdout);
            code = options->help ? APP_DONE : sweep(s);
        }
        app_sweep_options_release(options);
    }
    for (int64_t m = 0; s && s->run && m < s->runs; m++)
        free(s->run[m].result);
    if (s)
        free(s->run);
    free(s);
    free(options);
    return code;
}
