// Data and figures of the entries.
#define _GNU_SOURCE
#include "reproduce/figure.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "cli/gnuplot.h"
#include "cli/system/message.h"
#include "reproduce/entry.h"

static void list_file(app_repro *r, const char *name, const char *ending) {
    if (r->files < APP_REPRO_FILES)
        (void)snprintf(r->file[r->files++], sizeof r->file[0], "%s.%s", name, ending);
}

FILE *app_repro_csv(app_repro *r, const char *name) {
    FILE *file = app_gnuplot_file(r->folder, name, "csv");
    if (!file)
        (void)app_repro_fail(r, "cannot write %s.csv to %s", name, r->folder);
    return file;
}

bool app_repro_csv_close(app_repro *r, FILE *file, const char *name) {
    if (!app_gnuplot_close(file, name))
        return app_repro_fail(r, "cannot write %s.csv to %s", name, r->folder);
    list_file(r, name, "csv");
    return true;
}

FILE *app_repro_figure(app_repro *r, const char *name, int width, int height) {
    FILE *file = app_gnuplot_style(r->folder, 8) ? app_gnuplot_script(r->folder, name, width, height) : NULL;
    if (file)
        (void)fputs("set datafile separator ','\n", file);
    else
        (void)app_repro_fail(r, "cannot write %s.gp to %s", name, r->folder);
    return file;
}

void app_repro_draw(app_repro *r, FILE *script, const char *name) {
    if (!app_gnuplot_end(script, name))
        return;
    const int code = app_gnuplot_run(r->folder, name);
    if (code == 0) {
        list_file(r, name, "svg");
        list_file(r, name, "png");
    } else if (code == 127) {
        app_complain("gnuplot not found on PATH, %s not drawn; its data is in %s/%s.csv", name, r->folder, name);
    } else {
        app_complain("gnuplot failed on %s; check the disk space, and see %s/gnuplot.log", name, r->folder);
    }
}
