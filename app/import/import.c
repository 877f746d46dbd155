// voussoir import: drawings of other programs as scenes.
#include "import/import.h"

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "check/warn.h"
#include "cli/exit_code.h"
#include "cli/system/message.h"
#include "cli/options.h"
#include "cli/system/output.h"
#include "cli/report.h"
#include "cli/scene.h"
#include "import/gmsh.h"
#include "import/report.h"
#include "statics/assembly.h"
#include "statics/report.h"
#include "voussoir/voussoir.h"

static const char *const units[] = {"mm", "cm", "m", "in", "ft", NULL};
static const double metres[] = {1e-3, 1e-2, 1, .0254, .3048};
static const char *const axes[] = {"y", "z", NULL};

typedef struct import_options {
    bool statics;
    int unit; // -1: not given
    int up;
    double seconds; // for gmsh
    vs_cad_options cad;
    const char *output; // null: only the report
    const char *fixed;  // "a,b"
    char *names;        // copy of it
} import_options;

// ---- options -----------------------------------------------------------------------------------------------------

// Splits "a,b" in place; false: complained.
static bool split_names(import_options *o, const char **list, int most) {
    int count = 0;
    for (char *at = o->names, *comma; at; at = comma ? comma + 1 : NULL) {
        comma = strchr(at, ',');
        if (comma)
            *comma = '\0';
        if (!*at || count == most) {
            app_complain("import: --fixed '%s' %s; for instance --fixed left,right", o->fixed,
                         *at ? "has too many names" : "has an empty name");
            return false;
        }
        list[count++] = at;
    }
    o->cad.fixed = list;
    o->cad.fixed_count = count;
    return true;
}

static bool complete(import_options *o, const app_line *line) {
    o->cad.unit = o->unit >= 0 ? metres[o->unit] : 0;
    o->cad.y_up = o->up == 0;
    if (line->operands != 1)
        app_complain("import: %s; for instance 'voussoir import gate.obj --unit mm --ground -o gate.json'",
                     line->operands == 0 ? "no drawing given" : "more than one drawing given");
    else if (app_scene_is_step(line->operand[0]) && o->unit >= 0)
        app_complain("import: %s states its unit; omit --unit", line->operand[0]);
    else
        return true;
    return false;
}

// ---- the command -------------------------------------------------------------------------------------------------

static int read_drawing(vs_context *context, const char *path, const import_options *o, vs_cad **cad) {
    char text[512];
    if (app_scene_is_step(path)) {
        vs_cad_options options = o->cad;
        options.unit = 1;
        return app_gmsh_read(context, path, o->seconds, &options, cad);
    }
    const vs_error error = vs_cad_read(context, path, &o->cad, cad);
    if (error == VS_OK)
        return APP_DONE;
    if (error == VS_ERROR_IO) {
        app_explain(path, error, context, text, sizeof text);
        app_complain("%s: %s", path, text);
    } else {
        app_complain("%s", vs_context_get_error_text(context));
    }
    return app_exit_code(error);
}

static bool write_scene(const char *path, const vs_cad *cad) {
    app_output out;
    size_t length = 0;
    const char *text = vs_cad_get_scene(cad, &length);
    const bool good = app_output_open(&out, path);
    return app_output_close(&out, good && fwrite(text, 1, length, out.file) == length);
}

// Loads the scene as other commands do, and finds the interfaces of what is to stand.
static int report_scene(const char *path, const import_options *o, app_assembly *a, const vs_cad *cad) {
    size_t length = 0;
    const char *text = vs_cad_get_scene(cad, &length);
    const vs_cad_report report = vs_cad_get_report(cad);
    if (!app_assembly_check(a, vs_scene_parse(a->context, text, length, path, NULL, 0, &a->scene)))
        return a->code;
    // Its own lines are about the unit and the supports.
    app_check_warn(a->scene, path, "small large support");
    if (report.simulation && !o->statics) {
        app_report_name("time");
        printf("%g s in steps of %g s\n", a->scene->duration, a->scene->options.step);
        return APP_DONE;
    }
    if (!app_assembly_check(a, vs_statics_create(a->scene->world, NULL, &a->statics)))
        return a->code;
    app_statics_report_geometry(a);
    app_import_check_gaps(path, a, &report);
    return !o->statics || app_import_report_statics(a) ? APP_DONE : a->code;
}

static int import(const char *path, const import_options *o) {
    vs_context_def def = vs_context_def_default();
    def.log = app_scene_warn;
    app_assembly a = {.code = APP_DATA};
    vs_cad *cad = NULL;
    if (vs_context_create(&def, &a.context) != VS_OK) {
        app_complain("out of memory");
        return APP_DATA;
    }
    int code = read_drawing(a.context, path, o, &cad);
    if (code == APP_DONE) {
        const vs_cad_report report = vs_cad_get_report(cad);
        app_import_report(path, &report);
        app_import_check_size(path, &report);
        if (!o->cad.ground && report.fixed == 0 && !report.simulation)
            app_complain("%s: no body is static, so that everything falls; add --ground, --fixed NAME or --fix-lowest "
                         "(%d of %d)",
                         path, report.lowest, report.bodies);
        const bool written = o->output && write_scene(o->output, cad);
        code = o->output && !written ? APP_DATA : report_scene(path, o, &a, cad);
        if (written)
            printf("\nwritten to %s\n", o->output);
    }
    vs_cad_destroy(cad);
    app_assembly_release(&a);
    return code;
}

