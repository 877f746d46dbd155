// Figures of panels: one below the other, in two columns from four on.
//
// A curve of many points is drawn by the minimum and maximum of each piece, in their order: peaks are kept, and the
// figure stays small.
#include "plot/panels.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/exit_code.h"
#include "cli/gnuplot.h"
#include "cli/system/message.h"
#include "cli/system/output.h"
#include "cli/system/process.h"
#include "cli/system/system.h"

enum { PIECES = 800, PATH = 1024 };
enum { MARGIN_LEFT = 76, MARGIN_RIGHT = 24, SPACING = 86 }; // px
static const char NAME[] = "figure";

// ---- data ---------------------------------------------------------------------------------------------------------

static void put_point(FILE *file, const app_panel *p, const double *value, int64_t k) {
    // A logarithmic axis cannot show zero.
    if (isfinite(value[k]) && isfinite(p->x[k]) && (!p->log || value[k] > 0))
        (void)fprintf(file, "%.9g %.9g\n", p->x[k], value[k]);
    else
        (void)fprintf(file, "%.9g NaN\n", isfinite(p->x[k]) ? p->x[k] : 0);
}

static void put_piece(FILE *file, const app_panel *p, const double *value, int64_t first, int64_t end) {
    int64_t low = first, high = first;
    for (int64_t k = first; k < end; k++) {
        if (value[k] < value[low] || !isfinite(value[low]))
            low = k;
        if (value[k] > value[high] || !isfinite(value[high]))
            high = k;
    }
    put_point(file, p, value, low < high ? low : high);
    if (low != high)
        put_point(file, p, value, low < high ? high : low);
}

static bool write_data(const app_figure *f, const char *folder) {
    FILE *file = app_gnuplot_file(folder, NAME, "dat");
    if (!file)
        return false;
    for (int k = 0; k < f->panels; k++)
        for (int c = 0; c < f->panel[k].curves; c++) {
            const app_panel *p = &f->panel[k];
            const int64_t size = 1 + (p->count - 1) / PIECES;
            (void)fprintf(file, "# %s, %s\n", p->title, p->curve[c].label ? p->curve[c].label : "");
            for (int64_t first = 0; first < p->count; first += size)
                put_piece(file, p, p->curve[c].value, first, first + size < p->count ? first + size : p->count);
            (void)fputs("\n\n", file);
        }
    return app_gnuplot_close(file, NAME);
}

// ---- script -------------------------------------------------------------------------------------------------------

typedef struct span {
    double least, most;
    bool any;
} span;

static void widen(span *s, double y) {
    s->least = s->any ? fmin(s->least, y) : y;
    s->most = s->any ? fmax(s->most, y) : y;
    s->any = true;
}

static span span_of(const app_panel *p) {
    span s = {0, 0, false};
    for (int c = 0; c < p->curves; c++)
        for (int64_t k = 0; k < p->count; k++) {
            const double y = p->curve[c].value[k];
            if (isfinite(y) && (!p->log || y > 0))
                widen(&s, y);
        }
    if (p->line > 0 && s.any)
        widen(&s, p->line);
    return s;
}

static span span_of_x(const app_panel *p) {
    span s = {0, 0, false};
    for (int64_t k = 0; k < p->count; k++)
        if (isfinite(p->x[k]))
            widen(&s, p->x[k]);
    return s;
}

static void put_range(FILE *file, const app_panel *p, span s) {
    if (!s.any) {
        (void)fputs("unset logscale y\nset format y ''\nset yrange [0:1]\n", file);
        return;
    }
    if (p->log) {
        // Whole decades, at least two.
        double low = floor(log10(s.least)), high = ceil(log10(s.most) + 0.1);
        if (high < low + 2)
            low = high - 2;
        (void)fprintf(file, "set logscale y\nset format y '10^{%%T}'\nset yrange [1e%g:1e%g]\n", low, high);
        (void)fprintf(file, "set ytics 1e%g\n", fmax(1, ceil((high - low) / 6)));
        return;
    }
    const double room = fmax(0.06 * (s.most - s.least), 1e-12 * fmax(fabs(s.least), fabs(s.most)));
    (void)fprintf(file, "unset logscale y\nset format y '%%g'\nset ytics autofreq\nset yrange [%.9g:%.9g]\n",
                  s.least < 0 || s.least > 0 ? s.least - room : 0,
                  s.most > s.least ? s.most + room : s.least + fmax(room, 1));
}

bool app_panel_is_empty(const app_panel *p) {
    const span s = span_of(p);
    return !s.any || (!p->log && s.least == 0 && s.most == 0);
}

// Rows of a legend that fits beside the title above a panel of this width in px; 0: not even two rows do. Letters are
// 6.5 px wide on average, bold ones 7.2; a legend has 36 px of line and space for each curve.
static int count_rows(const app_panel *p, double width) {
    double legend = 0;
    for (int c = 0; c < p->curves; c++)
        legend += p->curve[c].label ? 36 + 6.5 * (double)strlen(p->curve[c].label) : 0;
    const double left = width - 7.2 * (double)strlen(p->title);
    return legend < left ? 1 : .5 * legend < left ? 2 : 0;
}

// Labels of one or two letters are set too close to the next line otherwise.
static bool has_short_labels(const app_panel *p) {
    return p->curve[0].label && strlen(p->curve[0].label) <= 2;
}

