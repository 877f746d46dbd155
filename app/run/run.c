// voussoir run: makes a scene, simulates it, writes the requested files, reports.
//
// The exit code is 0 only if every step met the tolerance. In voussoir-mpi every rank runs this:
// decisions by the clock, by a signal or by a file that one rank writes go through app_any_rank(), so that all agree.
#include "run/run.h"

#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "check/warn.h"
#include "cli/system/clock.h"
#include "cli/exit_code.h"
#include "cli/system/files.h"
#include "cli/system/interrupt.h"
#include "cli/system/message.h"
#include "cli/system/output.h"
#include "cli/system/path.h"
#include "cli/system/rank.h"
#include "cli/scene.h"
#include "run/damage.h"
#include "run/json.h"
#include "run/options.h"
#include "run/outcome.h"
#include "run/overlap.h"
#include "run/progress.h"
#include "run/report.h"
#include "run/simulation.h"
#include "run/step_log.h"
#include "run/summary.h"
#include "run/effort.h"
#include "run/totals.h"
#include "run/totals_note.h"
#include "voussoir/fclib.h"
#include "voussoir/trajectory.h"

typedef struct run {
    const app_run_options *options;
    vs_context *context;
    vs_scene *scene;
    vs_simulation *simulation;
    vs_damage *damage;        // of joints, or null
    vs_stop_condition *stops; // of the scene, and the fall; null: those of the scene alone
#ifdef APP_TRAJECTORIES
    vs_trajectory_writer *writer;
#endif
    app_step_log log; // closed: none
    app_run_totals totals;
    app_effort effort;
    app_run_progress progress;
    double saved;      // wall time of the last checkpoint
    char capture[512]; // prefix of the names of captured problems
    char error[512];
    bool stop;       // any rank was interrupted
    char more[4096]; // errors of a scene after the first, a line each
    bool reading;    // a scene or a checkpoint: warnings about it are reported
    app_run_summary ran;
} run;

// Prints the stored error and ends the run. `path` may be null.
static bool end_with(run *r, const char *path, vs_error error) {
    app_run_clear(&r->progress);
    app_complain("%s%s%s", path ? path : "", path ? ": " : "", r->error);
    app_abort_ranks(error);
    r->ran.error = r->error;
    r->ran.status = "error";
    r->ran.exit_code = app_worse(r->ran.exit_code, app_exit_code(error));
    return false;
}

// An output would overwrite an input, as was complained: on all ranks.
static bool fail_refused(run *r) {
    r->ran.error = "an output would overwrite an input";
    r->ran.status = "error";
    r->ran.exit_code = APP_USAGE;
    return false;
}

static bool fail(run *r, const char *path, vs_error error) {
    if (app_files_refused())
        return fail_refused(r);
    if (path)
        app_explain(path, error, r->context, r->error, sizeof r->error);
    else
        (void)snprintf(r->error, sizeof r->error, "%s", vs_context_get_error_text(r->context));
    return end_with(r, path, error);
}

static bool fail_output(run *r, const char *path, vs_error error) {
    app_explain_output(path, error, r->context, r->error, sizeof r->error);
    return end_with(r, path, error);
}

// Whether all ranks succeeded. The one that failed has reported why; the others end with it.
static bool all_good(run *r, bool good) {
    if (!app_any_rank(!good))
        return true;
    if (good) {
        app_run_clear(&r->progress);
        app_complain("another rank failed; all ranks must be able to read the same files");
        r->ran.error = "another rank failed";
        r->ran.status = "error";
        r->ran.exit_code = app_worse(r->ran.exit_code, APP_DATA);
    }
    return false;
}

// ---- the scene ---------------------------------------------------------------------------------------

// Names of built-in scenes take precedence: use ./NAME for a file of that name.
static bool is_named(const char *name) {
    vs_scene_info info;
    return app_scene_find(name, &info);
}

static bool is_file(const char *name) {
    return app_base_name(name) != name || app_has_extension(name, ".json") || app_scene_is_robot(name) ||
           access(name, F_OK) == 0;
}

