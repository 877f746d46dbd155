// voussoir explain: what a scene contains, what looks like a mistake in it, and what its first step does.
#include "explain/explain.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

#include "check/checks.h"
#include "cli/exit_code.h"
#include "cli/options.h"
#include "cli/scene.h"
#include "cli/system/files.h"
#include "cli/system/message.h"
#include "cli/system/path.h"
#include "explain/explanation.h"
#include "run/options.h"
#include "voussoir/voussoir.h"

enum { CONTACTS_OF_A_MOMENT = 400 }; // for statics

typedef struct explain_options {
    app_run_options run;
    bool json;
    const char *output; // trajectory of the first step; null: none
} explain_options;

static int complain(const vs_context *context, vs_error error) {
    if (!app_files_refused())
        app_complain("%s", error == VS_ERROR_MEMORY ? "out of memory" : vs_context_get_error_text(context));
    return app_exit_code(error);
}

static bool check_name(const char *name) {
    vs_scene_info info;
    if (app_scene_find(name, &info))
        return true;
    if (app_scene_is_drawing(name))
        app_complain("%s: " APP_DRAWING_REMEDY, name, name);
    else if (access(name, R_OK) != 0 && !strchr(name, '.') && app_base_name(name) == name)
        app_complain("'%s' is neither a readable file nor a built-in scene; 'voussoir scenes' lists those", name);
    else
        return true;
    return false;
}

// Scenes that statics cannot treat, and large ones, have no verdict.
static void decide(app_explanation *e) {
    vs_statics *statics = NULL;
    vs_statics_result result;
    if (app_length(vs_world_get_gravity(e->scene->world)) > 0 && e->bodies.dynamic > 0 &&
        vs_statics_create(e->scene->world, NULL, &statics) == VS_OK &&
        vs_statics_get_report(statics).contacts <= CONTACTS_OF_A_MOMENT &&
        vs_statics_solve(statics, &result) == VS_OK) {
        e->decided = true;
        e->verdict = result.verdict;
    }
    vs_statics_destroy(statics);
}

static int explain(const explain_options *o, vs_context *context, vs_scene *scene) {
    app_explanation e = {.path = o->run.scene, .scene = scene};
    vs_error error = app_bodies_read(scene->world, &e.bodies) && app_freedom_count(&e.bodies, &e.freedom, &e.findings)
                         ? VS_OK
                         : VS_ERROR_MEMORY;
    if (error == VS_OK) {
        app_check_world(scene, &e.bodies, &e.findings);
        app_check_file(o->run.scene, &e.findings);
        error = app_first_step_take(scene, &e.bodies, o->output, &e.first, &e.findings);
    }
    int code = APP_DONE;
    if (error != VS_OK) {
        code = complain(context, error);
    } else {
        decide(&e);
        if (!o->json)
            app_explanation_print(&e);
        else if (!app_explanation_print_json(&e))
            code = APP_DATA;
    }
    app_bodies_release(&e.bodies);
    return code;
}

static int run(void *options, const app_line *line) {
    explain_options *o = options;
    vs_context_def def = vs_context_def_default();
    vs_context *context = NULL;
    vs_scene *scene = NULL;
    def.log = app_scene_warn;
    if (line->operands != 1) {
        app_complain("explain: %s; for instance 'voussoir explain scene.json'",
                     line->operands == 0 ? "no scene given" : "more than one scene given");
        return APP_USAGE;
    }
    o->run.scene = line->operand[0];
    if (!check_name(o->run.scene))
        return APP_USAGE;
    if (vs_context_create(&def, &context) != VS_OK) {
        app_complain("out of memory");
        return APP_DATA;
    }
    const vs_error error = app_scene_open(context, o->run.scene, o->run.setting, o->run.settings, &scene);
    const int code = error == VS_OK ? explain(o, context, scene) : complain(context, error);
    vs_scene_destroy(scene);
    vs_context_destroy(context);
    return code;
}

static void prepare(void *options) {
    *(explain_options *)options = (explain_options){.run = app_run_options_default()};
}

static const app_option output_rows[] = {
#ifdef APP_TRAJECTORIES
    {.name = "--output",
     .letter = 'o',
     .value = "FILE.h5",
     APP_TARGET(explain_options, output),
     .path = true,
     .writes = true,
     .help = "the first step as a trajectory, for 'voussoir render --arrows' and 'voussoir view'"},
#endif
    {.name = "--json", APP_TARGET(explain_options, json), .help = "JSON instead of text, with a row for each body"},
    {.name = NULL},
};

const app_command app_explain_command = {
    .name = "explain",
    .summary = "explain a scene: bodies, joints, what looks like a mistake",
    .usage = "SCENE.json|ROBOT.urdf|MODEL.xml|NAME [OPTIONS]",
    .description =
        "Explains a scene before it is run: bodies and masses, supports, joints and the degrees of freedom that they "
        "leave, contacts, and what the first step does. What looks like a mistake is listed as a suspicion: sizes, "
        "masses, speeds and gravity in other units, nothing fixed, no thickness, bodies twice in one place, overlaps, "
        "gaps, friction or density left to the defaults, angles in degrees, motors that cannot move. 'run', 'statics' "
        "and 'import' print those that need no step.",
    .groups =
        (const app_group[]){
            {.title = "scene and output", .rows = app_setting_rows, .base = offsetof(explain_options, run)},
            {.rows = output_rows},
            {.rows = NULL}},
    .examples = "voussoir explain scene.json\n"
                "voussoir explain scene.json -o first.h5 && voussoir render first.h5 --arrows\n"
                "voussoir explain arch --json",
    .notes =
        "A suspicion is no error: the exit code is 0. Sizes and densities are those of the homogeneous box with the "
        "mass and the inertia of a body.",
    .exit_codes = "0 if the scene could be read and stepped; 1 usage error, 2 bad data.",
    .size = sizeof(explain_options),
    .prepare = prepare,
    .run = run,
    .computes = true,
    .files = "json urdf xml",
    .word = app_scene_word,
};
