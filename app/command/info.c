// voussoir info: what a file is and what it holds: scenes, trajectories and checkpoints with the software that wrote
// them, tables of sweeps, contact problems with the errors of a stored solution.
#include <inttypes.h>
#include <jansson.h>
#include <limits.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/exit_code.h"
#include "cli/file_kind.h"
#include "cli/json.h"
#include "cli/system/message.h"
#include "cli/options.h"
#include "cli/system/path.h"
#include "cli/report.h"
#include "cli/scene.h"
#include "command/commands.h"
#ifdef APP_TRAJECTORIES
#include "command/record_info.h"
#endif
#include "voussoir/voussoir.h"

// A problem file.
typedef struct stored_problem {
    const char *path, *error; // error null: none
    vs_problem_info info;
    bool solution;              // the file holds one
    vs_measures relaxed, exact; // of that solution
} stored_problem;

static vs_error measure(const vs_problem *problem, vs_model model, const double *g, const double *lambda,
                        vs_measures *measures) {
    vs_measurer *measurer = NULL;
    vs_error error = vs_measurer_create(problem, model, &measurer);
    if (error == VS_OK)
        error = vs_measure(measurer, g, lambda, NULL, NULL, measures);
    vs_measurer_destroy(measurer);
    return error;
}

// A file without a solution, or with one of other sizes, is not an error.
static vs_error measure_solution(const char *path, const vs_problem *problem, stored_problem *stored) {
    double *g = calloc((size_t)stored->info.m_e + 1, sizeof *g),
           *lambda = calloc((size_t)stored->info.m + 1, sizeof *lambda);
    vs_error error = g && lambda ? VS_OK : VS_ERROR_MEMORY;
    if (error == VS_OK && vs_fclib_read_solution(path, problem, NULL, g, lambda, NULL) == VS_OK) {
        error = measure(problem, VS_MODEL_RELAXED, g, lambda, &stored->relaxed);
        if (error == VS_OK)
            error = measure(problem, VS_MODEL_EXACT, g, lambda, &stored->exact);
        stored->solution = error == VS_OK;
    }
    free(g);
    free(lambda);
    return error;
}

static void report(const stored_problem *stored) {
    printf("%s\n", stored->path);
    app_report_problem(&stored->info);
    if (!stored->solution) {
        printf("  %-20snone\n", "stored solution");
        return;
    }
    printf("  %-20snatural map %.1e relative, energy error %.1e J (relaxed model)\n", "stored solution",
           stored->relaxed.natural_map_relative, stored->relaxed.energy_error);
    printf("  %-20snatural map %.1e relative, energy error %.1e J (exact model)\n", "",
           stored->exact.natural_map_relative, stored->exact.energy_error);
}

static bool print_json(const stored_problem *s, bool line) {
    json_t *o = json_object();
    app_json_put(o, "voussoir", json_string(vs_version()));
    app_json_put(o, "file", app_json_text(s->path));
    app_json_put(o, "error", app_json_text(s->error));
    if (!s->error) {
        app_json_put(o, "problem", app_json_problem(&s->info));
        json_t *solution = s->solution ? json_object() : json_null();
        if (s->solution) {
            json_t *relaxed = json_object(), *exact = json_object();
            app_json_put_measures(relaxed, &s->relaxed);
            app_json_put_measures(exact, &s->exact);
            app_json_put(solution, "relaxed", relaxed);
            app_json_put(solution, "exact", exact);
        }
        app_json_put(o, "solution", solution);
    }
    return app_json_print(o, line);
}

// ---- scenes, trajectories, checkpoints, tables ---------------------------------------------------------------------------------

#ifdef APP_TRAJECTORIES
// A line per library, "name version", as an object.
static json_t *software_object(const char *text) {
    json_t *o = json_object();
    while (*text) {
        const size_t length = strcspn(text, "\n"), name = strcspn(text, " \n");
        if (name < length)
            (void)json_object_setn_new(o, text, name, json_stringn(text + name + 1, length - name - 1));
        text += length + (text[length] == '\n');
    }
    return o;
}

static void report_software(const char *text) {
    app_report_name("software");
    if (!*text)
        printf("not recorded\n");
    for (bool first = true; *text; first = false) {
        const size_t length = strcspn(text, "\n");
        if (!first)
            app_report_name("");
        printf("%.*s\n", (int)length, text);
        text += length + (text[length] == '\n');
    }
}

