// The problems of voussoir compare: problem files, all problem files of a directory, or the contact problems of a
// scene, which is simulated and leaves them in the directory of the results.
#include "compare/inputs.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/exit_code.h"
#include "cli/system/files.h"
#include "cli/system/interrupt.h"
#include "cli/system/message.h"
#include "cli/system/path.h"
#include "cli/system/process_pool.h"
#include "cli/scene.h"
#include "compare/comparison.h"
#include "compare/options.h"
#include "voussoir/scene.h"

static bool fail(app_comparison *c, int code) {
    c->exit_code = app_worse(c->exit_code, code);
    return false;
}

// ---- the list ---------------------------------------------------------------------------------------------------

// Takes a file into the list if it can be read; one that cannot is reported and skipped.
static bool add_file(app_comparison *c, const char *path) {
    vs_context *context = NULL;
    vs_problem *problem = NULL;
    vs_error error = vs_context_create(NULL, &context);
    if (error == VS_OK)
        error = app_reads(path) ? vs_fclib_read(context, path, &problem) : VS_ERROR_ARGUMENT;
    if (error != VS_OK && !app_files_refused()) {
        char text[512];
        app_explain(path, error, context, text, sizeof text);
        app_complain("%s: %s", path, text);
        c->exit_code = app_worse(c->exit_code, app_exit_code(error));
    }
    app_compare_file *grown = error == VS_OK ? realloc(c->file, sizeof *grown * (size_t)(c->files + 1)) : NULL;
    char *copy = grown ? strdup(path) : NULL;
    c->file = grown ? grown : c->file;
    if (copy) {
        const char *name = app_base_name(path);
        app_compare_file *f = &c->file[c->files++];
        *f = (app_compare_file){.path = copy, .info = vs_problem_get_info(problem)};
        const int length = (int)strlen(name) - (app_has_extension(name, ".hdf5") ? 5 : 0);
        (void)snprintf(f->label, sizeof f->label, "%.*s", length, name);
    }
    vs_problem_destroy(problem);
    vs_context_destroy(context);
    return true;
}

static bool wanted(const char *name) {
    return name[0] != '.' && app_has_extension(name, ".hdf5");
}

static bool add_directory(app_comparison *c, const char *path) {
    char **entry = NULL;
    const int count = app_list_names(path, wanted, &entry);
    for (int k = 0; k < count; k++) {
        char file[APP_COMPARE_PATH];
        const char *slash = path[strlen(path) - 1] == '/' ? "" : "/";
        if (snprintf(file, sizeof file, "%s%s%s", path, slash, entry[k]) < APP_COMPARE_PATH)
            (void)add_file(c, file);
    }
    app_forget_names(entry, count);
    if (count > 0)
        return true;
    app_complain("%s: %s; give a directory with *.hdf5 files", path,
                 count == 0 ? "contains no problem files" : "is not readable");
    return fail(c, APP_DATA);
}

// ---- scenes -----------------------------------------------------------------------------------------------------

#ifdef APP_DYNAMICS
typedef struct capture_job {
    const app_comparison *c;
    const char *scene;
    app_captured result;
} capture_job;

static bool is_scene(const char *name) {
    vs_scene_info info;
    return app_scene_find(name, &info) || app_scene_is_robot(name) || app_has_extension(name, ".json");
}

// DIR/problems/NAME-STEP.hdf5 with the name of the scene, or of its file without extension.
static void captured_path(const app_compare_options *o, const char *scene, int step, char path[APP_COMPARE_PATH]) {
    const char *base = app_base_name(scene), *dot = strrchr(base, '.');
    const int length = dot && dot > base ? (int)(dot - base) : (int)strlen(base),
              kept = length < APP_COMPARE_NAME ? length : APP_COMPARE_NAME - 1;
    if (snprintf(path, APP_COMPARE_PATH, "%s/problems/%.*s-%06d.hdf5", o->out, kept, base, step) >= APP_COMPARE_PATH)
        path[0] = '\0'; // no file has this name
}

// Every k-th step that has contacts: about ten of them by default.
static vs_error run_scene(const app_compare_options *o, const char *scene, vs_context *context,
                          vs_simulation *simulation, app_captured *result) {
    const int every = o->capture > 0 ? o->capture : o->steps > 10 ? o->steps / 10 : 1;
    for (int step = 1; step <= o->steps; step++) {
        vs_step_report report;
        vs_error error = vs_simulation_step(simulation, &report);
        const vs_problem *problem = vs_simulation_get_problem(simulation);
        if (error == VS_OK && step % every == 0 && report.contacts > 0 && problem && result->count < APP_CAPTURED) {
            char path[APP_COMPARE_PATH];
            captured_path(o, scene, step, path);
            error = !app_writes(path) ? VS_ERROR_ARGUMENT : vs_fclib_write(path, problem, NULL);
            if (error != VS_OK) {
                char text[256];
                app_explain_output(path, error, context, text, sizeof text);
                (void)snprintf(result->error, sizeof result->error, "%.250s: %s", path, text);
                return error;
            }
            result->step[result->count++] = step;
        }
        if (error != VS_OK)
            return error;
    }
    return VS_OK;
}

