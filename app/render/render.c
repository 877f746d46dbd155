// voussoir render: a picture or a film of a trajectory, without a window.
#include "render/render.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/command.h"
#include "cli/exit_code.h"
#include "cli/system/files.h"
#include "cli/system/message.h"
#include "cli/options.h"
#include "cli/system/output.h"
#include "cli/system/path.h"
#include "cli/system/process.h"
#include "render/browser.h"
#include "render/chromium.h"
#include "render/options.h"
#include "view/viewer.h"

static const char *const colours[] = {"body",         "speed",  "spin",     "force",  "energy",
                                      "displacement", "stress", "pressure", "island", "mass",
                                      "material",     "motion", NULL};

static bool is_film(const char *name) {
    return app_has_extension(name, ".webm") || app_has_extension(name, ".mp4");
}

// ---- options ------------------------------------------------------------------------------------------------------

// Three numbers with commas, as the viewer reads them.
static bool is_point(const char *text) {
    double p[3];
    char rest = '\0';
    // NOLINTNEXTLINE(cert-err34-c): only whether they are numbers
    return sscanf(text, "%lf,%lf,%lf%c", &p[0], &p[1], &p[2], &rest) == 3 && strlen(text) < 100 &&
           !strpbrk(text, " &#");
}

static bool check(const app_render_options *o, int files) {
    if (files != 1)
        app_complain("render: give one trajectory, for instance 'voussoir render arch.h5 -o arch.png'");
    else if (o->width < 64 || o->height < 64 || o->width > 8192 || o->height > 8192)
        app_complain("render: --size: '%s' is not WIDTHxHEIGHT between 64x64 and 8192x8192; for instance 1600x900",
                     o->size);
    else if (o->look && !is_point(o->look))
        app_complain("render: --look: '%s' is not X,Y,Z in metres; for instance 0,0,1.5", o->look);
    else if (!o->frames && !app_has_extension(o->output, ".png"))
        app_complain("render: -o %s: use the extension .png, or --frames for a film", o->output);
    else if (o->frames && app_has_extension(o->output, ".png"))
        app_complain("render: -o %s: use the extension .webm or .mp4, or a folder for the pictures", o->output);
    else
        return true;
    return false;
}

static void read_size(app_render_options *o) {
    char rest = '\0';
    // NOLINTNEXTLINE(cert-err34-c): the ranges are checked afterwards
    if (sscanf(o->size, "%5dx%5d%c", &o->width, &o->height, &rest) != 2)
        o->width = 0;
}

// `name`: room for the name of the output.
static bool complete(app_render_options *o, const app_line *line, char name[PATH_MAX]) {
    if (line->operands == 1 && !o->output) {
        const char *base = app_base_name(line->operand[0]), *dot = strrchr(base, '.');
        (void)snprintf(name, PATH_MAX, "%.*s%s", (int)(dot && dot > base ? dot - base : (long)strlen(base)), base,
                       o->frames ? ".webm" : ".png");
        o->output = name;
    }
    o->colour = colours[o->colour_by];
    read_size(o);
    return check(o, line->operands);
}

// ---- films --------------------------------------------------------------------------------------------------------

static int encode(const app_render_options *o, const char *folder) {
    char log[APP_SCRATCH + 32], film[APP_SCRATCH + 32], rate[32];
    (void)snprintf(log, sizeof log, "%s/ffmpeg.log", folder);
    (void)snprintf(rate, sizeof rate, "%.9g", o->rate);
    // Sizes must be even for yuv420p, which every player supports.
    const bool web = app_has_extension(o->output, ".webm");
    (void)snprintf(film, sizeof film, "%s/film.%s", folder, web ? "webm" : "mp4");
    const char *argv[] = {"ffmpeg",
                          "-nostdin",
                          "-y",
                          "-loglevel",
                          "error",
                          "-framerate",
                          rate,
                          "-i",
                          "frame-%06d.png",
                          "-vf",
                          "pad=ceil(iw/2)*2:ceil(ih/2)*2",
                          "-pix_fmt",
                          "yuv420p",
                          "-c:v",
                          web ? "libvpx-vp9" : "libx264",
                          "-crf",
                          web ? "30" : "20",
                          "-b:v",
                          "0",
                          web ? "film.webm" : "film.mp4",
                          NULL};
    if (!web)
        argv[17] = "-movflags", argv[18] = "+faststart";
    const app_process process = {.argv = argv,
                                 .folder = folder,
                                 .log = "ffmpeg.log",
                                 .seconds = 3600,
                                 .memory = app_process_memory(),
                                 .home = true};
    if (app_process_run(&process, NULL) == 0)
        return app_output_copy(film, o->output) ? APP_DONE : APP_DATA;
    FILE *said = fopen(log, "r");
    char line[256] = "";
    if (said && fgets(line, sizeof line, said))
        line[strcspn(line, "\n")] = '\0';
    if (said)
        (void)fclose(said);
    app_complain("%s: ffmpeg failed%s%s", o->output, *line ? ": " : "", line);
    return APP_DATA;
}

