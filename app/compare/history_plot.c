// Histories of voussoir compare as plots: energy error over iterations and over time, and beside it the residuals of
// the literature, as in figure 5 of Enzenhöfer et al.
#include "compare/history_plot.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "cli/gnuplot.h"
#include "compare/comparison.h"
#include "compare/plot_script.h"

static void put_point(FILE *file, const app_compare_point *p) {
    const double values[] = {p->seconds, p->energy_error, p->fischer_burmeister, p->natural};
    (void)fprintf(file, "%d", p->iteration);
    // A logarithmic axis cannot show zero.
    for (size_t k = 0; k < sizeof values / sizeof *values; k++)
        (void)fprintf(file, values[k] > 0 ? " %.6g" : " NaN", values[k]);
    (void)fputc('\n', file);
}

// Two blocks per solver: every iteration, and the results when stopped early. A long history ends early and is
// continued by the latter.
static bool write_history_data(const app_comparison *c, int f, const char *name) {
    FILE *file = app_plot_open(c, name, "dat");
    if (!file)
        return false;
    (void)fputs("# iteration, time in s, energy error in J, Fischer-Burmeister, natural residual\n", file);
    for (int k = 0; k < c->traces; k++) {
        const app_compare_trace *trace = &c->trace[k];
        if (trace->file != f || !trace->complete)
            continue;
        (void)fprintf(file, "# %s\n", c->solver[trace->solver].name);
        int last = 0;
        for (int i = 0; i < trace->lines; i++) {
            if (trace->line[i].iteration > 0)
                put_point(file, &trace->line[i]);
            last = trace->line[i].iteration;
        }
        for (int i = 0; i < trace->points; i++)
            if (trace->point[i].iteration > last)
                put_point(file, &trace->point[i]);
        (void)fputs(trace->lines + trace->points > 0 ? "\n\n" : "NaN NaN NaN NaN NaN\n\n\n", file);
        for (int i = 0; i < trace->points; i++)
            put_point(file, &trace->point[i]);
        (void)fputs(trace->points > 0 ? "\n\n" : "NaN NaN NaN NaN NaN\n\n\n", file);
    }
    return app_gnuplot_close(file, name);
}

// One panel: columns x and y of the first or second block of each solver.
typedef struct panel {
    const char *columns;
    int block;
    bool key; // with the legend
} panel;

static void put_panel(FILE *file, const app_comparison *c, int f, const char *name, panel p) {
    int index = 0;
    (void)fputs("plot ", file);
    for (int k = 0; k < c->traces; k++) {
        const app_compare_trace *trace = &c->trace[k];
        if (trace->file != f || !trace->complete)
            continue;
        // About seven marks per curve.
        const int marks = 1 + (p.block ? trace->points : trace->lines) / 8;
        (void)fprintf(file, "%s'%s.dat' index %d u %s w lp ls %d pi %d notitle", index ? ", \\\n  " : "", name,
                      2 * index + p.block, p.columns, trace->solver + 1, marks);
        index++;
    }
    for (int k = 0; k < c->traces && p.key; k++)
        if (c->trace[k].file == f && c->trace[k].complete) {
            (void)fputs(", \\\n  ", file);
            app_plot_key(file, c, c->trace[k].solver);
        }
    (void)fputs("\n", file);
}

static void put_margins(FILE *file, int column, int row) {
    const double left[] = {.08, .475}, bottom[] = {.58, .09};
    (void)fprintf(file,
                  "set lmargin at screen %g\nset rmargin at screen %g\nset bmargin at screen %g\n"
                  "set tmargin at screen %g\n",
                  left[column], left[column] + .3, bottom[row], bottom[row] + .355);
}

// Range of a logarithmic axis: positive values only.
typedef struct span {
    double least, most;
} span;

static void widen(span *s, double x) {
    if (!(x > 0))
        return;
    s->least = s->most > 0 ? fmin(s->least, x) : x;
    s->most = fmax(s->most, x);
}

// Ranges of the axes of a plot.
typedef struct range {
    int traces, iterations;
    double scale; // J, e0
    span seconds, energy, fischer_burmeister, natural;
} range;

static void extend(range *r, const app_compare_point *point, int count) {
    for (int k = 0; k < count; k++) {
        const app_compare_point *p = &point[k];
        if (p->iteration < 1)
            continue;
        r->iterations = p->iteration > r->iterations ? p->iteration : r->iterations;
        widen(&r->seconds, p->seconds);
        widen(&r->energy, p->energy_error);
        widen(&r->fischer_burmeister, p->fischer_burmeister);
        widen(&r->natural, p->natural);
    }
}

