// Fragility of a sweep: which runs failed, groups of equal intensity, the fitted curve, its table and its plot.
#include "sweep/fragility.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/csv.h"
#include "cli/gnuplot.h"
#include "cli/system/message.h"
#include "cli/system/output.h"
#include "sweep/lognormal.h"
#include "voussoir/outcome.h"

enum { GROUPS_MOST = 24, GROUPS = 10, CURVE_POINTS = 200 };

// Columns of the table that --exceeds takes.
static const struct {
    const char *name;
    size_t offset;
} columns[] = {{"displacement_m", offsetof(app_sweep_result, displacement)},
               {"residual_m", offsetof(app_sweep_result, residual)},
               {"rotation_rad", offsetof(app_sweep_result, rotation)}};
enum { COLUMNS = sizeof columns / sizeof *columns };

typedef struct damage {
    int column; // -1: a run fails if it ends displaced, or by a condition of the scene
    double above;
} damage;

// Runs of neighbouring intensities.
typedef struct group {
    double x; // their geometric mean
    int count, failed;
} group;

typedef struct fragility {
    const char *parameter;
    damage damage;
    app_trial *trial; // (count) ascending
    int count, failed, open;
    group group[GROUPS_MOST];
    int groups;
    app_lognormal curve;
} fragility;

// ---- options -------------------------------------------------------------------------------------------------------

static int axis_of(const app_space *space, const char *name) {
    for (int k = 0; k < space->axes; k++)
        if (strcmp(space->axis[k].name, name) == 0)
            return k;
    return -1;
}

static bool read_damage(const char *text, damage *d) {
    char *end = NULL;
    *d = (damage){.column = -1};
    if (!text)
        return true;
    const size_t length = strcspn(text, "=");
    for (int k = 0; k < COLUMNS; k++)
        if (strlen(columns[k].name) == length && strncmp(columns[k].name, text, length) == 0)
            d->column = k;
    if (d->column >= 0 && text[length] == '=')
        d->above = strtod(text + length + 1, &end);
    return end && end != text + length + 1 && *end == '\0' && isfinite(d->above) && d->above >= 0;
}

// The least value of a parameter in all runs.
static double least_of(const app_space *space, int axis) {
    double least = INFINITY;
    for (int64_t m = 0; m < app_space_count(space); m++)
        least = fmin(least, app_space_value(space, axis, m));
    return least;
}

bool app_fragility_check(const app_sweep_options *o) {
    damage d;
    const int axis = o->fragility ? axis_of(&o->space, o->fragility) : -1;
    const double least = axis >= 0 ? least_of(&o->space, axis) : 1;
    if (o->exceeds && !o->fragility)
        app_complain("sweep: --exceeds needs --fragility NAME, the parameter that is the intensity");
    else if (o->fragility && axis < 0)
        app_complain("--fragility: parameter '%.60s' does not vary; vary it, for instance --grid %.60s=0.2:2:10",
                     o->fragility, o->fragility);
    else if (!(least > 0))
        app_complain("--fragility: %.60s = %.6g is not positive; an intensity must be", o->fragility, least);
    else if (o->exceeds && !read_damage(o->exceeds, &d))
        app_complain(
            "--exceeds: '%.60s' is not displacement_m=VALUE, residual_m=VALUE or rotation_rad=VALUE; for instance "
            "--exceeds residual_m=0.05",
            o->exceeds);
    else
        return true;
    return false;
}

// ---- runs ----------------------------------------------------------------------------------------------------------

static bool has_failed(const damage *d, const app_sweep_result *r) {
    if (d->column >= 0)
        return *(const double *)(const void *)((const char *)r + columns[d->column].offset) > d->above;
    return strcmp(r->outcome, vs_outcome_state_name(VS_OUTCOME_DISPLACED)) == 0 || strcmp(r->status, "stopped") == 0;
}

// Neither fallen nor at rest: a longer run would tell.
static bool is_open(const damage *d, const app_sweep_result *r) {
    return d->column < 0 && !has_failed(d, r) && strcmp(r->outcome, vs_outcome_state_name(VS_OUTCOME_STANDS)) != 0;
}