static int make_film(const app_render_options *o, const char *path, const char *browser, const char *viewer,
                     int *pictures) {
    if (!is_film(o->output)) {
        if (mkdir(o->output, 0777) == 0 || errno == EEXIST)
            return app_render_chromium(o, path, browser, viewer, o->output, pictures);
        app_complain("%s: cannot create the folder (%s); give another -o", o->output, strerror(errno));
        return APP_DATA;
    }
    char scratch[APP_SCRATCH];
    if (!app_process_is_there("ffmpeg")) {
        app_complain("ffmpeg not found on PATH; install it, or write the pictures with -o FOLDER");
        return APP_DATA;
    }
    if (!app_scratch_make(scratch))
        return APP_DATA;
    int code = app_render_chromium(o, path, browser, viewer, scratch, pictures);
    if (code == APP_DONE)
        code = encode(o, scratch);
    app_scratch_remove(scratch);
    return code;
}

// ---- the command --------------------------------------------------------------------------------------------------

static int draw(const app_render_options *o, const char *path, int *pictures) {
    const char *browser = app_browser_find();
    char viewer[PATH_MAX];
    if (!browser)
        app_complain("Chromium not found on PATH; install it (Debian: chromium), or set CHROMIUM to its path");
    if (!browser || !app_viewer_find(o->viewer, viewer))
        return APP_DATA;
    return o->frames ? make_film(o, path, browser, viewer, pictures)
                     : app_render_chromium(o, path, browser, viewer, o->output, pictures);
}

static int run(void *options, const app_line *line) {
    app_render_options *o = options;
    char name[PATH_MAX];
    int pictures = 1;
    if (!complete(o, line, name))
        return APP_USAGE;
    const char *path = line->operand[0];
    if (access(path, R_OK) != 0) {
        app_complain("%s: cannot read the file (%s); 'voussoir run' writes trajectories", path, strerror(errno));
        return APP_DATA;
    }
    const int code = app_writes(o->output) ? draw(o, path, &pictures) : APP_USAGE;
    if (code == APP_DONE && o->frames)
        printf("%s: %d pictures\n", o->output, pictures);
    else if (code == APP_DONE)
        printf("%s\n", o->output);
    return code;
}

static void prepare(void *options) {
    *(app_render_options *)options = (app_render_options){.time = NAN,
                                                          .from = NAN,
                                                          .to = NAN,
                                                          .rate = 30,
                                                          .speed = 1,
                                                          .size = "1200x800",
                                                          .opacity = NAN,
                                                          .azimuth = NAN,
                                                          .elevation = NAN,
                                                          .force = NAN,
                                                          .zoom = NAN};
}

static const app_option picture_rows[] = {
    {.name = "--output",
     .letter = 'o',
     .value = "NAME",
     APP_TARGET(app_render_options, output),
     .path = true,
     .writes = true,
     .otherwise = "the name of the trajectory with .png",
     .help = "output file"},
    {.name = "--time",
     .value = "S",
     APP_TARGET(app_render_options, time),
     .time = true,
     .otherwise = "the last frame",
     .help = "simulated time, rounded to the nearest frame"},
    {.name = "--size",
     .value = "WxH",
     .example = "1600x900",
     APP_TARGET(app_render_options, size),
     .help = "size in pixels"},
    {.name = "--dark", APP_TARGET(app_render_options, dark), .help = "dark background"},
    {.name = "--viewer",
     .value = "FOLDER",
     APP_TARGET(app_render_options, viewer),
     .path = true,
     .otherwise = "the one installed with the command",
     .help = "the built viewer"},
    {.name = NULL},
};