// A scene that cannot be one, by the text in r->error.
static bool refuse(run *r, const char *about) {
    app_complain("%s: %s", about, r->error);
    r->ran.error = r->error;
    r->ran.status = "error";
    r->ran.exit_code = APP_USAGE;
    return false;
}

static bool complain_drawing(run *r, const char *name) {
    (void)snprintf(r->error, sizeof r->error, APP_DRAWING_REMEDY, name);
    return refuse(r, name);
}

static bool complain_unknown(run *r, const char *name) {
    const char *names[64] = {NULL};
    for (int k = 0; k < 63 && k < vs_scene_count(); k++)
        names[k] = vs_scene_at(k).name;
    const char *near = vs_nearest_name(name, names);
    if (near)
        (void)snprintf(r->error, sizeof r->error, "unknown scene %s; did you mean '%s'?", name, near);
    else
        (void)snprintf(r->error, sizeof r->error, "unknown scene %s; 'voussoir scenes' lists them", name);
    return refuse(r, "run");
}

// What a reader replaces or ignores, and other software than that of a checkpoint, are reported as warnings.
static void list_warnings(void *user, vs_log_level level, const char *text) {
    run *r = user;
    const size_t used = strlen(r->more);
    if (r->reading && level == VS_LOG_WARNING)
        app_complain("%s", text);
    if (level == VS_LOG_ERROR && used + strlen(text) + 2 <= sizeof r->more)
        (void)snprintf(r->more + used, sizeof r->more - used, "%s\n", text);
}

// The errors that were put aside while the first one was not yet reported.
static void list_errors(run *r) {
    for (char *line = r->more, *end; (end = strchr(line, '\n')); line = end + 1) {
        *end = '\0';
        app_complain("%s", line);
    }
    r->more[0] = '\0';
}

// Takes as long as the decomposition of its meshes does.
static vs_error open_scene(run *r, const vs_scene_parameter *setting, int settings) {
    app_interrupt_at_once(true);
    const vs_error error = app_scene_open(r->context, r->options->scene, setting, settings, &r->scene);
    app_interrupt_at_once(false);
    return error;
}

static bool import_scene(run *r) {
    const app_run_options *o = r->options;
    if (o->settings > 0) {
        (void)snprintf(r->error, sizeof r->error, "%s has no parameters; omit --set", o->scene);
        app_complain("run: %s", r->error);
        r->ran.error = r->error;
        r->ran.exit_code = APP_USAGE;
        return false;
    }
    r->reading = true;
    const vs_error error = open_scene(r, NULL, 0);
    r->reading = false;
    if (error != VS_OK)
        return fail(r, access(o->scene, R_OK) != 0 ? o->scene : NULL, error);
    if (r->scene->ignored > 0)
        app_complain("%s: %d %s of the file ignored, as listed above; simulating the rest", o->scene, r->scene->ignored,
                     r->scene->ignored == 1 ? "part" : "parts");
    return true;
}

static bool make_scene(run *r) {
    const app_run_options *o = r->options;
    const bool named = is_named(o->scene);
    if (!named && app_scene_is_robot(o->scene))
        return import_scene(r);
    if (!named && app_scene_is_drawing(o->scene))
        return complain_drawing(r, o->scene);
    if (!named && is_file(o->scene)) {
        r->reading = app_is_root();
        const vs_error error = open_scene(r, o->setting, o->settings);
        r->reading = false;
        // Its messages begin with file and line, also those about meshes that it refers to.
        const bool good = error == VS_OK || fail(r, access(o->scene, R_OK) != 0 ? o->scene : NULL, error);
        list_errors(r);
        return good;
    }
    if (!named)
        return complain_unknown(r, o->scene);
    const vs_error error = open_scene(r, o->setting, o->settings);
    return error == VS_OK || fail(r, NULL, error);
}

static bool set_keyframe(run *r) {
    const char *name = r->options->keyframe;
    const vs_error error = name ? vs_scene_set_keyframe(r->scene, name) : VS_OK;
    return error == VS_OK || fail(r, NULL, error);
}