static int ascending(const void *a, const void *b) {
    const app_trial *p = a, *q = b;
    if (p->x != q->x)
        return p->x < q->x ? -1 : 1;
    return (p->failed > q->failed) - (p->failed < q->failed);
}

// Runs with results, in ascending order. false: complained.
static bool collect(const app_sweep *s, fragility *f) {
    const int axis = axis_of(&s->options->space, f->parameter);
    f->trial = calloc((size_t)s->runs + 1, sizeof *f->trial);
    if (!f->trial) {
        app_complain("sweep: out of memory; use several smaller sweeps");
        return false;
    }
    for (int64_t m = 0; m < s->runs; m++) {
        if (s->run[m].state != APP_SWEEP_DONE)
            continue;
        const double x = app_space_value(&s->options->space, axis, m);
        f->trial[f->count] = (app_trial){x, has_failed(&f->damage, s->run[m].result)};
        f->failed += f->trial[f->count++].failed;
        f->open += is_open(&f->damage, s->run[m].result);
    }
    qsort(f->trial, (size_t)f->count, sizeof *f->trial, ascending);
    return true;
}

// Equal intensities make a group; where they all differ, groups have equal numbers of runs.
static void make_groups(fragility *f) {
    int different = f->count > 0;
    for (int k = 1; k < f->count; k++)
        different += f->trial[k].x != f->trial[k - 1].x;
    const bool equal = different <= GROUPS_MOST;
    for (int k = 0; k < f->count; k++) {
        const bool first = k == 0 || (equal ? f->trial[k].x != f->trial[k - 1].x
                                            : (int64_t)k * GROUPS / f->count != (int64_t)(k - 1) * GROUPS / f->count);
        if (first)
            f->group[f->groups++] = (group){0};
        group *g = &f->group[f->groups - 1];
        g->x += log(f->trial[k].x);
        g->count++;
        g->failed += f->trial[k].failed;
    }
    for (int k = 0; k < f->groups; k++)
        f->group[k].x = exp(f->group[k].x / f->group[k].count);
}

// ---- outputs -------------------------------------------------------------------------------------------------------

static void print_group(FILE *to, const fragility *f, const group *g, char between) {
    double low = 0, high = 0;
    app_wilson_interval(g->failed, g->count, &low, &high);
    (void)fprintf(to, "%.10g%c%d%c%d%c%.6g%c%.6g%c%.6g", g->x, between, g->count, between, g->failed, between,
                  (double)g->failed / g->count, between, low, between, high);
    if (isfinite(f->curve.median))
        (void)fprintf(to, "%c%.6g", between, app_lognormal_probability(&f->curve, g->x));
    else
        (void)fputc(between, to);
    (void)fputc('\n', to);
}

static bool write_csv(const app_sweep *s, const fragility *f) {
    char path[APP_SWEEP_PATH];
    app_output out;
    app_sweep_path(s, "fragility.csv", path);
    if (!app_output_open(&out, path))
        return false;
    app_csv_text(out.file, f->parameter);
    (void)fputs(",runs,failed,share,share_low,share_high,curve\n", out.file);
    for (int k = 0; k < f->groups; k++)
        print_group(out.file, f, &f->group[k], ',');
    return app_output_close(&out, true);
}

static bool write_data(const char *folder, const fragility *f) {
    FILE *file = app_gnuplot_file(folder, "fragility", "dat");
    if (!file)
        return false;
    for (int k = 0; k < f->groups; k++)
        print_group(file, f, &f->group[k], ' ');
    (void)fputs("\n\n", file);
    const double from = log(f->trial[0].x), to = log(f->trial[f->count - 1].x);
    for (int k = 0; k <= CURVE_POINTS && isfinite(f->curve.median); k++) {
        const double x = exp(from + (to - from) * k / CURVE_POINTS);
        (void)fprintf(file, "%.10g %.10g\n", x, app_lognormal_probability(&f->curve, x));
    }
    return app_gnuplot_close(file, "fragility.dat");
}

static void describe_failure(const fragility *f, char *text, size_t size) {
    if (f->damage.column >= 0)
        (void)snprintf(text, size, "%s above %.6g", columns[f->damage.column].name, f->damage.above);
    else
        (void)snprintf(text, size, "displaced or stopped");
}

