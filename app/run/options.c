// The options of `voussoir run`, some of which other commands share.
#include "run/options.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/choices.h"
#include "cli/system/message.h"
#include "cli/options.h"
#include "cli/system/rank.h"
#include "voussoir/voussoir.h"

// In the order of the enum.
static const char *const on_overlaps[] = {"warn", "stop", "separate", NULL};

// "name=value"
static bool read_setting(void *user, const char *text) {
    app_run_options *options = user;
    const size_t length = strcspn(text, "=");
    char *end = NULL;
    const double value = text[length] ? strtod(text + length + 1, &end) : NAN;
    if (length == 0 || length >= sizeof options->name[0] || !end || end == text + length + 1 || *end ||
        !isfinite(value)) {
        app_complain("--set: '%s' is not NAME=NUMBER; for instance --set mu=0.4", text);
        return false;
    }
    if (options->settings == APP_RUN_SETTINGS) {
        app_complain("--set: more than %d parameters; write them into the scene file", APP_RUN_SETTINGS);
        return false;
    }
    char *name = options->name[options->settings];
    memcpy(name, text, length);
    name[length] = '\0';
    options->setting[options->settings++] = (vs_scene_parameter){name, value};
    return true;
}

// "every 10 steps", "10 steps" or "10"; "inaccurate"
static bool read_capture(app_run_options *options) {
    const char *text = options->capture, *at = text;
    if (!text)
        return true;
    if (strcmp(text, "inaccurate") == 0)
        return true;
    if (strncmp(at, "every ", 6) == 0)
        at += 6;
    char *end = NULL;
    errno = 0;
    const long every = strtol(at, &end, 10);
    const bool good = end != at && errno == 0 && every >= 1 && every <= 1000000000 &&
                      (*end == '\0' || strcmp(end, " steps") == 0 || strcmp(end, " step") == 0);
    if (!good)
        app_complain(
            "--capture: '%s' is not \"every N steps\" or inaccurate; for instance --capture \"every 100 steps\"", text);
    options->capture_every = good ? (int)every : 0;
    return good;
}

static bool check(const app_run_options *o, const app_line *line) {
    if (line->operands == 0)
        app_complain("run: no scene given; give a file or a name from 'voussoir scenes', for instance "
                     "'%s run arch%s'",
                     app_invocation(), app_is_distributed() ? " --model relaxed" : "");
    else if (line->operands > 1)
        app_complain("run: unexpected argument '%s'; a run has one scene", line->operand[1]);
    else if (o->resume && !o->checkpoint)
        app_complain("run: --resume needs --checkpoint FILE, the checkpoint to resume from");
    else if (o->resume && o->damage)
        app_complain("run: --damage counts from the first step; omit --resume, and run it at once");
    else if (o->damage && app_is_distributed())
        app_complain("run: --damage is not available in distributed runs; omit it, or use 'voussoir run'");
    else if (o->capture && app_is_distributed())
        app_complain("run: --capture is not available in distributed runs; omit it, or use 'voussoir run'");
    else
        return true;
    return false;
}

bool app_run_options_complete(app_run_options *options, const app_line *line) {
    options->scene = line->operands > 0 ? line->operand[0] : NULL;
    return check(options, line) && read_capture(options);
}

app_run_options app_run_options_default(void) {
    return (app_run_options){.duration = -1,
                             .step = -1,
                             .accuracy = -1,
                             .tolerance = -1,
                             .max_time = -1,
                             .frame = -1,
                             .model = -1,
                             .method = -1,
                             .warm_start = -1,
                             .on_inaccurate = -1,
                             .scheme = -1,
                             .patience = -1,
                             .checkpoint_every = 60,
                             .threads = 1};
}

// ---- rows ------------------------------------------------------------------------------------------------------

const app_option app_setting_rows[] = {
    {.name = "--set",
     .value = "NAME=VALUE",
     .example = "mu=0.4",
     .take = read_setting,
     .help = "set a parameter of the scene, or any number of the file by its JSON pointer, for instance "
             "/materials/wood/mu"},
    {.name = NULL},
};