static void put_panel(FILE *file, const app_figure *f, int k, int first, double width) {
    const app_panel *p = &f->panel[k];
    const span s = span_of(p);
    (void)fputs("unset label\nunset arrow\nset label 1 ", file);
    app_gnuplot_text(file, p->title);
    (void)fputs(" at graph 0,1.06 left noenhanced font bold\n", file);
    const int rows = count_rows(p, width);
    (void)fprintf(file, "set key at graph %s maxcols %d noreverse Right samplen 1.4 width %d\n",
                  rows > 0 ? "1,1.05 right bottom horizontal" : "0.99,0.98 right top vertical",
                  rows == 1 ? p->curves : (p->curves + 1) / 2, has_short_labels(p) ? 1 : -1);
    put_range(file, p, s);
    if (app_panel_is_empty(p))
        (void)fputs("set label 2 'zero throughout' at graph 0.5,0.5 center tc rgb '#777777'\n", file);
    if (p->line > 0)
        (void)fprintf(
            file, "set arrow from graph 0, first %g to graph 1, first %g nohead back dt 3 lw 1.2 lc rgb '#666666'\n",
            p->line, p->line);
    const span x = span_of_x(p);
    (void)fprintf(file, "%s\nset xrange [%.9g:%.9g]\nplot ", p->x_log ? "set logscale x" : "unset logscale x", x.least,
                  x.most > x.least ? x.most : x.least + 1);
    for (int c = 0; c < p->curves; c++) {
        (void)fprintf(file, "%s'%s.dat' index %d w l ls %d ", c ? ", \\\n  " : "", NAME, first + c, c + 1);
        if (p->curve[c].label) {
            (void)fputs("t ", file);
            app_gnuplot_text(file, p->curve[c].label);
        } else
            (void)fputs("notitle", file);
    }
    (void)fputs(s.any ? "\n" : ", NaN notitle\n", file);
}

static bool write_script(const app_figure *f, const char *folder) {
    const int columns = f->panels >= 4 ? 2 : 1, rows = (f->panels + columns - 1) / columns;
    const int width = f->width ? f->width : columns == 2 ? 960 : 640, height = f->height ? f->height : 60 + 215 * rows;
    FILE *file = app_gnuplot_style(folder, APP_CURVES) ? app_gnuplot_script(folder, NAME, width, height) : NULL;
    if (!file)
        return false;
    (void)fprintf(file,
                  "bold = (format eq 'svg') ? 'sans-serif:Bold,13' : 'sans:Bold,19'\n"
                  "set style line 1 lc rgb '%s' dt 1 lw 1.8\nset style line 2 lc rgb '%s' dt 1 lw 1.8\n"
                  "set style line 3 lc rgb '%s' dt 1 lw 1.8\nset style line 4 lc rgb '#000000' dt (5,4) lw 1.4\n"
                  "set style line 5 lc rgb '%s' dt 1 lw 1.8\n"
                  "unset mytics\nset xlabel offset 0,0.4\n",
                  app_gnuplot_colour(0), app_gnuplot_colour(1), app_gnuplot_colour(2), app_gnuplot_colour(3));
    (void)fprintf(file, "set multiplot layout %d,%d margins %g,%g,%g,%g spacing %g,%g title ", rows, columns,
                  (double)MARGIN_LEFT / width, 1 - (double)MARGIN_RIGHT / width, 52.0 / height, 1 - 70.0 / height,
                  (double)SPACING / width, 84.0 / height);
    app_gnuplot_text(file, f->title);
    (void)fputs(" noenhanced\n", file);
    const double panel_width = (double)(width - MARGIN_LEFT - MARGIN_RIGHT - (columns - 1) * SPACING) / columns;
    for (int k = 0, first = 0; k < f->panels; first += f->panel[k++].curves) {
        // Only the lowest panels have a label for time, unless one has an axis of its own.
        const char *own = f->panel[k].x_label;
        (void)fputs("set xlabel ", file);
        app_gnuplot_text(file, own ? own : k + columns >= f->panels ? f->x_label : "");
        (void)fputs(" noenhanced\n", file);
        put_panel(file, f, k, first, panel_width);
    }
    (void)fputs("unset multiplot\n", file);
    return app_gnuplot_end(file, NAME);
}

// ---- drawing ------------------------------------------------------------------------------------------------------

static int draw_in(const app_figure *f, const char *folder, const char *output) {
    const char *ending = strrchr(output, '.');
    char picture[PATH];
    if (!write_data(f, folder) || !write_script(f, folder))
        return APP_DATA;
    const int code = app_gnuplot_run(folder, NAME);
    (void)snprintf(picture, sizeof picture, "%s/%s%s", folder, NAME, ending);
    if (code == 127)
        app_complain(
            "gnuplot not found on PATH; install it (Debian: gnuplot-nox), or keep data and script with --keep FOLDER");
    else if (code != 0)
        app_complain("gnuplot failed; check the disk space, or use --keep FOLDER and see gnuplot.log there");
    else if (app_output_copy(picture, output))
        return APP_DONE;
    return APP_DATA;
}

int app_figure_draw(const app_figure *figure, const char *output, const char *keep) {
    char folder[APP_SCRATCH];
    if (keep) {
        if (app_system_make_folder(keep) || errno == EEXIST)
            return draw_in(figure, keep, output);
        app_complain("%s: cannot create the folder (%s); give another --keep", keep, strerror(errno));
        return APP_DATA;
    }
    if (!app_scratch_make(folder))
        return APP_DATA;
    const int code = draw_in(figure, folder, output);
    app_scratch_remove(folder);
    return code;
}
