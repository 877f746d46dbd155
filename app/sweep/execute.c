// Runs of a sweep are executed, each in its own process.
#include "sweep/execute.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/system/clock.h"
#include "cli/exit_code.h"
#include "cli/system/interrupt.h"
#include "cli/system/message.h"
#include "cli/system/path.h"
#include "cli/system/process_pool.h"
#include "cli/scene.h"
#include "cli/system/system.h"
#include "sweep/child.h"
#include "sweep/journal.h"
#include "sweep/options.h"
#include "sweep/quantity.h"
#include "sweep/space.h"
#include "sweep/state.h"
#include "voussoir/voussoir.h"

// ---- the scene ---------------------------------------------------------------------------------------------

static bool check_name(const app_sweep *s, const vs_scene_info *info, const char *name) {
    const char *names[64] = {NULL};
    for (int k = 0; k < info->parameter_count && k < 63; k++) {
        if (strcmp(info->parameters[k].name, name) == 0)
            return true;
        names[k] = info->parameters[k].name;
    }
    const char *near = vs_nearest_name(name, names);
    app_complain("%s: scene %s has no parameter '%s'; %s%s", s->options->command, info->name, name,
                 near ? "did you mean " : "'voussoir scenes' lists them", near ? near : "");
    return false;
}

// A continued sweep must use the same file, and the same files that it refers to.
static bool hash_file(const char *path, uint64_t *hash) {
    FILE *file = fopen(path, "rb");
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

// A scene that cannot be read is reported by its trial.
static bool hash_scene(const char *path, uint64_t *hash) {
    vs_context *context = NULL;
    vs_scene *scene = NULL;
    *hash = 0xcbf29ce484222325u; // FNV-1a
    bool good = hash_file(path, hash);
    if (good && !app_scene_is_robot(path) && vs_context_create(NULL, &context) == VS_OK &&
        app_scene_open(context, path, NULL, 0, &scene) == VS_OK)
        for (int k = 0; good && k < scene->files; k++)
            if (strcmp(scene->file[k], path) != 0)
                good = hash_file(scene->file[k], hash);
    vs_scene_destroy(scene);
    vs_context_destroy(context);
    return good;
}

bool app_sweep_find_scene(app_sweep *s) {
    const app_sweep_options *o = s->options;
    vs_scene_info info;
    s->named = app_scene_find(o->run.scene, &info);
    (void)snprintf(s->title, sizeof s->title, "%s", app_base_name(o->run.scene));
    if (!app_scene_register(o->run.scene, o->run.setting, o->run.settings))
        return false;
    if (!s->named)
        return hash_scene(o->run.scene, &s->scene_hash);
    for (int k = 0; k < o->space.axes; k++)
        if (!check_name(s, &info, o->space.axis[k].name))
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

static void tell_trial(void *user, int task, void *message) {
    const trial *l = user;
    *(app_sweep_task *)message = (app_sweep_task){.run = task == 0 ? -1 : l->run, .only_make = true};
}

static void keep_trial(void *user, int task, app_end end, const char *how, const void *result) {
    trial *l = user;
    (void)how;
    l->made[task] = end == APP_END_DONE;
    memcpy(&l->result[task], result, sizeof l->result[task]);
}

// An invalid scene, an unknown parameter or body is reported once, not once per run. Invalid values concern only the
// runs that have them.
int app_execution_try(const app_sweep *s, int64_t run) {
    trial l = {.options = s->options, .run = run};
    const app_pool pool = {.each = {.work = app_sweep_work,
                                    .options = s->options,
                                    .told = sizeof(app_sweep_task),
                                    .size = sizeof l.result[0],
                                    .own = s->journal},
                           .tasks = 2,
                           .jobs = 1,
                           .limit = s->options->limit,
                           .tell = tell_trial,
                           .done = keep_trial,
                           .user = &l};
    if (!app_pool_run(&pool))
        return APP_INTERRUPTED;
    const app_sweep_result *base = &l.result[0], *first = &l.result[1];
    const bool first_good = l.made[1] && first->exit_code == APP_DONE;
    if (l.made[0] && base->exit_code != APP_DONE && !first_good) {
        app_complain("%s: %s", s->options->command, base->message);
        return base->exit_code;
    }
    if (l.made[1] && first->exit_code == APP_USAGE && !s->named) {
        app_complain("%s: %s", s->options->command, first->message);
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

static void tell_run(void *user, int task, void *message) {
    const app_execution *r = user;
    app_sweep_task *t = message;
    t->run = r->todo[task];
    (void)snprintf(t->log, sizeof t->log, "%s", r->log);
}

static void note_failure(const app_execution *r, int64_t run, const app_sweep_result *result) {
    char values[200];
    FILE *log = fopen(r->log, "ab");
    app_space_describe(&r->sweep->options->space, run, values, sizeof values);
    if (log) {
        (void)fprintf(log, "-- run %" PRId64 " (%s): %s: %s\n", run, values, result->status, result->message);
        (void)fclose(log);
    }
}

static void keep(void *user, int task, app_end end, const char *how, const void *data) {
    app_execution *r = user;
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

enum { LINE = 110 };

// "45 s", "12 min"
static void format_time(double seconds, char text[24]) {
    (void)snprintf(text, 24, "%.0f %s", seconds < 90 ? seconds : seconds / 60, seconds < 90 ? "s" : "min");
}

// The time left if all runs take as long as those that have ended: a lower bound while one takes longer.
static void describe_rest(const app_execution *r, const app_pool_state *state, double elapsed, char text[64]) {
    char left[24];
    text[0] = '\0';
    if (state->finished == 0 || state->finished >= r->tasks)
        return;
    const double mean = elapsed * state->running / state->finished;
    format_time(elapsed / state->finished * (r->tasks - state->finished), left);
    (void)snprintf(text, 64, ", %s %s left", state->oldest_seconds > 2 * mean ? "at least" : "about", left);
}

// Names the run that takes longest, with its values.
static void describe_oldest(const app_execution *r, const app_pool_state *state, char text[160]) {
    enum { NOTICED = 5 }; // s
    char values[80], since[24];
    text[0] = '\0';
    if (state->oldest < 0 || state->oldest_seconds < NOTICED)
        return;
    app_space_describe(&r->sweep->options->space, r->todo[state->oldest], values, sizeof values);
    format_time(state->oldest_seconds, since);
    (void)snprintf(text, 160, "; run %" PRId64 " (%s) for %s", r->todo[state->oldest], values, since);
}

// Five times per second on a terminal; a line every ten seconds elsewhere.
static void show(void *user, const app_pool_state *state) {
    app_execution *r = user;
    const double t = app_now();
    if (r->quiet || t - r->last < (r->terminal ? .2 : 10))
        return;
    char line[LINE + 160], rest[64], oldest[160], failed[32] = "", elapsed[24];
    describe_rest(r, state, t - r->start, rest);
    describe_oldest(r, state, oldest);
    format_time(t - r->start, elapsed);
    if (r->failed > 0)
        (void)snprintf(failed, sizeof failed, ", %" PRId64 " failed", r->failed);
    (void)snprintf(line, sizeof line, "%s: %d of %d runs%s, %s elapsed%s%s", r->title, state->finished, r->tasks,
                   failed, elapsed, rest, oldest);
    line[LINE] = '\0';
    (void)fprintf(stderr, r->terminal ? "\r%-*s" : "%.*s\n", LINE, line);
    (void)fflush(stderr);
    r->last = t;
    r->shown = r->terminal;
}

int app_sweep_jobs(const app_sweep *s) {
    const long processors = app_system_machine().processors;
    if (s->options->jobs > 0)
        return s->options->jobs;
    return s->parts > 1 || processors < 1 ? 1 : (int)processors;
}

app_execution app_execution_begin(app_sweep *s) {
    app_execution e = {.sweep = s, .terminal = isatty(STDERR_FILENO) == 1, .start = app_now()};
    e.quiet = s->options->quiet || s->part > 0;
    e.last = e.terminal ? 0 : e.start;
    (void)snprintf(e.title, sizeof e.title, "%s", s->options->command);
    return e;
}

// Messages of runs; a file without any is removed.
static void name_log(app_execution *r) {
    char name[64];
    (void)snprintf(name, sizeof name, "part-%d-of-%d.log", r->sweep->part, r->sweep->parts);
    app_sweep_path(r->sweep, name, r->log);
}

static void tidy_log(const app_execution *r) {
    FILE *log = fopen(r->log, "rb");
    const bool empty = log && fgetc(log) == EOF;
    if (log)
        (void)fclose(log);
    if (empty)
        (void)remove(r->log);
}

int app_execution_run(app_execution *r, const int64_t *todo, int tasks) {
    const app_sweep *s = r->sweep;
    r->todo = todo;
    r->tasks = tasks;
    name_log(r);
    const app_pool pool = {.each = {.work = app_sweep_work,
                                    .options = s->options,
                                    .told = sizeof(app_sweep_task),
                                    .size = sizeof(app_sweep_result),
                                    .memory = s->options->memory * 1024 * 1024 * 1024,
                                    .own = s->journal},
                           .tasks = tasks,
                           .jobs = app_sweep_jobs(s),
                           .limit = s->options->limit,
                           .tell = tell_run,
                           .done = keep,
                           .show = show,
                           .user = r};
    const bool whole = app_pool_run(&pool);
    if (r->shown)
        (void)fprintf(stderr, "\r%*s\r", LINE, "");
    r->shown = false;
    tidy_log(r);
    return r->broken ? APP_DATA : whole ? APP_DONE : APP_INTERRUPTED;
}