void app_compare_capture(const app_compare_options *o, const app_compare_task *t, app_captured *result) {
    vs_context *context = NULL;
    vs_scene *scene = NULL;
    vs_simulation *simulation = NULL;
    vs_error error = vs_context_create(NULL, &context);
    if (error == VS_OK)
        error = app_scene_open(context, t->path, NULL, 0, &scene);
    if (error == VS_OK)
        error = vs_simulation_create(scene->world, &scene->options, &simulation);
    if (error == VS_OK)
        error = run_scene(o, t->path, context, simulation, result);
    if (error != VS_OK) {
        if (!result->error[0])
            app_explain(t->path, error, context, result->error, sizeof result->error);
        result->exit_code = app_exit_code(error);
    }
}

static void tell_task(void *user, int task, void *message) {
    const capture_job *job = user;
    app_compare_task t = app_compare_task_of(job->c, task, -1, -1, 0);
    t.kind = APP_COMPARE_CAPTURE;
    (void)snprintf(t.path, sizeof t.path, "%s", job->scene);
    memcpy(message, &t, sizeof t);
}

static void keep_captured(void *user, int task, app_end end, const char *how, const void *from) {
    (void)task;
    app_captured *result = &((capture_job *)user)->result;
    if (end == APP_END_DONE) {
        memcpy(result, from, sizeof *result);
        return;
    }
    *result = (app_captured){.exit_code = end == APP_END_INTERRUPTED ? APP_INTERRUPTED : APP_DATA};
    (void)snprintf(result->error, sizeof result->error, "the simulation ended early: %s", how);
}

static bool add_scene(app_comparison *c, const char *scene) {
    char folder[APP_COMPARE_PATH];
    capture_job *job = calloc(1, sizeof *job);
    if (!job)
        return fail(c, APP_DATA);
    if (!app_scene_register(scene, NULL, 0)) {
        free(job);
        return fail(c, APP_USAGE);
    }
    job->c = c;
    job->scene = scene;
    app_compare_path(c, "problems", folder);
    (void)app_make_directory(folder); // errors show when files are written
    const app_pool pool = {.each = {.work = c->work,
                                    .options = &c->options,
                                    .told = sizeof(app_compare_task),
                                    .size = sizeof(app_captured)},
                           .tasks = 1,
                           .jobs = 1,
                           .tell = tell_task,
                           .done = keep_captured,
                           .user = job};
    (void)app_pool_run(&pool);
    const app_captured *result = &job->result;
    if (result->exit_code != APP_DONE && result->exit_code != APP_INTERRUPTED)
        app_complain("%s: %s", scene, result->error);
    else if (result->exit_code == APP_DONE && result->count == 0)
        app_complain("%s: no step has contacts; increase --steps", scene);
    for (int k = 0; k < result->count; k++) {
        char path[APP_COMPARE_PATH];
        captured_path(&c->options, scene, result->step[k], path);
        (void)add_file(c, path);
    }
    const int code = result->count == 0 ? app_worse(result->exit_code, APP_DATA) : result->exit_code;
    free(job);
    return code == APP_DONE || fail(c, code);
}
#else
void app_compare_capture(const app_compare_options *o, const app_compare_task *t, app_captured *result) {
    (void)o, (void)t, (void)result;
}

static bool is_scene(const char *name) {
    (void)name;
    return false;
}

static bool add_scene(app_comparison *c, const char *scene) {
    (void)scene;
    return fail(c, APP_DATA);
}
#endif

// ---- operands ---------------------------------------------------------------------------------------------------

// Selects the files with histories: spread over the sizes, including the largest.
static void choose_histories(app_comparison *c) {
    int wanted_files = c->options.histories < c->files ? c->options.histories : c->files;
    for (int j = 0; j < wanted_files; j++) {
        // The file of this rank by size.
        const int rank = (j + 1) * c->files / wanted_files - 1;
        for (int k = 0; k < c->files; k++) {
            int smaller = 0;
            for (int i = 0; i < c->files; i++)
                smaller += c->file[i].info.contacts < c->file[k].info.contacts ||
                           (i < k && c->file[i].info.contacts == c->file[k].info.contacts);
            if (smaller == rank)
                c->file[k].history = true;
        }
    }
}

bool app_compare_gather(app_comparison *c, char **operand) {
    for (int k = 0; k < c->options.operands && !app_interrupted() && !app_files_refused(); k++) {
        if (app_is_directory(operand[k]))
            (void)add_directory(c, operand[k]);
        else if (is_scene(operand[k]))
            (void)add_scene(c, operand[k]);
        else
            (void)add_file(c, operand[k]);
    }
    choose_histories(c);
    return c->files > 0 && !app_files_refused();
}