// A file of ours but a problem: its kind ("trajectory", "scene", …), a line about its contents, the same as members of `o`;
// software: null for files that do not record it.
static bool show_contents(const char *path, const char *kind, const char *contents, json_t *o, const char *software,
                          bool json, bool line) {
    if (!json) {
        printf("%s\n", path);
        app_report_name(kind);
        printf("%s\n", contents);
        if (software)
            report_software(software);
        json_decref(o);
        return true;
    }
    json_t *whole = json_object();
    app_json_put(whole, "voussoir", json_string(vs_version()));
    app_json_put(whole, "file", app_json_text(path));
    app_json_put(whole, "error", json_null());
    app_json_put(whole, kind, o);
    if (software)
        app_json_put(whole, "software", software_object(software));
    return app_json_print(whole, line);
}

static int fail(const char *path, vs_error error, const vs_context *context, bool json, bool line) {
    char text[512];
    app_explain(path, error, context, text, sizeof text);
    app_complain("%s: %s", path, text);
    if (json)
        (void)print_json(&(stored_problem){.path = path, .error = text}, line);
    return app_exit_code(error);
}

static int show_scene(const char *path, bool json, bool line) {
    vs_context *context = NULL;
    vs_scene *scene = NULL;
    vs_error error = vs_context_create(NULL, &context);
    if (!error)
        error = app_scene_open(context, path, NULL, 0, &scene);
    int code = APP_DONE;
    if (error) {
        // Its messages begin with file and line, and say what to do.
        const char *said = context ? vs_context_get_error_text(context) : "";
        if ((error == VS_ERROR_IO && access(path, R_OK) != 0) || !*said)
            code = fail(path, error, context, json, line);
        else {
            app_complain("%s", said);
            code = app_exit_code(error);
            if (json)
                (void)print_json(&(stored_problem){.path = path, .error = said}, line);
        }
    } else {
        const int bodies = vs_world_get_body_count(scene->world), joints = vs_world_get_joint_count(scene->world),
                  solids = vs_world_get_flexible_count(scene->world);
        char contents[256];
        (void)snprintf(contents, sizeof contents, "%s: %d bodies, %d joints, %d flexible; %.6g s in steps of %.6g s",
                       scene->name, bodies, joints, solids, scene->duration, scene->options.step);
        json_t *o = json_object();
        app_json_put(o, "name", app_json_text(scene->name));
        app_json_put(o, "bodies", json_integer(bodies));
        app_json_put(o, "joints", json_integer(joints));
        app_json_put(o, "flexible", json_integer(solids));
        app_json_put(o, "duration", json_real(scene->duration));
        app_json_put(o, "step", json_real(scene->options.step));
        code = show_contents(path, "scene", contents, o, NULL, json, line) ? APP_DONE : APP_DATA;
    }
    vs_scene_destroy(scene);
    vs_context_destroy(context);
    return code;
}

// A mesh: its volume, and what a decomposition with the default options makes of it.
static int show_mesh(const char *path, bool json, bool line) {
    vs_context *context = NULL;
    vs_shape *mesh = NULL;
    vs_error error = vs_context_create(NULL, &context);
    if (!error)
        error = vs_shape_from_file(context, path, 1, false, &mesh);
    if (error) {
        const int code = fail(path, error, context, json, line);
        vs_context_destroy(context);
        return code;
    }
    const vs_decompose_options options = vs_decompose_options_default();
    vs_shape **part = calloc((size_t)options.parts, sizeof(vs_shape *));
    vs_mass_properties mass = {0};
    int parts = 0;
    double excess = 0;
    const bool solid = vs_shape_get_mass(mesh, 1, &mass) == VS_OK;
    const bool decomposed = solid && part && vs_shape_decompose(mesh, &options, part, &parts, &excess) == VS_OK;
    char contents[512];
    int used = solid ? snprintf(contents, sizeof contents, "closed, volume %.6g, centre (%.4g, %.4g, %.4g)", mass.mass,
                                mass.centre.x, mass.centre.y, mass.centre.z)
                     : snprintf(contents, sizeof contents, "%s", vs_context_get_error_text(context));
    if (decomposed)
        (void)snprintf(contents + used, sizeof contents - (size_t)used, "; %d convex parts, volume error %.2g", parts,
                       fmax(excess, 0));
    json_t *o = json_object();
    app_json_put(o, "closed", json_boolean(solid));
    app_json_put(o, "volume", solid ? json_real(mass.mass) : json_null());
    app_json_put(o, "parts", decomposed ? json_integer(parts) : json_null());
    app_json_put(o, "volume_error", decomposed ? json_real(fmax(excess, 0)) : json_null());
    const bool shown = show_contents(path, "mesh", contents, o, NULL, json, line);
    for (int k = 0; k < parts; k++)
        vs_shape_release(part[k]);
    free(part);
    vs_shape_release(mesh);
    vs_context_destroy(context);
    return shown ? APP_DONE : APP_DATA;
}