const app_option app_simulation_rows[] = {
    {.name = "--duration",
     .value = "T",
     APP_TARGET(app_run_options, duration),
     .time = true,
     .otherwise = "the scene's",
     .help = "simulated time. Times are in seconds or have a unit: 2ms"},
    {.name = "--step",
     .value = "T",
     APP_TARGET(app_run_options, step),
     .open = true,
     .time = true,
     .otherwise = "the scene's, or 1/240 s",
     .help = "time step"},
    {.name = "--scheme",
     .value = "NAME",
     APP_TARGET(app_run_options, scheme),
     .names = vs_scheme_names,
     .otherwise = "the scene's, or moreau",
     .help = "time stepping: moreau; shake, of second order where the motion is smooth; or quasi-static, steps from "
             "rest for slow loading"},
    {.name = "--accuracy",
     .value = "A",
     APP_TARGET(app_run_options, accuracy),
     .example = "1e-3",
     .otherwise = "the scene's, or 0: off",
     .help = "subdivide steps until the estimated errors are at most A times a body's size, for instance 1e-3, and "
             "locate impacts; --step is then the longest step. Not with flexible bodies"},
    {.name = "--model",
     .value = "NAME",
     APP_TARGET(app_run_options, model),
     .names = vs_model_names,
     .otherwise = "the scene's, or exact",
     .help = "friction model: exact (Coulomb), relaxed (convex) or frictionless"},
    {.name = "--tolerance",
     .value = "T",
     APP_TARGET(app_run_options, tolerance),
     .otherwise = "the scene's, or 0",
     .help = "tolerance of each step (see 'voussoir help solve'); 0: 1e-6, and 1e-3 for islands of at least 300 "
             "contacts between grains: balls, or bodies that often touch in single points"},
    {.name = "--method",
     .value = "NAME",
     APP_TARGET(app_run_options, method),
     .choice = app_method_name,
     .otherwise = "the scene's, or auto",
     .help = "solution method of each step (see 'voussoir help solve')"},
    {.name = "--max-time",
     .value = "T",
     APP_TARGET(app_run_options, max_time),
     .time = true,
     .otherwise = "the scene's, or 0: no limit",
     .help = "time budget of each step's solve, for instance 2ms. A step that exceeds it uses its best iterate and "
             "counts as inaccurate; at least ten sweeps over the contacts are always done"},
    {.name = "--patience",
     .value = "N",
     APP_TARGET(app_run_options, patience),
     .most = INT_MAX,
     .otherwise = "the scene's, or 1000",
     .help =
         "maximum factorizations per contact island and step, of heaps with a loose tolerance also those that cost as "
         "much as 12 000 sweeps; 0: no limit. Beyond them the step uses its best iterate and counts as inaccurate"},
    {.name = "--warm-start",
     .value = "KIND",
     APP_TARGET(app_run_options, warm_start),
     .names = vs_warm_start_names,
     .otherwise = "the scene's, or full",
     .help = "warm start from the previous step: full, partial (velocities) or none"},
    {.name = "--on-inaccurate",
     .value = "ACTION",
     APP_TARGET(app_run_options, on_inaccurate),
     .names = vs_on_inaccurate_names,
     .otherwise = "the scene's, or continue",
     .help = "when a step misses the tolerance: continue with the best iterate, relaxed (use the solution of the "
             "convex model) or stop"},
    {.name = "--on-overlap",
     .value = "ACTION",
     APP_TARGET(app_run_options, overlap),
     .choices = on_overlaps,
     .help = "when bodies overlap at the start: warn, stop (exit code 2) or separate (move them apart before the first "
             "step, without turning them)"},
    {.name = "--elastic-iterations",
     .value = "N",
     APP_TARGET(app_run_options, elastic),
     .least = 1,
     .most = 1000,
     .otherwise = "the scene's, or 1",
     .help = "Newton iterations per step of flexible solids, for instance 20. More iterations keep large steps from "
             "gaining energy, at several times the cost"},
    {.name = "--frame",
     .value = "T",
     APP_TARGET(app_run_options, frame),
     .time = true,
     .otherwise = "the scene's",
     .help = "simulated time between the frames of a trajectory; 0: every step"},
    {.name = NULL},
};

static const app_option keyframe_row[] = {
    {.name = "--keyframe",
     .value = "NAME",
     APP_TARGET(app_run_options, keyframe),
     .help = "start in a state that the file of a robot has (MJCF), for instance home"},
    {.name = NULL},
};

static const app_option threads_row[] = {
    {.name = "--threads",
     .value = "N",
     APP_TARGET(app_run_options, threads),
     .least = 1,
     .most = 1024,
     .help = "number of threads; the result does not depend on it, bit for bit"},
    {.name = NULL},
};

static const app_option output_rows[] = {
    {.name = "--output",
     .letter = 'o',
     .value = "OUT.h5",
     APP_TARGET(app_run_options, output),
     .path = true,
     .writes = true,
     .help = "write the trajectory; /dev/null: record nothing"},
    {.name = "--checkpoint",
     .value = "FILE",
     APP_TARGET(app_run_options, checkpoint),
     .path = true,
     .writes = true,
     .help = "write the state periodically, on interruption and at the end"},
    {.name = "--checkpoint-every",
     .value = "T",
     APP_TARGET(app_run_options, checkpoint_every),
     .open = true,
     .time = true,
     .help = "wall time between checkpoints"},
    {.name = "--resume",
     APP_TARGET(app_run_options, resume),
     .help = "resume from the checkpoint and append to the trajectory, bit for bit as if uninterrupted"},
    {.name = "--capture",
     .value = "\"every N steps\"",
     .example = "\"every 100 steps\"",
     APP_TARGET(app_run_options, capture),
     .help = "write the contact problem of every N-th step to NAME-STEP.hdf5 (FCLIB), beside the output or in the "
             "current directory, for 'voussoir solve'; --capture inaccurate: of the steps that miss the tolerance"},
    {.name = "--damage",
     .value = "FILE.csv",
     APP_TARGET(app_run_options, damage),
     .path = true,
     .writes = true,
     .help = "write how far each joint between two blocks opened and slipped, at most and at the end, and the energy "
             "that its friction dissipated; not for blocks on meshes"},
    {.name = "--log",
     .value = "FILE.csv",
     APP_TARGET(app_run_options, log),
     .path = true,
     .writes = true,
     .help = "write a row for each step: its whole report, processor time, and for each stage of the solver its name, "
             "iterations, factorizations and seconds"},
    {.name = "--json", APP_TARGET(app_run_options, json), .help = "print the summary as JSON"},
    {.name = "--quiet",
     APP_TARGET(app_run_options, quiet),
     .help = "do not show progress, nor what looks like a mistake in the scene"},
    {.name = NULL},
};

const app_group app_run_groups[] = {
    {.title = "scene", .rows = app_setting_rows},
    {.rows = keyframe_row},
    {.title = "simulation", .rows = app_simulation_rows},
    {.rows = threads_row},
    {.title = "output", .rows = output_rows},
    {.rows = NULL},
};
