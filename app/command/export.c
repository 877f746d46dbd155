// voussoir export: a trajectory as XDMF (ParaView) or glTF (Blender and others), or histories of it as CSV.
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/csv.h"
#include "cli/exit_code.h"
#include "cli/file_kind.h"
#include "cli/system/files.h"
#include "cli/history.h"
#include "cli/system/message.h"
#include "cli/options.h"
#include "cli/system/output.h"
#include "command/commands.h"
#include "voussoir/trajectory.h"

typedef struct export_options {
    const char *in, *out;
    int every;
    bool loads;      // CSV of load cases
    char **quantity; // of CSV
    int quantities;
} export_options;

// The library may have put the name of a file first; if not, the command adds it.
static void complain(const export_options *o, vs_error error, const vs_context *context) {
    char text[512];
    const char *said = context ? vs_context_get_error_text(context) : "";
    if (error == VS_ERROR_ARGUMENT || error == VS_ERROR_UNSUPPORTED)
        app_complain("export: %s", said);
    else if (strncmp(said, o->in, strlen(o->in)) == 0) {
        if (app_file_is_other(o->in))
            return;
        app_explain(o->in, error, context, text, sizeof text);
        app_complain("%s: %s", o->in, text);
    } else
        app_complain("%s", *said ? said : o->out);
}

// ---- CSV ------------------------------------------------------------------------------------------------------------

// The shortest text that reads back as the same number; nothing if it is not defined.
static void put_number(FILE *file, double x) {
    enum { DIGITS = 17, TEXT = 32 }; // 17 digits are always sufficient for a double
    char text[TEXT] = "";
    for (int digits = DIGITS - 2; digits <= DIGITS && isfinite(x); digits++) {
        (void)snprintf(text, sizeof text, "%.*g", digits, x);
        if (strtod(text, NULL) == x)
            break;
    }
    (void)fputs(text, file);
}

static void write_rows(FILE *file, const app_history *list, int count, int64_t frames, int every) {
    for (int h = 0; h < count; h++)
        for (int c = 0; c < list[h].info.columns; c++) {
            char title[APP_HISTORY_TITLE];
            app_history_title(&list[h], c, title);
            (void)fputs(h + c > 0 ? "," : "", file);
            app_csv_text(file, title);
        }
    (void)fputc('\n', file);
    for (int64_t k = 0; k < frames; k++) {
        if (k % every != 0 && k != frames - 1)
            continue;
        for (int h = 0; h < count; h++)
            for (int c = 0; c < list[h].info.columns; c++) {
                (void)fputs(h + c > 0 ? "," : "", file);
                put_number(file, list[h].value[frames * c + k]);
            }
        (void)fputc('\n', file);
    }
}

// Time is the first column. Complains.
static int write_histories(const export_options *o, vs_trajectory_reader *reader, vs_context *context) {
    app_output output;
    int count = 0, code = APP_DATA;
    app_history *list = calloc((size_t)o->quantities + 1, sizeof *list);
    vs_error error = list ? app_history_read(reader, "time", &list[count++]) : VS_ERROR_MEMORY;
    for (int k = 0; !error && k < o->quantities; k++)
        error = app_history_read(reader, o->quantity[k], &list[count++]);
    if (error) {
        complain(o, error, context);
        code = app_exit_code(error);
    } else if (app_output_open(&output, o->out)) {
        write_rows(output.file, list, count, vs_trajectory_reader_get_info(reader)->frames, o->every);
        code = app_output_close(&output, !ferror(output.file)) ? APP_DONE : APP_DATA;
    }
    for (int k = 0; k < count; k++)
        app_history_free(&list[k]);
    free(list);
    return code;
}

static int export_csv(const export_options *o, vs_context *context) {
    vs_trajectory_reader *reader = NULL;
    const vs_error error = vs_trajectory_reader_open(context, o->in, &reader);
    if (error) {
        complain(o, error, context);
        return app_exit_code(error);
    }
    const int code = write_histories(o, reader, context);
    vs_trajectory_reader_close(reader);
    return code;
}

// ---- the command ----------------------------------------------------------------------------------------------------

typedef enum file_format { XDMF, GLTF, CSV, UNKNOWN } file_format;

static file_format find_format(const char *out) {
    static const char *const endings[] = {[XDMF] = ".xdmf", [GLTF] = ".glb", [CSV] = ".csv"};
    const char *ending = strrchr(out, '.');
    for (int k = 0; k < UNKNOWN; k++)
        if (ending && strcmp(ending, endings[k]) == 0)
            return (file_format)k;
    return UNKNOWN;
}

