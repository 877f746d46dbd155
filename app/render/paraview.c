// A picture by headless ParaView: the trajectory is exported, and pvbatch draws it with tools/render.py.
#include "render/paraview.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "cli/exit_code.h"
#include "cli/system/files.h"
#include "cli/system/message.h"
#include "cli/system/output.h"
#include "cli/system/process.h"
#include "render/options.h"
#include "voussoir/trajectory.h"

enum { SECONDS = 300, ARGUMENTS = 40, FILE_MOST = 1 << 30 }; // bytes of a picture

static bool export_run(const char *path, const char *xdmf) {
    vs_context *context = NULL;
    char text[512];
    vs_error error = vs_context_create(NULL, &context);
    if (!error)
        error = app_writes(xdmf) ? vs_trajectory_export_xdmf(context, path, xdmf) : VS_ERROR_ARGUMENT;
    if (error) {
        app_explain(path, error, context, text, sizeof text);
        app_complain("%s: %s", path, text);
    }
    vs_context_destroy(context);
    return !error;
}

static void put(const char *argv[ARGUMENTS], int *count, const char *option, double value, char text[32]) {
    if (!isfinite(value))
        return;
    (void)snprintf(text, 32, "%.9g", value);
    argv[(*count)++] = option;
    argv[(*count)++] = text;
}

int app_render_paraview(const app_render_options *options, const char *path, const char *script, const char *output) {
    char scratch[APP_SCRATCH], xdmf[APP_SCRATCH + 16], log[APP_SCRATCH + 16], picture[APP_SCRATCH + 16], text[6][32];
    const bool forces = options->arrows || options->chains;
    const char *argv[ARGUMENTS] = {"xvfb-run", "-a", "-s", "-screen 0 1280x1024x24 -noreset", "pvbatch", script};
    int count = 6;
    if (!app_scratch_make(scratch))
        return APP_DATA;
    (void)snprintf(xdmf, sizeof xdmf, "%s/view.xdmf", scratch);
    (void)snprintf(log, sizeof log, "%s/log", scratch);
    (void)snprintf(picture, sizeof picture, "%s/picture.png", scratch);
    argv[count++] = xdmf;
    argv[count++] = picture;
    argv[count++] = "--run";
    argv[count++] = path;
    put(argv, &count, "--time", options->time, text[0]);
    put(argv, &count, "--azimuth", fmod(options->azimuth + 720, 360), text[1]); // it takes no negative numbers
    put(argv, &count, "--elevation", options->elevation, text[2]);
    put(argv, &count, "--opacity", options->opacity, text[3]);
    if (!forces)
        argv[count++] = "--arrow", argv[count++] = "0";
    if (options->chains)
        argv[count++] = "--resultants";
    put(argv, &count, "--size", options->width, text[4]);
    (void)snprintf(text[5], sizeof text[5], "%d", options->height);
    argv[count++] = text[5];
    bool good = export_run(path, xdmf);
    const app_process process = {.argv = argv, .log = log, .seconds = SECONDS, .file = FILE_MOST};
    if (good && app_process_run(&process, NULL) != 0) {
        good = false;
        app_complain("ParaView failed on %s; check 'pvbatch --version' and 'xvfb-run true'", path);
    }
    good = good && app_output_copy(picture, output);
    app_scratch_remove(scratch);
    return good ? APP_DONE : APP_DATA;
}