static void override(run *r) {
    const app_run_options *o = r->options;
    vs_simulation_options *s = &r->scene->options;
    if (o->step > 0)
        s->step = o->step;
    if (o->scheme >= 0)
        s->scheme = (vs_scheme)o->scheme;
    if (o->accuracy >= 0)
        s->accuracy = o->accuracy;
    if (o->model >= 0)
        s->solver.model = (vs_model)o->model;
    if (o->method >= 0)
        s->solver.method = (vs_method)o->method;
    if (o->tolerance >= 0)
        s->solver.tolerance = o->tolerance;
    if (o->max_time >= 0)
        s->solver.max_time = o->max_time;
    if (o->warm_start >= 0)
        s->solver.warm_start = (vs_warm_start)o->warm_start;
    if (o->on_inaccurate >= 0)
        s->on_inaccurate = (vs_on_inaccurate)o->on_inaccurate;
    if (o->patience >= 0)
        s->solver.exact.patience = o->patience;
    if (o->elastic > 0)
        s->elastic_iterations = o->elastic;
    r->ran.duration = o->duration >= 0 ? o->duration : r->scene->duration;
}

// One condition more than the scene has.
static bool add_fall(run *r) {
    vs_simulation_options *o = &r->scene->options;
    if (!r->options->stop_at_fall)
        return true;
    r->stops = calloc((size_t)o->stops + 1, sizeof *r->stops);
    if (!r->stops) {
        (void)snprintf(r->error, sizeof r->error, "out of memory");
        return end_with(r, NULL, VS_ERROR_MEMORY);
    }
    for (int k = 0; k < o->stops; k++)
        r->stops[k] = o->stop[k];
    r->stops[o->stops] = vs_stop_condition_default();
    r->stops[o->stops++].when = VS_STOP_FALL;
    o->stop = r->stops;
    return true;
}

// ---- files -------------------------------------------------------------------------------------------

#ifdef APP_TRAJECTORIES
// A run that ended later than it shall end now would drop its last frames.
static bool ends_later(run *r) {
    const double time = vs_world_get_time(r->scene->world);
    if (time <= r->ran.duration + .5 * r->scene->options.step)
        return true;
    (void)snprintf(r->error, sizeof r->error, "is at %.6g s, after the end at %.6g s; give a longer --duration", time,
                   r->ran.duration);
    return end_with(r, r->options->checkpoint, VS_ERROR_ARGUMENT);
}

static bool open_files(run *r) {
    const app_run_options *o = r->options;
    vs_world *world = r->scene->world;
    vs_error error = VS_OK;
    if (o->resume) {
        r->reading = app_is_root();
        error = vs_checkpoint_read(o->checkpoint, world, r->simulation);
        r->reading = false;
        if (error != VS_OK)
            return fail(r, o->checkpoint, error);
        if (!ends_later(r))
            return false;
    }
    // A sweep sets these names itself.
    if (!app_writes(o->output) || !app_writes(o->checkpoint))
        return fail_refused(r);
    if (!o->output || !app_is_root())
        return true;
    vs_trajectory_writer_options options = vs_trajectory_writer_options_default();
    options.step = r->scene->options.step;
    options.title = r->scene->name;
    options.frame = o->frame >= 0 ? o->frame : r->scene->frame;
    error = o->resume ? vs_trajectory_writer_resume(o->output, world, vs_world_get_time(world), &options, &r->writer)
                      : vs_trajectory_writer_create(o->output, world, &options, &r->writer);
    r->ran.recorded = error == VS_OK;
    return error == VS_OK || fail_output(r, o->output, error);
}

// After a failure the file has fewer frames than the run.
static bool fail_trajectory(run *r, vs_error error) {
    r->ran.recorded = false;
    return fail_output(r, r->options->output, error);
}

static bool is_frame(const run *r, double time) {
    return vs_trajectory_writer_is_due(r->writer, time);
}

// Null: the initial state.
static bool write_frame(run *r, const vs_step_report *report) {
    if (!r->writer)
        return true;
    const vs_error error = vs_trajectory_writer_write(r->writer, r->scene->world, r->simulation, report);
    r->ran.frames += error == VS_OK;
    return error == VS_OK || fail_trajectory(r, error);
}

