// voussoir export: a trajectory for ParaView.
#include "app.h"

#include <string.h>

#include "voussoir/trajectory.h"

void app_export_help(FILE *to) {
    (void)fputs(
        "usage: voussoir export IN.h5 OUT.xdmf\n\n"
        "Writes the trajectory IN.h5 for ParaView: OUT.xdmf, which ParaView opens (choose 'Xdmf Reader'), and OUT.h5\n"
        "beside it with the numbers. A trajectory that is still being written is exported as far as it is.\n\n"
        "Bodies, shapes and contacts are points. To see the shapes: select the block 'shapes', representation\n"
        "'3D Glyphs', orientation mode Quaternion by 'orientation', scale by the components of 'size'. To see the\n"
        "contact forces: filter Glyph on the block 'contacts', orientation and scale array 'force'.\n\n"
        "examples\n"
        "  voussoir export run.h5 view.xdmf\n"
        "  paraview view.xdmf\n",
        to);
}

// The command names the file that an error is about itself; the library may have named one of the three first.
static void complain(const char *in, const char *out, vs_error error, const vs_context *context) {
    char text[512];
    const char *said = context ? vs_context_error_text(context) : "";
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
    int files = 0;
    const app_option table[] = {{.name = "--help", .flag = &help}, {.name = NULL}};
    if (!app_options_read("export", table, argc, argv, &files))
        return APP_USAGE;
    if (help) {
        app_export_help(stdout);
        return APP_DONE;
    }
    if (files != 2) {
        app_complain("export: two files are needed, for instance 'voussoir export run.h5 view.xdmf'");
        return APP_USAGE;
    }
    vs_context *context = NULL;
    vs_error error = vs_context_create(NULL, &context);
    if (error == VS_OK)
        error = vs_trajectory_export(context, argv[1], argv[2]);
    if (error != VS_OK)
        complain(argv[1], argv[2], error, context);
    vs_context_destroy(context);
    return app_exit_code(error);
}
