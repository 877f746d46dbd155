// voussoir report: a run as one page to hand in.
#include "report/report.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "cli/exit_code.h"
#include "cli/file_kind.h"
#include "cli/options.h"
#include "cli/system/files.h"
#include "cli/system/message.h"
#include "cli/system/output.h"
#include "cli/system/path.h"
#include "cli/system/process.h"
#include "plot/plot.h"
#include "report/page.h"
#include "run/options.h"

typedef struct report_options {
    app_run_options run; // only --set
    const char *scene, *output, *title, *command;
    const char *picture[APP_REPORT_LISTED];
    int pictures;
    char name[1024]; // of the output, if none is given
} report_options;

static bool take_picture(void *user, const char *value) {
    report_options *o = user;
    if (o->pictures == APP_REPORT_LISTED) {
        app_complain("report: --picture: more than %d pictures; give fewer", APP_REPORT_LISTED);
        return false;
    }
    o->picture[o->pictures++] = value;
    return app_reads(value);
}

// ---- figures -----------------------------------------------------------------------------------------------------

static void draw(app_report *page, const char *folder, const char *name, const char *const *quantity, int count,
                 const char *caption) {
    app_report_figure *f = &page->figure[page->figures++];
    (void)snprintf(f->caption, sizeof f->caption, "%s", caption);
    (void)snprintf(f->path, sizeof f->path, "%s/%s.svg", folder, name);
    if (app_plot_draw(page->trajectory, quantity, count, f->path) != APP_DONE)
        f->path[0] = '\0';
}

static void draw_all(app_report *page, const char *folder) {
    enum { CURVES = 3 };
    const app_results *x = page->results;
    char way[CURVES][96], name[64];
    const char *moved[CURVES] = {NULL};
    int count = 0;
    for (; count < CURVES && count < x->ways && x->way[count].most > 0; count++) {
        (void)snprintf(way[count], sizeof way[count], "displacement:%s.magnitude",
                       app_results_name(x, x->way[count].body, name));
        moved[count] = way[count];
    }
    if (count > 0)
        draw(page, folder, "ways", moved, count,
             "Displacement of the centres of mass of the bodies that went farthest, in world axes: with the supports, "
             "if those move.");
    draw(page, folder, "energy", (const char *[]){"energy", "balance"}, 2,
         "Energy, and what entered or left it, since the start. Dissipation counts negative.");
    draw(page, folder, "errors", (const char *[]){"error", "penetration"}, 2,
         "Errors of the recorded steps: relative error of the contact problem, largest penetration.");
}

// ---- the command -------------------------------------------------------------------------------------------------

static int complain(const char *path, vs_error error, const vs_context *context) {
    char text[512];
    app_explain(path, error, context, text, sizeof text);
    app_complain("%s: %s", path, text);
    return app_exit_code(error);
}

static int write_page(const report_options *o, app_report *page) {
    char folder[APP_SCRATCH];
    app_output out;
    if (!app_scratch_make(folder))
        return APP_DATA;
    draw_all(page, folder);
    const bool opened = app_output_open(&out, o->output);
    const bool good = opened && app_report_write(out.file, page);
    const bool closed = app_output_close(&out, good);
    app_scratch_remove(folder);
    if (good && closed)
        printf("%s\n", o->output);
    return good && closed ? APP_DONE : APP_DATA;
}

static int report(const report_options *o, const char *path) {
    vs_context *context = NULL;
    vs_trajectory_reader *reader = NULL;
    app_results results = {0};
    app_origin origin = {0};
    vs_error error = vs_context_create(NULL, &context);
    if (!error)
        error = vs_trajectory_reader_open(context, path, &reader);
    int code = error ? complain(path, error, context) : APP_DONE;
    if (!code && vs_trajectory_reader_get_info(reader)->frames == 0) {
        app_complain("%s: no frames yet; wait until the simulation has written some", path);
        code = APP_DATA;
    }
    if (!code && (error = app_results_read(reader, &results)) != VS_OK)
        code = complain(path, error, context);
    if (!code && o->scene)
        code = app_origin_read(o->scene, o->run.setting, o->run.settings, &origin);
    if (!code && o->scene && vs_world_get_body_count(origin.scene->world) != results.info->bodies) {
        app_complain("%s: has %d bodies, %s %d: it is another scene", o->scene,
                     vs_world_get_body_count(origin.scene->world), path, results.info->bodies);
        code = APP_DATA;
    }
    if (!code) {
        app_report page = {.title = o->title       ? o->title
                                    : origin.scene ? origin.scene->name
                                                   : app_base_name(path),
                           .trajectory = path,
                           .command = o->command,
                           .pictures = o->pictures,
                           .results = &results,
                           .origin = &origin};
        memcpy(page.picture, o->picture, sizeof page.picture);
        code = write_page(o, &page);
    }
    app_results_release(&results);
    app_origin_release(&origin);
    vs_trajectory_reader_close(reader);
    vs_context_destroy(context);
    return code;
}

