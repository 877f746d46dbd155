// Plots of voussoir compare: data and gnuplot scripts in DIR/plots, drawn as SVG and PNG if gnuplot is found.
//
// Performance profiles after Dolan and Moré (2002): the share of all problems that a solver solves within a factor of
// the fastest solver's time.
#define _GNU_SOURCE
#include "compare/plots.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/gnuplot.h"
#include "cli/system/message.h"
#include "cli/system/path.h"
#include "compare/comparison.h"
#include "compare/history_plot.h"
#include "compare/plot_script.h"
#include "compare/scores.h"

// ---- performance profiles -----------------------------------------------------------------------------------------

typedef struct profile {
    int problems;
    double most;   // end of the axis
    double *ratio; // (solvers x files) time over the fastest; infinity: not solved
} profile;

static double seconds_to(const app_comparison *c, int f, int s, int t) {
    const app_compare_row *row = app_compare_row_of(c, f, s, t);
    if (!app_compare_is_solved(c, row, c->tolerance[t]))
        return INFINITY;
    return row->seconds > 1e-7 ? row->seconds : 1e-7;
}

static int by_value(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static bool make_profile(const app_comparison *c, int t, profile *p) {
    *p = (profile){.most = 2};
    p->ratio = calloc((size_t)c->solvers * (size_t)c->files + 1, sizeof *p->ratio);
    if (!p->ratio)
        return false;
    for (int f = 0; f < c->files; f++) {
        double best = INFINITY;
        if (!app_compare_counts(c, f, t))
            continue;
        for (int s = 0; s < c->solvers; s++)
            best = fmin(best, seconds_to(c, f, s, t));
        for (int s = 0; s < c->solvers; s++) {
            const double seconds = seconds_to(c, f, s, t), ratio = isfinite(seconds) ? seconds / best : INFINITY;
            p->ratio[s * c->files + p->problems] = ratio;
            if (isfinite(ratio) && ratio > p->most)
                p->most = ratio;
        }
        p->problems++;
    }
    for (int s = 0; s < c->solvers; s++)
        qsort(p->ratio + s * c->files, (size_t)p->problems, sizeof *p->ratio, by_value);
    p->most *= 1.25;
    return p->problems > 0;
}

static double share_within(const app_comparison *c, const profile *p, int s, double factor) {
    int count = 0;
    while (count < p->problems && p->ratio[s * c->files + count] <= factor)
        count++;
    return (double)count / p->problems;
}

// Two blocks per solver: the staircase, and a few points on it, at different places so that none hides another.
static bool write_profile_data(const app_comparison *c, const profile *p, const char *name) {
    FILE *file = app_plot_open(c, name, "dat");
    if (!file)
        return false;
    (void)fprintf(file, "# time over the fastest solver's, share of %d problems solved\n", p->problems);
    for (int s = 0; s < c->solvers; s++) {
        double share = share_within(c, p, s, 1);
        (void)fprintf(file, "# %s\n1 %.6g\n", c->solver[s].name, share);
        for (int k = 0; k < p->problems && isfinite(p->ratio[s * c->files + k]); k++) {
            const double ratio = p->ratio[s * c->files + k];
            (void)fprintf(file, "%.6g %.6g\n", ratio, share);
            share = share_within(c, p, s, ratio);
            (void)fprintf(file, "%.6g %.6g\n", ratio, share);
        }
        (void)fprintf(file, "%.6g %.6g\n\n\n", p->most, share);
        for (int k = 0; k < 4; k++) {
            const double at = pow(p->most, (k + (s + .5) / c->solvers) / 4);
            (void)fprintf(file, "%.6g %.6g\n", at, share_within(c, p, s, at));
        }
        (void)fputs("\n\n", file);
    }
    return app_gnuplot_close(file, name);
}

static bool write_profile(const app_comparison *c, int t, const char *name) {
    profile p;
    char tolerance[40];
    const bool good = make_profile(c, t, &p) && write_profile_data(c, &p, name);
    FILE *file = good ? app_plot_begin(c, name, 720, 420) : NULL;
    free(p.ratio);
    if (!file)
        return false;
    app_plot_power(c->tolerance[t], tolerance);
    (void)fprintf(file,
                  "set title 'tolerance %s, %d problems'\n"
                  "set logscale x\nset xrange [1:%g]\nset yrange [0:1.02]\nset ytics 0.2\n"
                  "%s"
                  "set xlabel 'time relative to the fastest solver'\nset ylabel 'share of problems solved'\n"
                  "set key outside right center\nplot \\\n",
                  tolerance, p.problems, p.most, p.most > 30 ? "" : "set xtics (1,2,3,5,10,20)\n");
    // The curves, then the legend; the first is empty for the sake of the commas.
    (void)fputs("NaN notitle", file);
    for (int s = 0; s < c->solvers; s++)
        if (app_compare_is_shown(c, s))
            (void)fprintf(file, ", \\\n'%s.dat' index %d w l ls %d notitle, '' index %d w p ls %d notitle", name, 2 * s,
                          s + 1, 2 * s + 1, s + 1);
    for (int s = 0; s < c->solvers; s++)
        if (app_compare_is_shown(c, s)) {
            (void)fputs(", \\\n", file);
            app_plot_key(file, c, s);
        }
    (void)fputs("\n", file);
    return app_gnuplot_end(file, name);
}

// ---- solved at each tolerance ---------------------------------------------------------------------------------------

static bool write_solved_data(const app_comparison *c, const char *name) {
    FILE *file = app_plot_open(c, name, "dat");
    if (!file)
        return false;
    (void)fputs("# line of the solver, share solved in percent; one block per tolerance\n", file);
    for (int t = 0; t < c->tolerances; t++) {
        (void)fprintf(file, "# tolerance %g\n", c->tolerance[t]);
        int line = 0;
        for (int s = 0; s < c->solvers; s++) {
            const app_compare_score *score = &c->score[s][t];
            if (!app_compare_is_shown(c, s))
                continue;
            // Equal values are drawn side by side.
            const double at = ++line + (t - .5 * (c->tolerances - 1)) * .7 / c->tolerances;
            (void)fprintf(file, "%.4f %.4f\n", at, score->run > 0 ? 100. * score->solved / score->run : 0);
        }
        (void)fputs("\n\n", file);
    }
    return app_gnuplot_close(file, name);
}

static bool write_solved(const app_comparison *c, const char *name) {
    int lines = 0, line = 0;
    for (int s = 0; s < c->solvers; s++)
        lines += app_compare_is_shown(c, s);
    FILE *file = lines > 0 && write_solved_data(c, name) ? app_plot_begin(c, name, 720, 110 + 34 * lines) : NULL;
    if (!file)
        return false;
    (void)fprintf(file,
                  "set yrange [%g:0.5]\nset xrange [0:101]\nset xlabel 'problems solved (%%)'\n"
                  "set grid y\nset border 1\nset tics scale 0.6,0\n"
                  "set key enhanced outside right center title 'tolerance'\nset ytics (",
                  lines + .5);
    for (int s = 0; s < c->solvers; s++)
        if (app_compare_is_shown(c, s)) {
            app_gnuplot_text(file, c->solver[s].name);
            (void)fprintf(file, " %d%s", line + 1, line + 1 < lines ? ", " : ") noenhanced scale 0\nplot \\\n");
            line++;
        }
    for (int t = 0; t < c->tolerances; t++) {
        char tolerance[40];
        app_plot_power(c->tolerance[t], tolerance);
        (void)fprintf(file, "'%s.dat' index %d u 2:1 w p pt %d ps 0.65 lw 1.4 lc rgb '%s' t '%s'%s\n", name, t,
                      app_gnuplot_shape(t), app_gnuplot_colour(t), tolerance, t + 1 < c->tolerances ? ", \\" : "");
    }
    return app_gnuplot_end(file, name);
}

// ---- drawing ------------------------------------------------------------------------------------------------------

// false: there is no gnuplot.
static bool draw(const app_comparison *c, app_compare_plot *plot) {
    char folder[APP_COMPARE_PATH];
    app_compare_path(c, "plots", folder);
    const int code = app_gnuplot_run(folder, plot->name);
    plot->drawn = code == 0;
    if (code == 127)
        app_complain("gnuplot not found on PATH, no plots drawn; install it (gnuplot-nox) and run it on %s/plots/*.gp",
                     c->options.out);
    else if (code != 0)
        app_complain("gnuplot failed on %s; check the disk space, and see %s/plots/gnuplot.log", plot->name,
                     c->options.out);
    return code != 127;
}

// A name for files: letters, digits, '-', '.' and '_' only.
static void name_history(const app_comparison *c, int f, char name[APP_COMPARE_NAME]) {
    (void)snprintf(name, APP_COMPARE_NAME, "history-%.40s", c->file[f].label);
    for (char *at = name; *at; at++)
        if (!strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._", *at))
            *at = '_';
    // Files of the same name from different folders.
    for (int k = 0; k < f; k++)
        if (c->file[k].history && strcmp(c->file[k].label, c->file[f].label) == 0)
            (void)snprintf(name + strlen(name), APP_COMPARE_NAME - strlen(name), "-%d", f);
}

int app_compare_draw(const app_comparison *c, app_compare_plot plot[APP_COMPARE_PLOTS]) {
    char folder[APP_COMPARE_PATH];
    int count = 0;
    app_compare_path(c, "plots", folder);
    (void)app_make_directory(folder); // errors show when files are written
    if (!app_gnuplot_style(folder, c->solvers))
        return 0;
    for (int t = 0; t < c->tolerances; t++) {
        app_compare_plot *p = &plot[count];
        char tolerance[16];
        *p = (app_compare_plot){.kind = APP_PLOT_PROFILE, .index = t};
        app_compare_format(c->tolerance[t], tolerance);
        (void)snprintf(p->name, sizeof p->name, "profile-%s", tolerance);
        count += write_profile(c, t, p->name);
    }
    plot[count] = (app_compare_plot){.kind = APP_PLOT_SOLVED, .name = "solved"};
    count += write_solved(c, "solved");
    for (int f = 0; f < c->files; f++) {
        if (!c->file[f].history)
            continue;
        plot[count] = (app_compare_plot){.kind = APP_PLOT_HISTORY, .index = f};
        name_history(c, f, plot[count].name);
        count += app_plot_history(c, f, plot[count].name);
    }
    for (int k = 0; k < count && draw(c, &plot[k]); k++)
        continue;
    return count;
}
