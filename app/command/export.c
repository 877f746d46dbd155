// voussoir export: a trajectory as XDMF (ParaView) or glTF (Blender and others).
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "cli/exit_code.h"
#include "cli/message.h"
#include "cli/options.h"
#include "command/commands.h"
#include "voussoir/trajectory.h"

void app_export_help(FILE *to) {
    (void)fputs(
        "usage: voussoir export IN.h5 OUT.xdmf|OUT.glb [--every N]\n\n"
        "Exports a trajectory. OUT.xdmf is for ParaView (choose 'Xdmf Reader'), with the numbers in OUT.h5 beside it.\n"
        "OUT.glb is glTF 2.0, for Blender, web pages and others: bodies with their shapes, and the run as an\n"
        "animation; flexible solids keep the shape of the first frame. A trajectory that is still being written is\n"
        "exported up to its last frame.\n\n"
        "options\n"
        "  -o, --output OUT  output file, instead of the second argument\n"
        "  --every N         glTF: keep every N-th frame (and the last); default 1\n\n"
        "ParaView\n"
        "Bodies, shapes and contacts are points. To see the shapes, select the block 'shapes', representation\n"
        "'3D Glyphs', orientation mode Quaternion by 'orientation', scale by the components of 'size'. To see the\n"
        "contact forces, apply the filter Glyph to the block 'contacts', orientation and scale array 'force'.\n\n"
        "examples\n"
        "  voussoir export run.h5 view.xdmf\n"
        "  paraview view.xdmf\n"
        "  voussoir export run.h5 -o run.glb --every 4\n",
        to);
}

// The library may have put the name of a file first; if not, the command adds it.
static void complain(const char *in, const char *out, vs_error error, const vs_context *context) {
    char text[512];
    const char *said = context ? vs_context_get_error_text(context) : "";
    if (error == VS_ERROR_ARGUMENT || error == VS_ERROR_UNSUPPORTED)
        app_complain("export: %s", said);
    else if (strncmp(said, in, strlen(in)) == 0) {
        app_explain(in, error, context, text, sizeof text);
        app_complain("%s: %s", in, text);
    } else
        app_complain("%s", *said ? said : out);
}

int app_export(int argc, char **argv) {
    bool help = false;
    int files = 0, every = 1;
    const char *out = NULL;
    const app_option table[] = {
        {.name = "--help", .flag = &help},
        {.name = "--output", .text = &out},
        {.name = "-o", .text = &out},
        {.name = "--every", .count = &every, .least = 1, .most = 1000000000},
        {.name = NULL},
    };
    if (!app_options_read("export", table, argc, argv, &files))
        return APP_USAGE;
    if (help) {
        app_export_help(stdout);
        return APP_DONE;
    }
    if (files != (out ? 1 : 2)) {
        app_complain("export: give an input and an output file, for instance 'voussoir export run.h5 view.xdmf'");
        return APP_USAGE;
    }
    if (!out)
        out = argv[2];
    const char *ending = strrchr(out, '.');
    const bool gltf = ending && strcmp(ending, ".glb") == 0;
    if (ending && strcmp(ending, ".gltf") == 0) {
        app_complain("export: %s: only binary glTF is supported; use the extension .glb", out);
        return APP_USAGE;
    }
    if (every > 1 && !gltf) {
        app_complain("export: --every applies to glTF only (OUT.glb); omit it");
        return APP_USAGE;
    }
    vs_context *context = NULL;
    vs_error error = vs_context_create(NULL, &context);
    if (error == VS_OK)
        error = gltf ? vs_trajectory_export_gltf(context, argv[1], out, every)
                     : vs_trajectory_export_xdmf(context, argv[1], out);
    if (error != VS_OK)
        complain(argv[1], out, error, context);
    vs_context_destroy(context);
    return app_exit_code(error);
}