static int show_table(const char *path, bool json, bool line) {
    vs_context *context = NULL;
    vs_table_info info = {0};
    vs_error error = vs_context_create(NULL, &context);
    if (!error)
        error = vs_table_read_info(context, path, APP_SWEEP_TABLE, &info);
    int code = APP_DATA;
    if (error)
        code = fail(path, error, context, json, line);
    else {
        json_t *o = json_object(), *names = json_array();
        char contents[sizeof info.names + 128];
        (void)snprintf(contents, sizeof contents, "of a sweep, %" PRId64 " runs; %d columns:", info.rows, info.columns);
        for (const char *name = info.names; *name; name += strcspn(name, "\n") + 1) {
            const size_t used = strlen(contents), length = strcspn(name, "\n");
            (void)snprintf(contents + used, sizeof contents - used, "%s %.*s", used && name > info.names ? "," : "",
                           (int)length, name);
            (void)json_array_append_new(names, json_stringn(name, length));
        }
        app_json_put(o, "rows", json_integer(info.rows));
        app_json_put(o, "columns", names);
        code = show_contents(path, "table", contents, o, NULL, json, line) ? APP_DONE : APP_DATA;
    }
    vs_context_destroy(context);
    return code;
}

static bool show_trajectory(vs_trajectory_reader *reader, const char *path, bool json, bool line) {
    const vs_trajectory_info *info = vs_trajectory_reader_get_info(reader);
    char contents[160];
    (void)snprintf(contents, sizeof contents, "%" PRId64 " frames, %d bodies, %d joints; step %.6g s", info->frames,
                   info->bodies, info->joints, info->step);
    json_t *o = json_object();
    app_json_put(o, "frames", json_integer(info->frames));
    app_json_put(o, "bodies", json_integer(info->bodies));
    app_json_put(o, "joints", json_integer(info->joints));
    app_json_put(o, "step", json_real(info->step));
    return show_contents(path, "trajectory", contents, o, info->software, json, line);
}

static bool show_checkpoint(const vs_checkpoint_info *info, const char *path, bool json, bool line) {
    char contents[160];
    (void)snprintf(contents, sizeof contents, "at %.9g s, %" PRId64 " bodies, %" PRId64 " joints", info->time,
                   info->bodies, info->joints);
    json_t *o = json_object();
    app_json_put(o, "time", json_real(info->time));
    app_json_put(o, "bodies", json_integer(info->bodies));
    app_json_put(o, "joints", json_integer(info->joints));
    return show_contents(path, "checkpoint", contents, o, info->software, json, line);
}

// A trajectory or a checkpoint.
static int show_run_file(const char *path, bool json, bool line) {
    vs_context *context = NULL;
    vs_trajectory_reader *reader = NULL;
    vs_checkpoint_info checkpoint;
    int code = APP_DATA;
    if (vs_context_create(NULL, &context) != VS_OK)
        return APP_DATA;
    if (vs_trajectory_reader_open(context, path, &reader) == VS_OK)
        code = show_trajectory(reader, path, json, line) ? APP_DONE : APP_DATA;
    else if (vs_checkpoint_read_info(context, path, &checkpoint) == VS_OK)
        code = show_checkpoint(&checkpoint, path, json, line) ? APP_DONE : APP_DATA;
    vs_trajectory_reader_close(reader);
    vs_context_destroy(context);
    return code;
}
#endif

// ---- the command --------------------------------------------------------------------------------------------------

static int show_problem(const char *path, bool json, bool line) {
    char text[512];
    stored_problem stored = {.path = path};
    vs_context *context = NULL;
    vs_problem *problem = NULL;
    vs_error error = vs_context_create(NULL, &context);
    if (error == VS_OK)
        error = vs_fclib_read(context, path, &problem);
    if (error == VS_OK) {
        stored.info = vs_problem_get_info(problem);
        error = measure_solution(path, problem, &stored);
    }
    if (error != VS_OK) {
        app_explain(path, error, context, text, sizeof text);
        app_complain("%s: %s", path, text);
        stored.error = text;
    }
    int code = app_exit_code(error);
    if (json) {
        if (!print_json(&stored, line))
            code = app_worse(code, APP_DATA);
    } else if (error == VS_OK)
        report(&stored);
    vs_problem_destroy(problem);
    vs_context_destroy(context);
    return code;
}

