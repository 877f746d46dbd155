// One run of a sweep, in its own process: as by 'voussoir run', with the requested quantities of its final state.
#define _GNU_SOURCE
#include "sweep/child.h"

#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/system/system.h"
#include "run/options.h"
#include "run/outcome.h"
#include "run/run.h"
#include "run/summary.h"
#include "run/totals.h"
#include "sweep/options.h"
#include "sweep/quantity.h"
#include "sweep/space.h"
#include "voussoir/voussoir.h"

#define NONE ((double)NAN)
const app_sweep_result app_sweep_nothing = {.status = "missing",
                                            .exit_code = -1,
                                            .time = NONE,
                                            .kinetic = NONE,
                                            .potential = NONE,
                                            .energy_error = NONE,
                                            .penetration = NONE,
                                            .drift = NONE,
                                            .displacement = NONE,
                                            .rotation = NONE,
                                            .residual = NONE,
                                            .sliding = NONE,
                                            .tipping = NONE,
                                            .wall = NONE};

typedef struct watched {
    const app_sweep_options *options;
    app_sweep_result *result;
} watched;

static void keep_outcome(const app_run_outcome *o, app_sweep_result *r) {
    (void)snprintf(r->stop, sizeof r->stop, "%s", o->stop);
    (void)snprintf(r->outcome, sizeof r->outcome, "%s", vs_outcome_state_name(o->outcome.state));
    (void)snprintf(r->farthest, sizeof r->farthest, "%s", o->farthest);
    (void)snprintf(r->most_turned, sizeof r->most_turned, "%s", o->most_turned);
    r->displacement = o->outcome.displacement;
    r->rotation = o->outcome.rotation;
    (void)snprintf(r->residual_of, sizeof r->residual_of, "%s", o->residual_of);
    r->residual = o->outcome.residual;
    r->sliding = o->margin.sliding;
    r->tipping = o->margin.tipping;
}

static void keep_result(const app_run_summary *ran, void *user) {
    const watched *w = user;
    app_sweep_result *r = w->result;
    const app_run_totals *t = ran->totals;
    (void)snprintf(r->status, sizeof r->status, "%s", ran->status);
    (void)snprintf(r->message, sizeof r->message, "%s", ran->error ? ran->error : "");
    r->exit_code = ran->exit_code;
    if (!ran->scene)
        return;
    r->steps = t->steps;
    r->inaccurate = t->of.inaccurate;
    r->unbalanced = (int64_t)APP_TOTAL(t, unbalanced);
    r->discretization_share = APP_TOTAL(t, discretization_share);
    r->time = ran->time;
    r->kinetic = t->end.kinetic;
    r->potential = t->end.potential;
    r->energy_error = APP_TOTAL(t, energy_error);
    r->penetration = APP_TOTAL(t, penetration);
    r->drift = APP_TOTAL(t, joint_drift);
    r->wall = ran->wall;
    keep_outcome(&ran->outcome, r);
    r->hash = ran->hash;
    const char *absent = app_quantities_read(&w->options->quantities, ran->scene->world, r->quantity);
    (void)snprintf(r->absent, sizeof r->absent, "%s", absent ? absent : "");
}

// Shown by ps, top and pgrep.
static void name_process(const char *command, int64_t run) {
    char name[24]; // the system keeps 15 characters, enough for all runs
    (void)snprintf(name, sizeof name, "%s %d", command, (int)run);
    app_system_name_process(name);
}

void app_sweep_trajectory_path(const app_sweep_options *options, int64_t run, char *path, size_t size) {
    (void)snprintf(path, size, "%s/trajectories/%08" PRId64 ".h5", options->out, run);
}

void app_sweep_work(const void *all, const void *task, void *to) {
    const app_sweep_options *options = all;
    const app_sweep_task *t = task;
    const int64_t run = t->run;
    app_sweep_result *result = to;
    app_run_options scene = options->run;
    char path[1024];
    watched w = {.options = options, .result = result};
    app_system_redirect_errors(t->log);
    *result = app_sweep_nothing;
    for (int k = 0; k < APP_SWEEP_NUMBERS; k++)
        result->quantity[k] = (double)NAN;
    for (int k = 0; k < options->space.axes && run >= 0; k++)
        scene.setting[scene.settings++] =
            (vs_scene_parameter){options->space.axis[k].name, app_space_value(&options->space, k, run)};
    if (t->only_make)
        scene.duration = 0;
    if (options->trajectories && !t->only_make) {
        app_sweep_trajectory_path(options, run, path, sizeof path);
        scene.output = path;
    }
    scene.quiet = true;
    if (run >= 0)
        name_process(options->command, run);
    (void)app_run_scene(&scene, keep_result, &w);
}