static const app_option content_rows[] = {
    {.name = "--colour",
     .value = "BY",
     APP_TARGET(app_render_options, colour_by),
     .choices = colours,
     .help = "colour by {choices}; stress (von Mises) and pressure (contacts) are those of flexible solids"},
    {.name = "--points", APP_TARGET(app_render_options, points), .help = "show contact points"},
    {.name = "--arrows", APP_TARGET(app_render_options, arrows), .help = "show contact forces"},
    {.name = "--chains", APP_TARGET(app_render_options, chains), .help = "show force chains through the bodies"},
    {.name = "--thrust",
     APP_TARGET(app_render_options, thrust),
     .help = "show the line of thrust, from one centre of pressure to the next"},
    {.name = "--pressure",
     APP_TARGET(app_render_options, pressure),
     .help = "show interfaces of bodies by their mean pressure"},
    {.name = "--bonds", APP_TARGET(app_render_options, bonds), .help = "show bonds of mortar by their strength"},
    {.name = "--force",
     .value = "POWER",
     APP_TARGET(app_render_options, force),
     .least = -3,
     .most = 3,
     .help = "enlarge forces by this power of ten, for instance 0.5"},
    {.name = "--opacity",
     .value = "X",
     APP_TARGET(app_render_options, opacity),
     .least = 0.05,
     .most = 1,
     .otherwise = "1; with --chains, --pressure and --bonds 0.22, with --thrust 0.55",
     .help = "opacity of the bodies, 0.05 to 1"},
    {.name = NULL},
};

static const app_option camera_rows[] = {
    {.name = "--azimuth",
     .value = "D",
     APP_TARGET(app_render_options, azimuth),
     .least = -360,
     .most = 360,
     .otherwise = "the widest view",
     .help = "viewing direction in degrees about z, 0: from x"},
    {.name = "--elevation",
     .value = "D",
     APP_TARGET(app_render_options, elevation),
     .least = -89,
     .most = 89,
     .help = "viewing angle in degrees above the ground"},
    {.name = "--zoom",
     .value = "X",
     APP_TARGET(app_render_options, zoom),
     .least = 0.05,
     .most = 20,
     .help = "zoom factor, for instance 1.3"},
    {.name = "--look",
     .value = "X,Y,Z",
     .example = "0,0,1.5",
     APP_TARGET(app_render_options, look),
     .help = "point at the centre of the picture, m"},
    {.name = NULL},
};

static const app_option film_rows[] = {
    {.name = "--frames",
     APP_TARGET(app_render_options, frames),
     .help = "render a sequence of pictures instead of one"},
    {.name = "--from",
     .value = "S",
     APP_TARGET(app_render_options, from),
     .time = true,
     .otherwise = "the first frame",
     .help = "start time"},
    {.name = "--to",
     .value = "S",
     APP_TARGET(app_render_options, to),
     .time = true,
     .otherwise = "the last frame",
     .help = "end time"},
    {.name = "--rate",
     .value = "N",
     APP_TARGET(app_render_options, rate),
     .least = 1,
     .most = 240,
     .help = "pictures per second"},
    {.name = "--speed",
     .value = "X",
     APP_TARGET(app_render_options, speed),
     .open = true,
     .example = "0.5",
     .help = "simulated seconds per second"},
    {.name = NULL},
};

const app_command app_render_command = {
    .name = "render",
    .summary = "render a trajectory as a picture or a film",
    .usage = "TRAJECTORY.h5 [--time S] [-o PICTURE.png]\n"
             "TRAJECTORY.h5 --frames -o FILM.webm|FILM.mp4|FOLDER",
    .description =
        "Renders a trajectory as the viewer shows it, without a window: with Chromium (CHROMIUM selects another "
        "browser of its family). Films are encoded by ffmpeg; if the name after -o has no extension, it is a folder "
        "for "
        "the pictures frame-000001.png, ….",
    .groups = (const app_group[]){{.title = "picture", .rows = picture_rows},
                                  {.title = "content", .rows = content_rows},
                                  {.title = "camera", .rows = camera_rows},
                                  {.title = "film", .rows = film_rows},
                                  {.rows = NULL}},
    .examples = "voussoir run arch -o arch.h5 && voussoir render arch.h5 --chains -o arch.png\n"
                "voussoir statics arch -o arch.h5 && voussoir render arch.h5 --thrust\n"
                "voussoir render drum.h5 --time 2.0 --colour speed --size 1600x900 -o drum.png\n"
                "voussoir render drum.h5 --frames --speed 0.5 -o drum.webm",
    .exit_codes = "0 if the picture or the film was written, 1 usage error, 2 bad data or a program is missing.",
    .size = sizeof(app_render_options),
    .prepare = prepare,
    .run = run,
    .files = "h5",
};