// Whether the options fit the format; complains if not.
static bool check(const export_options *o, file_format format) {
    const char *ending = strrchr(o->out, '.');
    if (ending && strcmp(ending, ".gltf") == 0)
        app_complain("export: %s: only binary glTF is supported; use the extension .glb", o->out);
    else if (format == UNKNOWN)
        app_complain("export: %s: unknown format; use the extension .xdmf (ParaView), .glb (glTF, for Blender and "
                     "others) or .csv (histories, for spreadsheets)",
                     o->out);
    else if (o->loads && (format != CSV || o->quantities > 0))
        app_complain("export: --loads writes one table of all bodies; give OUT.csv and no quantities");
    else if (format == CSV && o->quantities == 0 && !o->loads)
        app_complain("export: %s: give the quantities of its columns, for instance 'voussoir export %s %s "
                     "position:#0.z kinetic'; 'voussoir help export' lists them",
                     o->out, o->in, o->out);
    else if (format != CSV && o->quantities > 0)
        app_complain("export: %s: give one output file; quantities apply to CSV only (OUT.csv)", o->quantity[0]);
    else if (o->every > 1 && format == XDMF)
        app_complain("export: --every applies to glTF and CSV only (OUT.glb, OUT.csv); omit it");
    else
        return app_writes(o->out);
    return false;
}

static int run(void *options, const app_line *line) {
    export_options *o = options;
    const int files = o->out ? 1 : 2;
    if (line->operands < files) {
        app_complain("export: give an input and an output file, for instance 'voussoir export run.h5 view.xdmf'");
        return APP_USAGE;
    }
    o->in = line->operand[0];
    o->out = o->out ? o->out : line->operand[1];
    o->quantity = line->operand + files;
    o->quantities = line->operands - files;
    const file_format format = find_format(o->out);
    if (!check(o, format))
        return APP_USAGE;
    vs_context *context = NULL;
    vs_error error = vs_context_create(NULL, &context);
    int code = APP_DONE;
    if (error == VS_OK && o->loads)
        error = vs_trajectory_export_loads(context, o->in, o->out, o->every);
    else if (error == VS_OK && format == CSV)
        code = export_csv(o, context);
    else if (error == VS_OK)
        error = format == GLTF ? vs_trajectory_export_gltf(context, o->in, o->out, o->every)
                               : vs_trajectory_export_xdmf(context, o->in, o->out);
    if (error != VS_OK) {
        complain(o, error, context);
        code = app_exit_code(error);
    }
    vs_context_destroy(context);
    return code;
}

static void prepare(void *options) {
    ((export_options *)options)->every = 1;
}

static const app_option rows[] = {
    {.name = "--output",
     .letter = 'o',
     .value = "OUT",
     APP_TARGET(export_options, out),
     .path = true,
     .writes = true,
     .help = "output file, instead of the second argument"},
    {.name = "--every",
     .value = "N",
     APP_TARGET(export_options, every),
     .least = 1,
     .most = 1000000000,
     .help = "glTF and CSV: keep every N-th frame (and the last)"},
    {.name = "--loads",
     APP_TARGET(export_options, loads),
     .help = "CSV: load cases for finite elements, the forces on every body in its own axes, in equilibrium"},
    {.name = NULL},
};

static void put_quantities(FILE *to) {
    (void)fputs("\nquantities\n", to);
    app_history_help(to);
    (void)fputs(
        "Also the numbers of each step by their names in the file: kinetic, penetration, energy/friction, ...\n\n"
        "ParaView\n"
        "Bodies, shapes and contacts are points. To see the shapes, select the block 'shapes', representation\n"
        "'3D Glyphs', orientation mode Quaternion by 'orientation', scale by the components of 'size'. To see the\n"
        "contact forces, apply the filter Glyph to the block 'contacts', orientation and scale array 'force'.\n",
        to);
}

const app_command app_export_command = {
    .name = "export",
    .summary = "export a trajectory to ParaView, Blender or a spreadsheet",
    .usage = "IN.h5 OUT.xdmf|OUT.glb [--every N]\n"
             "IN.h5 OUT.csv QUANTITY... [--every N]\n"
             "IN.h5 OUT.csv --loads [--every N]",
    .description =
        "Exports a trajectory. OUT.xdmf is for ParaView (choose 'Xdmf Reader'), with the numbers in OUT.h5 beside it. "
        "OUT.glb is glTF 2.0, for Blender, web pages and others: bodies with their shapes, and the run as an "
        "animation; flexible solids keep the shape of the first frame. OUT.csv is a table for spreadsheets: time and "
        "the quantities that you name, one row per frame; a number that is not defined is left out. With --loads it is "
        "a table of load cases: one row per contact, joint, weight and balance (inertia "
        "and applied loads) of each body and frame, whose sum is zero. A trajectory that "
        "is still being written is exported up to its last frame.",
    .groups = (const app_group[]){{.title = "options", .rows = rows}, {.rows = NULL}},
    .more = put_quantities,
    .examples = "voussoir export run.h5 view.xdmf\n"
                "paraview view.xdmf\n"
                "voussoir export run.h5 -o run.glb --every 4\n"
                "voussoir export run.h5 lintel.csv position:lintel speed:lintel force:lintel/stone3 kinetic",
    .exit_codes = "0 success, 1 usage error, 2 bad data, or a file that cannot be written.",
    .size = sizeof(export_options),
    .prepare = prepare,
    .run = run,
    .files = "h5 xdmf glb",
};