static bool save(run *r) {
    if (!r->options->checkpoint || !app_is_root())
        return true;
    // Earlier frames must be in the file before the checkpoint is: a resumed run does not write them again.
    const vs_error flushed = r->writer ? vs_trajectory_writer_flush(r->writer) : VS_OK;
    if (flushed != VS_OK)
        return fail_trajectory(r, flushed);
    vs_error error = app_run_totals_save(&r->totals, r->simulation);
    if (error == VS_OK)
        error = vs_checkpoint_write(r->options->checkpoint, r->scene->world, r->simulation);
    r->saved = app_now();
    r->ran.checkpoint = r->ran.checkpoint || error == VS_OK; // a failure leaves the previous one
    return error == VS_OK || fail_output(r, r->options->checkpoint, error);
}

static void close_files(run *r) {
    const vs_error error = vs_trajectory_writer_close(r->writer);
    // Of several errors the first one was reported.
    if (error != VS_OK && !r->ran.error)
        (void)fail_trajectory(r, error);
    r->ran.recorded = r->ran.recorded && error == VS_OK;
}

#else
static bool open_files(run *r) {
    const app_run_options *o = r->options;
    if (!o->output && !o->checkpoint)
        return true;
    app_complain("run: this build cannot write files (no HDF5); omit --output and --checkpoint");
    r->ran.error = "this build cannot write files";
    r->ran.exit_code = APP_DATA;
    r->ran.status = "error";
    return false;
}

static bool is_frame(const run *r, double time) {
    (void)r;
    (void)time;
    return false;
}

static bool write_frame(run *r, const vs_step_report *report) {
    (void)r;
    (void)report;
    return true;
}

static bool save(run *r) {
    (void)r;
    return true;
}

static void close_files(run *r) {
    (void)r;
}
#endif

// Is there something of this name that is no file, such as a device?
static bool is_special(const char *path) {
    struct stat found;
    return stat(path, &found) == 0 && !S_ISREG(found.st_mode);
}

// The output without its extension; without one, or if it is a device, the name of the scene, in the current folder.
static void name_captures(run *r) {
    const char *output = r->options->output && !is_special(r->options->output) ? r->options->output : NULL;
    const char *base = output ? app_base_name(output) : NULL, *dot = base ? strrchr(base, '.') : NULL;
    if (output)
        (void)snprintf(r->capture, sizeof r->capture, "%.*s",
                       (int)(dot && dot > base ? dot - output : (ptrdiff_t)strlen(output)), output);
    else
        (void)snprintf(r->capture, sizeof r->capture, "%s", r->scene->name);
    for (char *c = r->capture; !output && *c; c++)
        *c = *c == '/' ? '_' : *c;
}

static bool is_captured(const app_run_options *o, const vs_step_report *report) {
    if (!o->capture || report->contacts == 0)
        return false;
    return o->capture_every > 0 ? report->step % o->capture_every == 0 : report->status != VS_STATUS_CONVERGED;
}

static bool capture(run *r, const vs_step_report *report) {
    const vs_problem *problem = vs_simulation_get_problem(r->simulation);
    if (!problem || !is_captured(r->options, report))
        return true;
    char path[560];
    (void)snprintf(path, sizeof path, "%s-%06" PRId64 ".hdf5", r->capture, report->step);
    if (!app_writes(path))
        return fail_refused(r);
    const vs_error error = vs_fclib_write(path, problem, NULL);
    r->ran.captured += error == VS_OK;
    return error == VS_OK || fail_output(r, path, error);
}

// ---- stepping ----------------------------------------------------------------------------------------

// The initial state is a frame, too.
static bool begin(run *r) {
    const vs_world *world = r->scene->world;
    const double time = vs_world_get_time(world), h = r->scene->options.step;
    r->totals.begin = r->totals.end = vs_world_get_energy(world);
    if (r->options->resume)
        app_run_totals_load(&r->totals, (int64_t)floor(time / h + .5), r->simulation);
    r->progress.begin = time;
    r->progress.end = r->ran.duration;
    r->progress.step = r->totals.first + 1;
    r->progress.step_start = app_now();
    return r->options->resume || write_frame(r, NULL);
}

