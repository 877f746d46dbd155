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
#include "render/paraview.h"
#include "view/viewer.h"

static const char *const colours[] = {"body",         "speed",  "spin",     "force",  "energy",
                                      "displacement", "stress", "pressure", "island", "mass",
                                      "material",     "motion", NULL};

void app_render_help(FILE *to) {
    (void)fputs(
        "usage: voussoir render TRAJECTORY.h5 [--time S] [-o PICTURE.png]\n"
        "       voussoir render TRAJECTORY.h5 --frames -o FILM.webm|FILM.mp4|FOLDER\n\n"
        "Renders a trajectory as the viewer shows it, without a window: with Chromium (CHROMIUM selects another\n"
        "browser of its family), or with ParaView if there is no Chromium. Films are encoded by ffmpeg; if the name\n"
        "after -o has no extension, it is a folder for the pictures frame-000001.png, ….\n\n"
        "picture\n"
        "  -o, --output NAME       output file; default: the name of the trajectory with .png\n"
        "  --time S                simulated time, rounded to the nearest frame; default: the last frame\n"
        "  --size WxH              size in pixels, default 1200x800\n"
        "  --dark                  dark background\n"
        "  --with PROGRAM          chromium or paraview; default: the first one found\n"
        "  --viewer FOLDER         the built viewer, default: the one installed with the command\n\n"
        "content\n"
        "  --colour BY             colour by body, speed, spin, force, energy, displacement, island, mass, material\n"
        "                          or motion; flexible solids also by stress (von Mises) and pressure (contacts)\n"
        "  --points                show contact points\n"
        "  --arrows                show contact forces\n"
        "  --chains                show force chains through the bodies\n"
        "  --thrust                show the line of thrust, from one centre of pressure to the next (Chromium only)\n"
        "  --pressure              show interfaces of bodies by their mean pressure (Chromium only)\n"
        "  --bonds                 show bonds of mortar by their strength (Chromium only)\n"
        "  --force POWER           enlarge forces by this power of ten, for instance 0.5\n"
        "  --opacity X             opacity of the bodies, 0.05 to 1; default 1, with --chains, --pressure and --bonds\n"
        "                          0.22, with --thrust 0.55\n\n"
        "camera\n"
        "  --azimuth D             viewing direction in degrees about z, 0: from x; default: the widest view\n"
        "  --elevation D           viewing angle in degrees above the ground\n"
        "  --zoom X                zoom factor, for instance 1.3 (Chromium only)\n"
        "  --look X,Y,Z            point at the centre of the picture, m (Chromium only)\n\n"
        "film\n"
        "  --frames                render a sequence of pictures instead of one\n"
        "  --from S                start time; default: the first frame\n"
        "  --to S                  end time; default: the last frame\n"
        "  --rate N                pictures per second, default 30\n"
        "  --speed X               simulated seconds per second, default 1\n\n"
        "examples\n"
        "  voussoir run arch -o arch.h5 && voussoir render arch.h5 --chains -o arch.png\n"
        "  voussoir statics arch -o arch.h5 && voussoir render arch.h5 --thrust\n"
        "  voussoir render drum.h5 --time 2.0 --colour speed --size 1600x900 -o drum.png\n"
        "  voussoir render drum.h5 --frames --speed 0.5 -o drum.webm\n",
        to);
}

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

static bool needs_chromium(const app_render_options *o) {
    return o->frames || o->thrust || o->pressure || o->bonds;
}

static bool check(const app_render_options *o, const char *size, int files) {
    if (files != 1)
        app_complain("render: give one trajectory, for instance 'voussoir render arch.h5 -o arch.png'");
    else if (o->width < 64 || o->height < 64 || o->width > 8192 || o->height > 8192)
        app_complain("render: --size: '%s' is not WIDTHxHEIGHT between 64x64 and 8192x8192; for instance 1600x900",
                     size);
    else if (o->look && !is_point(o->look))
        app_complain("render: --look: '%s' is not X,Y,Z in metres; for instance 0,0,1.5", o->look);
    else if (!o->frames && !app_has_extension(o->output, ".png"))
        app_complain("render: -o %s: use the extension .png, or --frames for a film", o->output);
    else if (o->frames && app_has_extension(o->output, ".png"))
        app_complain("render: -o %s: use the extension .webm or .mp4, or a folder for the pictures", o->output);
    else if (needs_chromium(o) && o->with == APP_WITH_PARAVIEW)
        app_complain("render: %s Chromium; omit --with paraview", o->frames     ? "films need"
                                                                  : o->thrust   ? "--thrust needs"
                                                                  : o->pressure ? "--pressure needs"
                                                                                : "--bonds needs");
    else
        return true;
    return false;
}

static void read_size(const char *text, app_render_options *o) {
    char rest = '\0';
    // NOLINTNEXTLINE(cert-err34-c): the ranges are checked afterwards
    if (text && sscanf(text, "%5dx%5d%c", &o->width, &o->height, &rest) != 2)
        o->width = 0;
}

