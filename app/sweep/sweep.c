// voussoir sweep: many runs of one scene, each in its own process, with one table of all results.
//
// Every result is in a journal before the next run begins, so that a sweep can be killed at any time and continued.
#include "sweep/sweep.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "cli/system/clock.h"
#include "cli/exit_code.h"
#include "cli/system/interrupt.h"
#include "cli/system/message.h"
#include "sweep/execute.h"
#include "sweep/fragility.h"
#include "sweep/journal.h"
#include "sweep/options.h"
#include "sweep/plan.h"
#include "sweep/schedule.h"
#include "sweep/state.h"
#include "sweep/table.h"

// The runs of this part that are not done yet. false: complained.
static bool list_todo(const app_sweep *s, int64_t **todo, int *tasks) {
    *tasks = 0;
    *todo = calloc((size_t)(s->runs / s->parts) + 1, sizeof **todo);
    if (!*todo) {
        app_complain("sweep: out of memory; use several smaller sweeps");
        return false;
    }
    for (int64_t m = s->part; m < s->runs; m += s->parts)
        if (s->run[m].state == APP_SWEEP_MISSING || (s->options->retry && s->run[m].state == APP_SWEEP_FAILED))
            (*todo)[(*tasks)++] = m;
    return true;
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

static bool write_results(const app_sweep *s, const app_execution *r) {
    if (!app_sweep_write(s))
        return false;
    app_sweep_report(s, r->done, app_now() - r->start);
    return !s->options->fragility || app_fragility_write(s);
}

// One part of several: the table is written by the part that finds no run missing, at the latest the last one.
static int end_part(app_sweep *s, const app_execution *r, int code) {
    if (!app_sweep_read(s))
        return APP_DATA;
    const int64_t missing = count_missing(s);
    if (missing == 0 && code == APP_DONE) {
        if (!write_results(s, r))
            return APP_DATA;
    } else if (!s->options->quiet) {
        printf("part %d/%d: %" PRId64 " runs done, %" PRId64 " failed; %" PRId64 " of %" PRId64 " missing in total\n",
               s->part, s->parts, r->done, r->failed, missing, s->runs);
    }
    return code;
}

static int finish(app_sweep *s, const app_execution *r, int code) {
    if (s->parts > 1)
        return end_part(s, r, code);
    if (!write_results(s, r))
        return APP_DATA;
    return code == APP_DONE ? exit_code_of(s) : code;
}

static int run_all(app_sweep *s) {
    app_execution e = app_execution_begin(s);
    int64_t *todo = NULL;
    int tasks = 0;
    if (!app_sweep_open(s))
        return APP_DATA;
    int code = app_sweep_read(s) && list_todo(s, &todo, &tasks) ? APP_DONE : APP_DATA;
    bool begun = code == APP_DONE;
    if (begun && tasks > 0 && !s->options->collect) {
        code = app_execution_try(s, todo[0]);
        if (code == APP_DONE)
            code = app_execution_run(&e, todo, tasks);
        begun = code == APP_DONE || code == APP_INTERRUPTED;
    }
    app_sweep_close(s);
    free(todo);
    return begun ? finish(s, &e, code) : code;
}

static int sweep(app_sweep *s) {
    if (!app_sweep_find_part(s) || !app_fragility_check(s->options))
        return APP_USAGE;
    if (!app_sweep_find_scene(s))
        return s->named ? APP_USAGE : APP_DATA;
    if (!app_sweep_allocate(s))
        return APP_DATA;
    if (s->options->list) {
        app_sweep_list(s);
        return APP_DONE;
    }
    if (s->options->commands > 0)
        return app_sweep_commands(s);
    if (!app_sweep_spares_inputs(s))
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

int app_sweep_main(void *options, const app_line *line) {
    app_sweep *s = calloc(1, sizeof *s);
    if (!s) {
        app_complain("sweep: out of memory");
        return APP_DATA;
    }
    s->options = options;
    s->journal = -1;
    app_sweep_keep_line(s, line->argc, line->argv);
    const int code = sweep(s);
    app_sweep_release(s);
    free(s);
    return code;
}