static void name_output(report_options *o, const char *path) {
    const char *base = app_base_name(path), *dot = strrchr(base, '.');
    (void)snprintf(o->name, sizeof o->name, "%.*s.html", (int)(dot && dot > base ? dot - base : (long)strlen(base)),
                   base);
    o->output = o->name;
}

static int run(void *options, const app_line *line) {
    report_options *o = options;
    if (line->operands != 1) {
        app_complain("report: give one trajectory, for instance 'voussoir report arch.h5 --scene arch'");
        return APP_USAGE;
    }
    if (!o->scene && o->run.settings > 0) {
        app_complain("report: --set changes a scene; give it by --scene");
        return APP_USAGE;
    }
    if (!o->output)
        name_output(o, line->operand[0]);
    if (!app_has_extension(o->output, ".html")) {
        app_complain("report: -o %s: use the extension .html", o->output);
        return APP_USAGE;
    }
    return app_writes(o->output) ? report(o, line->operand[0]) : APP_USAGE;
}

static void prepare(void *options) {
    *(report_options *)options = (report_options){.run = app_run_options_default()};
}

static const app_option rows[] = {
    {.name = "--output",
     .letter = 'o',
     .value = "PAGE.html",
     APP_TARGET(report_options, output),
     .path = true,
     .writes = true,
     .otherwise = "the name of the trajectory with .html, in this directory",
     .help = "file to write"},
    {.name = "--scene",
     .value = "SCENE",
     APP_TARGET(report_options, scene),
     .help = "the scene of the run, file or name: adds friction, options of the solver, interfaces, the verdict of "
             "statics and what looks like a mistake"},
    {.name = "--picture",
     .value = "PICTURE.png",
     .take = take_picture,
     .path = true,
     .help = "a picture for the page, such as one of 'voussoir render'; may be repeated"},
    {.name = "--title",
     .value = "TEXT",
     APP_TARGET(report_options, title),
     .otherwise = "the name of the scene",
     .help = "title of the page"},
    {.name = "--command",
     .value = "TEXT",
     APP_TARGET(report_options, command),
     .help = "the command that made the run, for the section on reproduction"},
    {.name = NULL},
};

const app_command app_report_command = {
    .name = "report",
    .summary = "write a run as one page to hand in",
    .usage = "TRAJECTORY.h5 [--scene SCENE] [-o PAGE.html] [OPTIONS]",
    .description =
        "Writes one HTML page about a run: results, assumptions, structure, figures, certificates, versions, and how "
        "to "
        "reproduce it. The page needs no network and no other file; browsers print it. Figures are drawn by gnuplot "
        "as 'voussoir plot' does. Numbers are those of the recorded frames: record every step (run --frame 0) where "
        "the "
        "largest value counts.",
    .groups = (const app_group[]){{.title = "page", .rows = rows},
                                  {.title = "scene", .rows = app_setting_rows, .base = offsetof(report_options, run)},
                                  {.rows = NULL}},
    .examples = "voussoir run arch -o arch.h5 && voussoir report arch.h5 --scene arch\n"
                "voussoir report shaken.h5 --scene shaken.json --set record=3 --picture gate.png -o gate.html",
    .exit_codes = "0 if the page was written, also without figures; 1 usage error, 2 bad data.",
    .size = sizeof(report_options),
    .prepare = prepare,
    .run = run,
    .files = "h5",
};
