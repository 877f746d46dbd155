// voussoir find: the value of a parameter at which the outcome of a scene changes.
//
// A search is a sweep over a fine grid of which only a few runs are executed: processes, journal, table and the way to
// continue are those of a sweep.
#include "find/find.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "cli/system/clock.h"
#include "cli/command.h"
#include "cli/exit_code.h"
#include "cli/system/interrupt.h"
#include "cli/system/message.h"
#include "cli/scene.h"
#include "find/options.h"
#include "find/report.h"
#include "find/search.h"
#include "sweep/child.h"
#include "sweep/execute.h"
#include "sweep/journal.h"
#include "sweep/options.h"
#include "sweep/plan.h"
#include "sweep/space.h"
#include "sweep/state.h"
#include "sweep/table.h"

enum { ROUND_MOST = 1024 }; // runs at a time

static double value_of(const app_sweep *s, int64_t run) {
    return app_space_value(&s->options->space, 0, run);
}

// "find: tilt 22.5 to 33.75"
static void name_round(const app_sweep *s, int until, app_execution *e) {
    const app_bracket b = app_find_bracket(s, until);
    const int64_t from = b.no >= 0 ? b.no : 0, to = b.yes >= 0 ? b.yes : s->runs - 1;
    (void)snprintf(e->title, sizeof e->title, "find: %.12s %.6g to %.6g", s->options->space.axis[0].name,
                   value_of(s, from), value_of(s, to));
}

// Runs round after round. Exit code.
static int search(app_sweep *s, int until, app_execution *e) {
    int64_t run[ROUND_MOST];
    int code = APP_DONE, tasks = app_find_next(s, until, run, app_sweep_jobs(s));
    if (tasks > 0)
        code = app_execution_try(s, run[0]);
    for (; tasks > 0 && code == APP_DONE; tasks = app_find_next(s, until, run, app_sweep_jobs(s))) {
        name_round(s, until, e);
        code = app_execution_run(e, run, tasks);
    }
    return code;
}

static int complain_range(const app_find_options *o, const app_sweep *s, const app_bracket *b) {
    static const char *const otherwise[] = {"stands", "falls", "does not stop"};
    const char *name = s->options->space.axis[0].name;
    const double from = value_of(s, 0), to = value_of(s, s->runs - 1);
    if (b->mixed)
        app_complain("find: the scene %s at %s = %.10g and not at %.10g; swap the range: --vary %s=%.10g:%.10g",
                     app_until_name(o->until), name, from, to, name, to, from);
    else
        app_complain("find: the scene %s at both ends, %s = %.10g and %.10g; give a range in which it changes",
                     b->yes < 0 ? otherwise[o->until] : app_until_name(o->until), name, from, to);
    return APP_DATA;
}

// What the runs say: a bracket, or why there is none.
static int conclude(const app_find_options *o, const app_sweep *s, const app_bracket *b) {
    const char *name = s->options->space.axis[0].name;
    if (b->failed >= 0) {
        app_complain("find: the run at %s = %.10g failed: %s; mend it and add --retry, or search another range", name,
                     value_of(s, b->failed), s->run[b->failed].result->message);
        return APP_TOLERANCE;
    }
    if (b->yes < 0 || b->no < 0)
        return complain_range(o, s, b);
    if (b->mixed)
        app_complain(
            "find: the answer changes several times between %s = %.10g and %.10g; this is the first change that "
            "the runs show",
            name, value_of(s, 0), value_of(s, s->runs - 1));
    return s->run[b->no].result->exit_code != APP_DONE || s->run[b->yes].result->exit_code != APP_DONE ? APP_TOLERANCE
                                                                                                       : APP_DONE;
}

// Only those of the bracket are kept, unless all are wanted.
static void remove_trajectories(const app_sweep *s, const app_bracket *b) {
    char path[APP_SWEEP_PATH];
    for (int64_t m = 0; m < s->runs; m++)
        if (m != b->no && m != b->yes) {
            app_sweep_trajectory_path(s->options, m, path, sizeof path);
            (void)remove(path);
        }
}

