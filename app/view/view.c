// voussoir view: the viewer and one trajectory, served to a browser on this machine, or in one self-contained page.
#include "view/view.h"

#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/exit_code.h"
#include "cli/file_kind.h"
#include "cli/system/files.h"
#include "cli/system/interrupt.h"
#include "cli/system/message.h"
#include "cli/options.h"
#include "cli/system/output.h"
#include "cli/system/path.h"
#include "cli/system/process.h"
#include "cli/scene.h"
#include "cli/system/system.h"
#include "view/serve.h"
#include "view/viewer.h"
#include "voussoir/trajectory.h"

typedef struct view_options {
    bool no_open;
    int port;
    const char *standalone, *viewer;
} view_options;

// ---- the browser -------------------------------------------------------------------------------------------------

// A page in `folder`, which only the user can enter, that leads to the address. Arguments of a program can be read by
// all users of the machine: the browser is started with the name of this page, and not with the address and its token.
static bool write_redirect(const char *folder, const char *url, char page[PATH_MAX]) {
    if (snprintf(page, PATH_MAX, "%s/view.html", folder) >= PATH_MAX)
        return false;
    FILE *file = fopen(page, "w");
    const bool good = file && fprintf(file,
                                      "<!doctype html><meta http-equiv=\"refresh\" content=\"0;url=%s\">"
                                      "<a href=\"%s\">voussoir view</a>\n",
                                      url, url) > 0;
    return file && fclose(file) == 0 && good;
}

static int serve_file(const view_options *options, const char *file, const char *viewer) {
    app_server server = {.listener = -1};
    app_served *served = app_viewer_serve(viewer, file, options->port, &server);
    if (!served)
        return APP_DATA;
    char address[APP_ADDRESS], url[APP_ADDRESS + 32], scratch[APP_SCRATCH] = "", page[PATH_MAX];
    app_server_address(&server, address);
    (void)snprintf(url, sizeof url, "%s?file=trajectory.h5", address);
    printf("%s: %s\nPress Ctrl-C to stop\n", file, url);
    (void)fflush(stdout);
    app_catch_interrupts();
    if (!options->no_open && app_scratch_make(scratch) && write_redirect(scratch, url, page))
        app_system_browse(page, scratch, server.listener);
    app_server_run(&server);
    app_server_close(&server);
    if (*scratch)
        app_scratch_remove(scratch);
    free(served);
    return APP_DONE;
}

// ---- standalone page -----------------------------------------------------------------------------------------------

// Placeholder for the trajectory in standalone.html (viewer/README.md).
static const char PLACE[] = "<!--TRAJECTORY-->";

// Escaped for a quoted attribute.
static bool put_attribute(FILE *to, const char *text) {
    for (; *text; text++) {
        if (*text == '&' || *text == '"' || *text == '<')
            (void)fprintf(to, "&#%d;", *text);
        else
            (void)fputc(*text, to);
    }
    return !ferror(to);
}

static bool put_base64(FILE *from, FILE *to) {
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    unsigned char in[3 * 4096];
    char out[4 * 4096];
    size_t got;
    while ((got = fread(in, 1, sizeof in, from)) > 0) {
        size_t used = 0;
        for (size_t k = 0; k < got; k += 3) {
            const unsigned b = k + 1 < got ? in[k + 1] : 0, c = k + 2 < got ? in[k + 2] : 0;
            const unsigned bits = (unsigned)in[k] << 16 | b << 8 | c;
            out[used++] = letters[bits >> 18];
            out[used++] = letters[bits >> 12 & 63];
            out[used++] = k + 1 < got ? letters[bits >> 6 & 63] : '=';
            out[used++] = k + 2 < got ? letters[bits & 63] : '=';
        }
        if (fwrite(out, 1, used, to) != used)
            return false;
    }
    return !ferror(from);
}

// The whole of a file as text, to be freed; null if it cannot be read.
static char *read_text(const char *path) {
    FILE *file = fopen(path, "rb");
    struct stat status;
    char *text = NULL;
    if (file && fstat(fileno(file), &status) == 0 && (text = malloc((size_t)status.st_size + 1)))
        text[fread(text, 1, (size_t)status.st_size, file)] = '\0';
    if (file)
        (void)fclose(file);
    return text;
}

static int write_page(const char *file, const char *viewer, const char *output) {
    char path[PATH_MAX + 32];
    (void)snprintf(path, sizeof path, "%s/standalone.html", viewer);
    char *page = read_text(path), *place = page ? strstr(page, PLACE) : NULL;
    if (!place) {
        app_complain("%s: not a page that can hold a trajectory; rebuild the viewer", path);
        free(page);
        return APP_DATA;
    }
    FILE *from = fopen(file, "rb");
    if (!from)
        app_complain("%s: cannot be read: %s", file, strerror(errno));
    app_output out = {0};
    FILE *to = from && app_output_open(&out, output) ? out.file : NULL;
    bool good = to && fwrite(page, 1, (size_t)(place - page), to) == (size_t)(place - page) &&
                fputs("<script type=\"text/plain\" id=\"trajectory\" data-name=\"", to) >= 0 &&
                put_attribute(to, app_base_name(file)) && fputs("\">", to) >= 0 && put_base64(from, to) &&
                fputs("</script>", to) >= 0 && fputs(place + strlen(PLACE), to) >= 0;
    good = to && app_output_close(&out, good);
    if (from)
        (void)fclose(from);
    free(page);
    if (good)
        printf("%s: self-contained page\n", output);
    return good ? APP_DONE : APP_DATA;
}