static bool write_script(const char *folder, const fragility *f) {
    char title[160], failure[80];
    FILE *file = app_gnuplot_script(folder, "fragility", 640, 420);
    if (!file)
        return false;
    describe_failure(f, failure, sizeof failure);
    (void)fputs("set key top left\nset yrange [0:1]\nset ylabel ", file);
    (void)snprintf(title, sizeof title, "share of runs: %s", failure);
    app_gnuplot_text(file, title);
    (void)fputs(" noenhanced\nset xlabel ", file);
    app_gnuplot_text(file, f->parameter);
    (void)fputs(" noenhanced\nplot ", file);
    if (isfinite(f->curve.median)) {
        (void)snprintf(title, sizeof title, "lognormal: median %.4g, dispersion %.3g", f->curve.median,
                       f->curve.dispersion);
        (void)fputs("'fragility.dat' index 1 using 1:2 with lines lw 2.2 lc rgb '#0072b2' title ", file);
        app_gnuplot_text(file, title);
        (void)fputs(", \\\n     ", file);
    }
    (void)snprintf(title, sizeof title, "%d runs, %d failed; bars: 95 %%", f->count, f->failed);
    (void)fputs("'fragility.dat' index 0 using 1:4:5:6 with yerrorbars pt 7 ps 0.6 lw 1.2 lc rgb '#333333' title ",
                file);
    app_gnuplot_text(file, title);
    (void)fputc('\n', file);
    return app_gnuplot_end(file, "fragility.gp");
}

// Without gnuplot the table remains: *drawn is false. false: complained about something else.
static bool draw(const app_sweep *s, const fragility *f, bool *drawn) {
    const char *folder = s->options->out;
    if (!app_gnuplot_style(folder, 2) || !write_data(folder, f) || !write_script(folder, f))
        return false;
    const int code = app_gnuplot_run(folder, "fragility");
    if (code != 0)
        app_complain(code == 127
                         ? "gnuplot not found on PATH: no plot of the fragility; install it, or plot %s/fragility.csv"
                         : "gnuplot failed; see %s/gnuplot.log",
                     folder);
    *drawn = code == 0;
    return code == 0 || code == 127;
}

static void report(const app_sweep *s, const fragility *f, bool drawn) {
    const app_lognormal *c = &f->curve;
    char failure[80];
    describe_failure(f, failure, sizeof failure);
    printf("  %-13s%d of %d runs failed (%s)\n", "fragility", f->failed, f->count, failure);
    printf("  %-13s", "");
    if (c->kind == APP_LOGNORMAL_FITTED)
        printf("median %s %.4g (95 %%: %.4g to %.4g), dispersion %.3g\n", f->parameter, c->median, c->low, c->high,
               c->dispersion);
    else if (c->kind == APP_LOGNORMAL_STEP)
        printf("all from %s = %.4g, none up to %.4g: no dispersion to fit\n", f->parameter, c->high, c->low);
    else if (c->kind == APP_LOGNORMAL_DESCENDING)
        printf("failures do not become more frequent with %s: no curve\n", f->parameter);
    else
        printf("no curve; use %s values of %s\n", c->kind == APP_LOGNORMAL_NONE ? "larger" : "smaller", f->parameter);
    if (f->open > 0)
        printf("  %-13s%d runs still moved at their end and count as not failed; a longer --duration decides\n", "",
               f->open);
    printf("  %-13s%s/fragility.csv", "", s->options->out);
    if (drawn)
        printf(", %s/fragility.svg", s->options->out);
    printf("\n");
}

bool app_fragility_write(const app_sweep *s) {
    fragility f = {.parameter = s->options->fragility};
    bool good = read_damage(s->options->exceeds, &f.damage) && collect(s, &f);
    if (good && f.count > 0) {
        make_groups(&f);
        f.curve = app_lognormal_fit(f.trial, f.count);
        bool drawn = false;
        good = write_csv(s, &f) && draw(s, &f, &drawn);
        if (good)
            report(s, &f, drawn);
    }
    free(f.trial);
    return good;
}