// APP_DONE: continue; else the exit code.
static int read_options(int argc, char **argv, app_render_options *o, char name[PATH_MAX]) {
    static const char *const programs[] = {"auto", "chromium", "paraview", NULL};
    const char *size = NULL;
    int files = 0, colour = 0;
    const app_option table[] = {
        {.name = "--help", .flag = &o->help},
        {.name = "--output", .text = &o->output, .path = true, .writes = true},
        {.name = "-o", .text = &o->output, .path = true, .writes = true},
        {.name = "--time", .number = &o->time, .time = true},
        {.name = "--size", .text = &size},
        {.name = "--colour", .choice = &colour, .choices = colours},
        {.name = "--points", .flag = &o->points},
        {.name = "--arrows", .flag = &o->arrows},
        {.name = "--chains", .flag = &o->chains},
        {.name = "--thrust", .flag = &o->thrust},
        {.name = "--pressure", .flag = &o->pressure},
        {.name = "--bonds", .flag = &o->bonds},
        {.name = "--force", .number = &o->force, .least = -3, .most = 3},
        {.name = "--opacity", .number = &o->opacity, .least = 0.05, .most = 1},
        {.name = "--azimuth", .number = &o->azimuth, .least = -360, .most = 360},
        {.name = "--elevation", .number = &o->elevation, .least = -89, .most = 89},
        {.name = "--zoom", .number = &o->zoom, .least = 0.05, .most = 20},
        {.name = "--look", .text = &o->look},
        {.name = "--dark", .flag = &o->dark},
        {.name = "--with", .choice = &o->with, .choices = programs},
        {.name = "--viewer", .text = &o->viewer},
        {.name = "--frames", .flag = &o->frames},
        {.name = "--from", .number = &o->from, .time = true},
        {.name = "--to", .number = &o->to, .time = true},
        {.name = "--rate", .number = &o->rate, .least = 1, .most = 240},
        {.name = "--speed", .number = &o->speed, .open = true},
        {.name = NULL},
    };
    if (!app_options_read("render", table, argc, argv, &files))
        return APP_USAGE;
    if (o->help)
        return APP_DONE;
    if (files == 1 && !o->output) {
        const char *base = app_base_name(argv[1]), *dot = strrchr(base, '.');
        (void)snprintf(name, PATH_MAX, "%.*s%s", (int)(dot && dot > base ? dot - base : (long)strlen(base)), base,
                       o->frames ? ".webm" : ".png");
        o->output = name;
    }
    o->colour = colours[colour];
    read_size(size, o);
    return check(o, size, files) ? APP_DONE : APP_USAGE;
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

// ---- renderers ----------------------------------------------------------------------------------------------------

static int draw_by_paraview(const app_render_options *o, const char *path) {
    static const char *const places[] = {"../share/voussoir", "..", NULL};
    char script[PATH_MAX];
    if (!app_process_is_there("pvbatch") || !app_process_is_there("xvfb-run"))
        app_complain("no renderer found on PATH; install chromium (and build the viewer), or paraview, "
                     "python3-paraview, python3-h5py and xvfb");
    else if (!app_beside(places, "render.py", script))
        app_complain("render.py, the script for ParaView, not found; reinstall voussoir");
    else
        return app_render_paraview(o, path, script, o->output);
    return APP_DATA;
}

static int draw(const app_render_options *o, const char *path, int *pictures) {
    const char *browser = o->with == APP_WITH_PARAVIEW ? NULL : app_browser_find();
    char viewer[PATH_MAX];
    if (browser) {
        if (!app_viewer_find(o->viewer, viewer))
            return APP_DATA;
        return o->frames ? make_film(o, path, browser, viewer, pictures)
                         : app_render_chromium(o, path, browser, viewer, o->output, pictures);
    }
    if (o->with == APP_WITH_CHROMIUM || needs_chromium(o)) {
        app_complain("Chromium not found on PATH; install it (Debian: chromium), or set CHROMIUM to its path");
        return APP_DATA;
    }
    return draw_by_paraview(o, path);
}

int app_render(int argc, char **argv) {
    app_render_options o = {.time = NAN,
                            .from = NAN,
                            .to = NAN,
                            .rate = 30,
                            .speed = 1,
                            .width = 1200,
                            .height = 800,
                            .opacity = NAN,
                            .azimuth = NAN,
                            .elevation = NAN,
                            .force = NAN,
                            .zoom = NAN};
    char name[PATH_MAX];
    int pictures = 1;
    int code = read_options(argc, argv, &o, name);
    if (code != APP_DONE || o.help) {
        if (code == APP_DONE)
            app_render_help(stdout);
        return code;
    }
    if (access(argv[1], R_OK) != 0) {
        app_complain("%s: cannot read the file (%s); 'voussoir run' writes trajectories", argv[1], strerror(errno));
        return APP_DATA;
    }
    code = app_writes(o.output) ? draw(&o, argv[1], &pictures) : APP_USAGE;
    if (code == APP_DONE && o.frames)
        printf("%s: %d pictures\n", o.output, pictures);
    else if (code == APP_DONE)
        printf("%s\n", o.output);
    return code;
}