static int finish(const app_find_options *o, const app_sweep *s, const app_execution *e) {
    const app_bracket b = app_find_bracket(s, o->until);
    const int code = conclude(o, s, &b);
    if (!app_sweep_write(s))
        return APP_DATA;
    if (s->options->trajectories && !o->keep && code != APP_DATA)
        remove_trajectories(s, &b);
    if (o->json)
        return app_find_json(o, s, &b, code) ? code : APP_DATA;
    if (b.no >= 0 && b.yes == b.no + 1)
        app_find_report(o, s, &b, e->done, app_now() - e->start);
    return code;
}

static int find(const app_find_options *o, app_sweep *s) {
    if (!app_sweep_find_scene(s))
        return s->named ? APP_USAGE : APP_DATA;
    if (!app_sweep_allocate(s))
        return APP_DATA;
    if (!app_sweep_spares_inputs(s))
        return APP_USAGE;
    if (!app_sweep_prepare(s) || !app_sweep_open(s))
        return APP_DATA;
    app_catch_interrupts();
    app_execution e = app_execution_begin(s);
    const int code = app_sweep_read(s) ? search(s, o->until, &e) : APP_DATA;
    app_sweep_close(s);
    if (code == APP_INTERRUPTED)
        app_complain("interrupted; repeat the command to continue the search");
    return code == APP_DONE ? finish(o, s, &e) : code;
}

static bool complete(void *options, const app_line *line) {
    return app_find_options_complete(options, line);
}

static void work(const void *options, const void *task, void *result) {
    app_sweep_work(&((const app_find_options *)options)->sweep, task, result);
}

static int run(void *options, const app_line *line) {
    (void)line;
    app_find_options *o = options;
    app_sweep *s = calloc(1, sizeof *s);
    if (!s) {
        app_complain("find: out of memory");
        return APP_DATA;
    }
    *s = (app_sweep){.options = &o->sweep, .journal = -1, .parts = 1, .sparse = true};
    const int code = find(o, s);
    app_sweep_release(s);
    free(s);
    return code;
}

static void prepare(void *options) {
    *(app_find_options *)options = (app_find_options){.sweep = app_sweep_options_default("find")};
}

static void release(void *options) {
    app_sweep_options_release(&((app_find_options *)options)->sweep);
}

const app_command app_find_command = {
    .name = "find",
    .summary = "find the parameter value at which a scene falls, stands or stops",
    .usage = "SCENE.json|NAME --vary NAME=FROM:TO [OPTIONS]",
    .description =
        "Finds the value of a parameter at which a scene changes: the tilt at which a wall falls, the least friction "
        "that holds it, the load that an arch bears. Runs the scene at both ends of the range, which must differ, and "
        "then in between, until the change is known to --to. The result is a bracket: the last value before the change "
        "and the first one after it, each with its run. If the answer changes several times along the range, the first "
        "change that the runs show is found, and a message says so.",
    .groups = app_find_groups,
    .examples = "voussoir find incline --vary angle=0:1 --to 1e-3\n"
                "voussoir find wall.json --vary tilt=0:45 --until falls --to 0.01\n"
                "voussoir find arch --vary thickness=0.3:0.05 --to 1e-3 -o thickness\n"
                "voussoir find arch --vary mu=0.1:0.9 --until stands",
    .notes = "Repeating the command continues an interrupted search and repeats nothing.",
    .exit_codes = "0 if the bracket was found and both of its runs met the tolerance; 1 usage error, 2 bad data or no "
                  "change in the range, 3 if a run failed or missed the tolerance, 130 interrupted.",
    .size = sizeof(app_find_options),
    .prepare = prepare,
    .release = release,
    .complete = complete,
    .run = run,
    .task = work,
    .computes = true,
    .files = "json",
    .word = app_scene_word,
};