static int run(void *options, const app_line *line) {
    enum { FIXED_MOST = 1000 };
    const char *list[FIXED_MOST];
    import_options *o = options;
    if (!complete(o, line))
        return APP_USAGE;
    o->names = o->fixed ? strdup(o->fixed) : NULL;
    if (o->fixed && !o->names) {
        app_complain("out of memory");
        return APP_DATA;
    }
    const int code = o->names && !split_names(o, list, FIXED_MOST) ? APP_USAGE : import(line->operand[0], o);
    free(o->names);
    return code;
}

static void prepare(void *options) {
    *(import_options *)options = (import_options){.unit = -1, .up = 1, .seconds = 600, .cad = vs_cad_options_default()};
}

static const app_option scene_rows[] = {
    {.name = "--output",
     .letter = 'o',
     .value = "SCENE.json",
     APP_TARGET(import_options, output),
     .path = true,
     .writes = true,
     .otherwise = "none: only the report",
     .help = "file to write, in metres"},
    {.name = "--unit",
     .value = "UNIT",
     APP_TARGET(import_options, unit),
     .choices = units,
     .otherwise = "as the file states, else m",
     .help = "unit of the drawing: {choices}. STEP and IGES state it"},
    {.name = "--up",
     .value = "AXIS",
     APP_TARGET(import_options, up),
     .choices = axes,
     .help = "axis of the drawing that points up: z or y"},
    {.name = "--density",
     .value = "D",
     .example = "2200",
     APP_TARGET(import_options, cad.density),
     .open = true,
     .otherwise = "as the file states, else 2200",
     .help = "density in kg/m^3"},
    {.name = "--mu",
     .value = "MU",
     .example = "0.6",
     APP_TARGET(import_options, cad.mu),
     .otherwise = "as the file states, else 0.6",
     .help = "friction coefficient of all materials; each material name of an OBJ file is an entry in the scene"},
    {.name = "--snap",
     .value = "TOL",
     .example = "0.001",
     APP_TARGET(import_options, cad.snap),
     .help = "move corners within TOL (m) of a face of a neighbour onto it"},
    {.name = "--meshes",
     .value = "FOLDER",
     APP_TARGET(import_options, cad.meshes),
     .path = true,
     .otherwise = "beside the scene, or a folder 'meshes' there or around it",
     .help = "folder of the meshes that a Rigid IPC scene names"},
    {.name = "--thickness",
     .value = "T",
     APP_TARGET(import_options, cad.thickness),
     .open = true,
     .help = "thickness in m of bodies of a Rigid IPC scene that are flat; half of it to either side, of static ones "
             "all on "
             "the side where nothing moves"},
    {.name = "--max-time",
     .value = "T",
     APP_TARGET(import_options, seconds),
     .open = true,
     .time = true,
     .help = "time limit of gmsh, which reads STEP and IGES"},
    {.name = NULL},
};

static const app_option support_rows[] = {
    {.name = "--ground", APP_TARGET(import_options, cad.ground), .help = "add a static plane at the lowest point"},
    {.name = "--fixed",
     .value = "NAME,...",
     .example = "left,right",
     APP_TARGET(import_options, fixed),
     .help = "make these objects static"},
    {.name = "--fix-lowest",
     APP_TARGET(import_options, cad.fix_lowest),
     .help = "make the bodies that reach down to the lowest point static"},
    {.name = NULL},
};

static const app_option report_rows[] = {
    {.name = "--statics",
     APP_TARGET(import_options, statics),
     .help = "decide whether it stands, as 'voussoir statics' does"},
    {.name = NULL},
};

const app_command app_import_command = {
    .name = "import",
    .summary = "make a scene of blocks drawn in a CAD program, or of one of Rigid IPC",
    .usage = "DRAWING [-o SCENE.json] [OPTIONS]",
    .description =
        "Makes a scene of blocks that were drawn together in another program: one body per object, where it was drawn "
        "and with its name. DRAWING is an OBJ, STL, PLY, OFF, DXF (3DFACE) or MSH file, a model, problem, assembly or "
        "list of meshes of COMPAS (JSON), or, if gmsh is installed, a STEP or IGES file. Objects that are not "
        "connected become bodies of their own. Convex "
        "ones become hulls with the corners of the drawing; others become meshes that are cut into hulls when the "
        "scene is read. The report names interfaces, gaps and overlaps, and sizes that look like another unit.\n\n"
        "DRAWING may also be a scene of Rigid IPC (JSON), which has motion, loads and fixed degrees of freedom: these "
        "become "
        "drives, loads and joints. It states density and friction itself, and what it says is kept: --unit, --up, "
        "--density, "
        "--mu, --snap, --ground and --fixed are for drawings. Scenes of points or edges without faces are refused.",
    .groups = (const app_group[]){{.title = "scene", .rows = scene_rows},
                                  {.title = "supports", .rows = support_rows},
                                  {.title = "report", .rows = report_rows},
                                  {.rows = NULL}},
    .examples = "voussoir import gate.obj --unit mm --ground -o gate.json && voussoir statics gate.json\n"
                "voussoir import arch.step --fixed left,right --statics -o arch.json\n"
                "voussoir import wall.stl --unit cm --up y --ground --snap 0.001 -o wall.json\n"
                "voussoir import vault.json --fix-lowest --statics -o vault-scene.json\n"
                "voussoir import card-house.json --thickness 0.005 -o house.json && voussoir run house.json",
    .exit_codes = "0 if the drawing was read and, with -o, the scene was written; 1 usage error, 2 bad data, or gmsh "
                  "is missing or failed.",
    .size = sizeof(import_options),
    .prepare = prepare,
    .run = run,
    .files = "obj stl ply off step stp iges igs dxf msh json",
};