// Writes the files of a step.
static bool keep(run *r, const vs_step_report *report, bool frame, bool checkpoint) {
    const vs_error error = frame || checkpoint ? app_simulation_gather(r->simulation) : VS_OK;
    if (error != VS_OK)
        return fail(r, NULL, error);
    const bool good = (!frame || write_frame(r, report)) && capture(r, report) && (!checkpoint || save(r));
    return frame || checkpoint ? all_good(r, good) : good;
}

enum { FRAME = 1, CHECKPOINT = 2, STOP = 4 }; // a frame or a checkpoint is due; Ctrl-C

// What is to be done after a step.
static bool take(run *r, const vs_step_report *report) {
    app_run_add(&r->totals, report);
    if (r->scene->options.scheme == VS_SCHEME_QUASI_STATIC)
        app_run_add_momenta(&r->totals, report, r->scene->world);
    app_effort_add(&r->effort, report->seconds_total, vs_simulation_get_result(r->simulation));
    app_step_log_add(&r->log, report, vs_simulation_get_result(r->simulation));
    if (r->damage)
        app_damage_add(r->damage, r->simulation);
    const bool late = app_is_root() && app_now() - r->saved > r->options->checkpoint_every;
    const unsigned flags = app_any_rank((is_frame(r, report->time) ? FRAME : 0) | (late ? CHECKPOINT : 0) |
                                        (app_interrupted() ? STOP : 0));
    r->stop = flags & STOP;
    if (!keep(r, report, flags & FRAME, flags & CHECKPOINT))
        return false;
    app_run_hint(&r->progress, &r->effort, report, vs_simulation_get_result(r->simulation));
    app_run_show(&r->progress, report);
    return true;
}

static void step_all(run *r) {
    vs_run steps = vs_simulation_begin_run(r->simulation, r->ran.duration);
    vs_step_report report;
    r->ran.status = "done";
    r->stop = app_any_rank(app_interrupted());
    while (!r->stop && vs_run_next(&steps, &report))
        if (!take(r, &report))
            return;
    const vs_error error = steps.error ? steps.error : app_simulation_gather(r->simulation);
    if (error != VS_OK) {
        (void)fail(r, NULL, error);
        return;
    }
    if (!all_good(r, save(r)))
        return;
    if (r->totals.of.inaccurate > 0)
        r->ran.exit_code = APP_TOLERANCE;
    if (steps.end == VS_RUN_INACCURATE)
        r->ran.status = "inaccurate";
    else if (steps.end == VS_RUN_CONDITION)
        r->ran.status = "stopped";
    // A Ctrl-C after the last step has interrupted nothing.
    if (steps.end == VS_RUN_CONTINUES) {
        r->ran.status = "interrupted";
        r->ran.exit_code = APP_INTERRUPTED;
    }
}

// The start of a resumed run is that of its checkpoint.
static bool check_overlaps(run *r) {
    if (r->options->resume)
        return true;
    bool stop = false;
    const vs_error error = app_run_overlaps(r->simulation, r->scene->world, (app_on_overlap)r->options->overlap, &stop);
    if (error != VS_OK)
        return fail(r, NULL, error);
    if (stop) {
        r->ran.error = "bodies overlap at the start";
        r->ran.exit_code = APP_DATA;
    }
    return !stop;
}

static bool find_joints(run *r) {
    const vs_error error = r->options->damage ? vs_damage_create(r->scene->world, NULL, &r->damage) : VS_OK;
    return error == VS_OK || fail(r, NULL, error);
}

// Also after an interruption.
static void write_damage(run *r) {
    if (!r->damage || r->ran.error)
        return;
    if (app_damage_write(r->damage, r->scene->world, r->options->damage))
        r->ran.damage = r->damage;
    else
        r->ran.exit_code = app_worse(r->ran.exit_code, APP_DATA);
}

static bool open_log(run *r) {
    if (!r->options->log || !app_is_root() || app_step_log_open(&r->log, r->options->log))
        return true;
    r->ran.error = "the log of the steps could not be written"; // complained
    r->ran.exit_code = app_files_refused() ? APP_USAGE : APP_DATA;
    return false;
}