static range range_of(const app_comparison *c, int f) {
    range r = {0};
    for (int k = 0; k < c->traces; k++) {
        const app_compare_trace *trace = &c->trace[k];
        if (trace->file != f || !trace->complete)
            continue;
        r.traces++;
        r.scale = trace->energy_scale;
        extend(&r, trace->line, trace->lines);
        extend(&r, trace->point, trace->points);
    }
    // Show all tolerances; cut off errors far below the last one.
    const double first = c->tolerance[0], last = c->tolerance[c->tolerances - 1];
    widen(&r.energy, first * first * r.scale);
    widen(&r.energy, last * last * r.scale);
    r.energy.least = fmax(r.energy.least, 1e-4 * last * last * r.scale);
    return r;
}

// The tolerances as energies.
static void put_tolerances(FILE *file, const app_comparison *c, double scale) {
    for (int t = 0; t < c->tolerances && scale > 0; t++) {
        const double energy = c->tolerance[t] * c->tolerance[t] * scale;
        char tolerance[40];
        app_plot_power(c->tolerance[t], tolerance);
        (void)fprintf(file,
                      "set arrow %d from graph 0, first %g to graph 1, first %g nohead back dt 3 lw 1.2 lc rgb "
                      "'#666666'\n"
                      "set label %d '%s' at graph 1.02, first %g left font small tc rgb '#555555'\n",
                      t + 1, energy, energy, t + 1, tolerance, energy);
    }
}

// Few iterations fit a linear axis.
static void put_iterations(FILE *file, const range *r) {
    if (r->iterations <= 60)
        (void)fprintf(file, "unset logscale x\nset format x '%%g'\nset xrange [0:%d]\n", r->iterations + 1);
    else
        (void)fprintf(file, "set logscale x\nset format x '%s'\nset xrange [1:%g]\n",
                      r->iterations < 200000 ? "%g" : "10^{%T}", 1.1 * r->iterations);
    (void)fputs("set xlabel 'iteration'\n", file);
}

// With a margin; any range if all values are zero.
static void put_range(FILE *file, char axis, span s, double room) {
    if (s.most > 0)
        (void)fprintf(file, "set %crange [%g:%g]\n", axis, s.least / room, s.most * room);
    else
        (void)fprintf(file, "set %crange [1e-16:1]\n", axis);
}

static void put_panels(FILE *file, const app_comparison *c, int f, const char *name, const range *r) {
    put_range(file, 'y', r->energy, 10);
    put_tolerances(file, c, r->scale);
    put_iterations(file, r);
    put_margins(file, 0, 0);
    (void)fputs("set title '{/:Bold a}   energy error (J)'\n", file);
    put_panel(file, c, f, name, (panel){"1:3", 0, false});
    (void)fputs("set logscale x\nset format x '10^{%T}'\nset xlabel 'time (s)'\n", file);
    put_range(file, 'x', r->seconds, 1.25);
    put_margins(file, 1, 0);
    (void)fputs("set title '{/:Bold b}   energy error (J)'\n", file);
    put_panel(file, c, f, name, (panel){"2:3", 0, false});
    (void)fputs("unset arrow\nunset label\n", file);
    put_iterations(file, r);
    put_margins(file, 0, 1);
    (void)fputs("set title '{/:Bold c}   Fischer-Burmeister residual (mixed units)'\n", file);
    put_range(file, 'y', r->fischer_burmeister, 3);
    put_panel(file, c, f, name, (panel){"1:4", 1, false});
    put_margins(file, 1, 1);
    (void)fputs("set title '{/:Bold d}   natural residual (mixed units)'\nset key at screen 0.845,0.94 left top\n",
                file);
    put_range(file, 'y', r->natural, 3);
    put_panel(file, c, f, name, (panel){"1:5", 1, true});
}

bool app_plot_history(const app_comparison *c, int f, const char *name) {
    const range r = range_of(c, f);
    // Nothing to plot: solved before the first iteration.
    const bool any = r.traces > 0 && r.iterations > 0 && r.energy.most > 0;
    FILE *file = any && write_history_data(c, f, name) ? app_plot_begin(c, name, 920, 640) : NULL;
    if (!file)
        return false;
    (void)fputs("small = (format eq 'svg') ? ',11' : ',16'\n"
                "set multiplot\nset logscale y\nset format y '10^{%T}'\nunset mytics\nset key off\n"
                "set title offset 0,-0.6\nset xlabel offset 0,0.4\n",
                file);
    put_panels(file, c, f, name, &r);
    (void)fputs("unset multiplot\n", file);
    return app_gnuplot_end(file, name);
}