// ---- scenes -------------------------------------------------------------------------------------------------------

// A scene as it begins, as a trajectory of one frame in `folder`. Complains.
static bool write_start(const char *scene_path, const char *folder, char path[PATH_MAX]) {
    vs_context *context = NULL;
    vs_scene *scene = NULL;
    vs_trajectory_writer *writer = NULL;
    const char *base = app_base_name(scene_path);
    (void)snprintf(path, PATH_MAX, "%s/%s.h5", folder, base);
    vs_error error = vs_context_create(NULL, &context);
    if (!error)
        error = app_scene_open(context, scene_path, NULL, 0, &scene);
    if (!error) {
        vs_trajectory_writer_options options = vs_trajectory_writer_options_default();
        options.title = scene->name;
        options.step = scene->options.step;
        error =
            !app_writes(path) ? VS_ERROR_ARGUMENT : vs_trajectory_writer_create(path, scene->world, &options, &writer);
    }
    if (!error)
        error = vs_trajectory_writer_write(writer, scene->world, NULL, NULL);
    const vs_error closed = writer ? vs_trajectory_writer_close(writer) : VS_OK;
    error = error ? error : closed;
    if (error && !app_files_refused())
        app_complain("%s", context ? vs_context_get_error_text(context) : vs_error_name(error));
    vs_scene_destroy(scene);
    vs_context_destroy(context);
    return error == VS_OK;
}

// ---- the command ---------------------------------------------------------------------------------------------------

static int show_trajectory(const view_options *o, const char *path, const char *viewer) {
    return o->standalone ? write_page(path, viewer, o->standalone) : serve_file(o, path, viewer);
}

// A scene is shown by a temporary trajectory; a file that is known not to be a trajectory is refused.
static int show(const view_options *o, const char *path, const char *viewer) {
    char folder[APP_SCRATCH], start[PATH_MAX];
    if (access(path, F_OK) == 0 && app_file_find_kind(path) != APP_FILE_SCENE)
        return app_file_is_other(path) ? APP_DATA : show_trajectory(o, path, viewer);
    if (!app_scratch_make(folder))
        return APP_DATA;
    const int code = write_start(path, folder, start) ? show_trajectory(o, start, viewer) : APP_DATA;
    app_scratch_remove(folder);
    return code;
}

static int run(void *given, const app_line *line) {
    const view_options *options = given;
    if (line->operands != 1) {
        app_complain("view: give one trajectory, for instance 'voussoir view arch.h5'");
        return APP_USAGE;
    }
    const char *path = line->operand[0];
    vs_scene_info named;
    if (access(path, R_OK) != 0 && !app_scene_find(path, &named)) {
        app_complain("%s: cannot read the file (%s); 'voussoir run' writes trajectories", path, strerror(errno));
        return APP_DATA;
    }
    if (app_scene_is_drawing(path)) {
        app_complain("%s: " APP_DRAWING_REMEDY, path, path);
        return APP_USAGE;
    }
    char viewer[PATH_MAX];
    if (options->standalone && !app_scene_register(path, NULL, 0))
        return APP_USAGE;
    if (!app_viewer_find(options->viewer, viewer))
        return APP_DATA;
    return show(options, path, viewer);
}

static const app_option rows[] = {
    {.name = "--port",
     .value = "N",
     APP_TARGET(view_options, port),
     .most = 65535,
     .otherwise = "0: any free one",
     .help = "port on 127.0.0.1"},
    {.name = "--no-open", APP_TARGET(view_options, no_open), .help = "print the address without opening a browser"},
    {.name = "--standalone",
     .value = "PAGE.html",
     APP_TARGET(view_options, standalone),
     .path = true,
     .writes = true,
     .help = "write viewer and trajectory to one page instead, to keep or to send"},
    {.name = "--viewer",
     .value = "FOLDER",
     APP_TARGET(view_options, viewer),
     .path = true,
     .otherwise = "the one installed with the command",
     .help = "the built viewer"},
    {.name = NULL},
};

const app_command app_view_command = {
    .name = "view",
    .summary = "show a trajectory in the browser",
    .usage = "TRAJECTORY.h5|SCENE [OPTIONS]",
    .description =
        "Shows a trajectory in the browser: motion, contacts with their forces, charts. A simulation may still be "
        "writing the file. Of a scene (JSON, URDF, MJCF) it shows the start. The page can be reached from this machine "
        "only, and only by who knows its address: keep the printed address, which holds a random token, to yourself.",
    .groups = (const app_group[]){{.title = "options", .rows = rows}, {.rows = NULL}},
    .examples = "voussoir run arch -o arch.h5 && voussoir view arch.h5\n"
                "voussoir view arch.h5 --standalone arch.html",
    .notes = "environment: VOUSSOIR_VIEWER is the folder of the built viewer if --viewer is not given.",
    .exit_codes = "0 success, 1 usage error, 2 bad data, or the viewer was not found.",
    .size = sizeof(view_options),
    .run = run,
    .files = "h5",
};