static void close_log(run *r) {
    if (!app_step_log_close(&r->log))
        r->ran.exit_code = app_worse(r->ran.exit_code, APP_DATA);
}

// After reading a checkpoint, for which all ranks need all states.
static bool divide(run *r) {
    const vs_error error = app_simulation_divide(r->simulation);
    return error == VS_OK || fail(r, NULL, error);
}

static void simulate(run *r) {
    override(r);
    if (!add_fall(r))
        return;
    name_captures(r);
    r->scene->options.solver.progress = app_run_watch;
    r->scene->options.solver.progress_user = &r->progress;
    r->reading = app_is_root();
    const vs_error error = vs_simulation_create(r->scene->world, &r->scene->options, &r->simulation);
    r->reading = false;
    if (error != VS_OK) {
        (void)fail(r, NULL, error);
        return;
    }
    r->ran.bodies = vs_world_get_body_count(r->scene->world);
    r->ran.joints = vs_world_get_joint_count(r->scene->world);
    r->progress.start = r->progress.last = r->saved = app_now();
    if (all_good(r, check_overlaps(r) && find_joints(r) && open_files(r) && open_log(r) && begin(r)) && divide(r)) {
        if (r->options->warn && app_is_root())
            app_check_warn(r->scene, r->options->scene, "friction");
        step_all(r);
    }
    close_files(r);
    close_log(r);
    write_damage(r);
    app_run_clear(&r->progress);
    r->ran.wall = app_now() - r->progress.start;
    (void)app_effort_times(&r->effort, &r->ran.times);
    r->ran.divided = !r->ran.error && app_simulation_division(r->simulation, &r->ran.division);
    app_run_outcome_read(r->simulation, r->scene, &r->ran.outcome);
    r->ran.time = vs_world_get_time(r->scene->world);
    r->ran.hash = vs_world_get_hash(r->scene->world);
}

int app_run_scene(const app_run_options *options, void (*finish)(const app_run_summary *ran, void *user), void *user) {
    run r = {.options = options};
    r.progress = (app_run_progress){.terminal = isatty(STDERR_FILENO) == 1, .quiet = options->quiet || !app_is_root()};
    r.ran = (app_run_summary){.options = options, .totals = &r.totals, .effort = &r.effort, .status = "error"};
    vs_context_def def = vs_context_def_default();
    def.threads = options->threads;
    def.log = list_warnings;
    def.log_user = &r;
    const vs_error error = vs_context_create(&def, &r.context);
    if (error != VS_OK)
        (void)fail(&r, options->scene, error);
    else if (all_good(&r, make_scene(&r) && set_keyframe(&r)))
        simulate(&r);
    r.ran.scene = r.scene; // null: nothing to report
    finish(&r.ran, user);
    app_effort_release(&r.effort);
    vs_damage_destroy(r.damage);
    vs_simulation_destroy(r.simulation);
    vs_scene_destroy(r.scene);
    free(r.stops);
    vs_context_destroy(r.context);
    return r.ran.exit_code;
}

static void explain_interruption(const app_run_summary *ran) {
    if (ran->checkpoint)
        app_complain("interrupted at %.6g s; resume with the same command and --resume", ran->time);
    else
        app_complain("interrupted at %.6g s; use --checkpoint FILE to make a run resumable", ran->time);
}

// `user`: whether the report could be written.
static void report(const app_run_summary *ran, void *user) {
    bool *good = user;
    if (!app_is_root())
        return;
    if (!ran->options->json)
        app_run_report(ran);
    else
        *good = app_run_json(ran);
    if (ran->exit_code == APP_INTERRUPTED)
        explain_interruption(ran);
}

int app_run_main(void *options, const app_line *line) {
    app_run_options *o = options;
    bool good = true;
    if (!app_run_options_complete(o, line))
        return APP_USAGE;
    app_catch_interrupts();
    o->warn = !o->quiet;
    const int code = app_run_scene(o, report, &good);
    return good ? code : app_worse(code, APP_DATA);
}