static int show_file(const char *path, bool json, bool line) {
#ifdef APP_TRAJECTORIES
    char table[PATH_MAX];
    vs_scene_info named;
    const bool sweep = app_is_directory(path) && snprintf(table, sizeof table, "%s/runs.h5", path) < PATH_MAX;
    if (sweep && access(table, F_OK) == 0)
        return show_table(table, json, line);
    if (app_has_extension(path, ".stl") || app_has_extension(path, ".obj"))
        return show_mesh(path, json, line);
    if (access(path, F_OK) != 0 && app_scene_find(path, &named))
        return show_scene(path, json, line);
    switch (app_file_find_kind(path)) {
    case APP_FILE_SCENE:
        return show_scene(path, json, line);
    case APP_FILE_TABLE:
        return show_table(path, json, line);
    case APP_FILE_TRAJECTORY:
    case APP_FILE_CHECKPOINT:
        return show_run_file(path, json, line);
    case APP_FILE_PROBLEM:
    case APP_FILE_UNKNOWN:
        break;
    }
#endif
    return show_problem(path, json, line);
}

typedef struct info_options {
    bool json;
#ifdef APP_TRAJECTORIES
    app_record_options reading;
#endif
} info_options;

static int show(const char *path, const info_options *o, bool several) {
#ifdef APP_TRAJECTORIES
    if (app_is_record(path))
        return app_info_record(path, &o->reading, o->json, several);
#endif
    return show_file(path, o->json, several);
}

static int run(void *options, const app_line *line) {
    int code = APP_DONE;
    if (line->operands == 0) {
        app_complain("info: no file given; give one, for instance 'voussoir info pile.hdf5'");
        return APP_USAGE;
    }
    for (int k = 0; k < line->operands; k++)
        code = app_worse(code, show(line->operand[k], options, line->operands > 1));
    return code;
}

static void prepare(void *options) {
#ifdef APP_TRAJECTORIES
    ((info_options *)options)->reading = app_record_options_default();
#else
    (void)options;
#endif
}

static const app_option rows[] = {
    {.name = "--json",
     APP_TARGET(info_options, json),
     .help = "JSON instead of a report; several files: one object per line"},
    {.name = NULL},
};

const app_command app_info_command = {
    .name = "info",
    .summary = "show what files hold: problems, scenes, trajectories, meshes",
    .usage = "FILE... [OPTIONS]",
    .description =
        "Says what each file is and what it holds. Contact problems (FCLIB): sizes, masses and friction, and the "
        "errors of a stored solution, measured from its impulses alone for the relaxed and the exact friction model. "
        "Trajectories and checkpoints: sizes, times, and the software that wrote them, on which the last bits depend. "
        "Scenes (JSON, URDF, MJCF, or the name of a built-in one): bodies, joints, and how they are simulated. Tables "
        "of sweeps (runs.h5, or the folder of the sweep): runs and columns. Meshes (STL, OBJ): volume, centre, and the "
        "number and the volume error of the convex parts into which \"decompose\" divides them (in the file's units)."
#ifdef APP_TRAJECTORIES
        " Accelerograms (.AT2, .csv, .txt, .dat): peaks of acceleration, velocity and displacement, Arias intensity, "
        "durations, cumulative absolute velocity, and the predominant period, that of the largest pseudo-acceleration "
        "with 5 % damping."
#endif
    ,
    .groups =
        (const app_group[]){
            {.title = "output", .rows = rows},
#ifdef APP_TRAJECTORIES
            {.title = "accelerograms", .rows = app_record_rows, .base = offsetof(info_options, reading)},
#endif
            {.rows = NULL}},
    .examples = "voussoir info pile.hdf5\n"
                "voussoir info arch.h5 arch.ck scene.json sweep/runs.h5\n"
                "voussoir info stone.stl\n"
#ifdef APP_TRAJECTORIES
                "voussoir info quake.AT2\n"
                "voussoir info quake.csv --skip 1 --scale 9.81\n"
#endif
                "voussoir info problems/*.hdf5 --json | jq -r '[.file, .problem.contacts] | @tsv'",
    .exit_codes = "0 if every file was read; 1 usage error, 2 bad data; with several files, the worst.",
    .size = sizeof(info_options),
    .prepare = prepare,
    .run = run,
    .files = "hdf5 h5 json urdf xml stl obj",
};
