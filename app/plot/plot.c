// voussoir plot: quantities of a trajectory over time, an accelerogram with its spectrum, or the convergence of a solver on
// one problem, as a figure.
#include "plot/plot.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/choices.h"
#include "cli/exit_code.h"
#include "cli/help.h"
#include "cli/file_kind.h"
#include "cli/system/files.h"
#include "cli/history.h"
#include "cli/system/message.h"
#include "cli/options.h"
#include "cli/system/output.h"
#include "cli/system/path.h"
#include "plot/convergence.h"
#include "plot/panels.h"
#include "plot/record.h"
#include "voussoir/report.h"
#include "voussoir/trajectory.h"

typedef struct plot_options {
    bool convergence;
    const char *size, *output; // null: choose
    int width, height;         // px, 0: choose
    const char *keep;          // folder, null: none
    const char *over;          // history on the x axis, null: time
    int method, model;         // of --convergence
    double tolerance;
    double damping; // of a record
    app_record_options reading;
} plot_options;

// ---- quantities ---------------------------------------------------------------------------------------------------

typedef struct quantity {
    const char *name, *title, *description;
    bool log;
    // Series of the file that are drawn directly, with their labels; computed ones have none.
    const char *series[3], *label[3];
    double scale; // of the series
} quantity;

enum {
    ENERGY,
    BALANCE,
    MOMENTUM,
    ANGULAR,
    CONTACTS,
    ITERATIONS,
    ERROR,
    ENERGY_ERROR,
    PENETRATION,
    DRIFT,
    TIME,
    QUANTITIES
};
static const quantity table[QUANTITIES] = {
    [ENERGY] = {.name = "energy",
                .title = "energy (J)",
                .description = "changes since the start; dashed: without the error of the discretization"},
    [BALANCE] = {.name = "balance",
                 .title = "energy balance (J)",
                 .description = "work, each kind of dissipation and discretization error since the start"},
    [MOMENTUM] = {.name = "momentum",
                  .title = "momentum (kg m/s)",
                  .description = "x, y, z; sum of all dynamic bodies"},
    [ANGULAR] = {.name = "angular-momentum",
                 .title = "angular momentum (kg m²/s)",
                 .description = "x, y, z about the origin"},
    [CONTACTS] = {.name = "contacts",
                  .title = "contacts",
                  .description = "number detected, number with an impulse, number of islands",
                  .series = {"contacts", "active", "islands"},
                  .label = {"detected", "active", "islands"},
                  .scale = 1},
    [ITERATIONS] = {.name = "iterations",
                    .title = "iterations per step",
                    .description = "solver iterations and factorizations per step",
                    .series = {"iterations", "factorizations"},
                    .label = {"iterations", "factorizations"},
                    .scale = 1},
    [ERROR] = {.name = "error",
               .title = "relative error per step",
               .description = "square root of the energy error over its reference, and natural map",
               .log = true},
    [ENERGY_ERROR] = {.name = "energy-error",
                      .title = "energy error per step (J)",
                      .description = "after the solve, and the reference that it is relative to",
                      .log = true,
                      .series = {"energy_error", "energy_scale"},
                      .label = {"solution", "reference"},
                      .scale = 1},
    [PENETRATION] = {.name = "penetration",
                     .title = "penetration (m)",
                     .description = "maximum over all contacts",
                     .log = true,
                     .series = {"penetration"},
                     .scale = 1},
    [DRIFT] = {.name = "drift",
               .title = "constraint drift (m)",
               .description = "maximum violation of the joints",
               .log = true,
               .series = {"joint_drift"},
               .scale = 1},
    [TIME] = {.name = "time",
              .title = "wall time per step (ms)",
              .description = "wall time per step",
              .series = {"seconds"},
              .scale = 1e3},
};

// What a panel shows: a quantity of the table, or a history of one object.
typedef struct request {
    int which;           // QUANTITIES: a history
    const char *history; // its name
} request;

// ---- numbers ------------------------------------------------------------------------------------------------------

typedef struct run {
    vs_trajectory_reader *reader;
    const vs_trajectory_info *info;
    double *time;
    double *block; // columns of `frames` numbers, allocated one after the other
    int64_t used, room;
    double *momentum[6];
    app_history history[APP_PANELS + 1]; // the first one is on the x axis
    char title[APP_PANELS + 1][APP_HISTORY_TITLE];
    int histories;
} run;

static double *take(run *r) {
    return r->used < r->room ? r->block + r->info->frames * r->used++ : NULL;
}

static void put(app_panel *p, const char *label, const double *value) {
    if (p->curves < APP_CURVES)
        p->curve[p->curves++] = (app_curve){label, value};
}

static vs_error read_column(run *r, const char *name, double **to) {
    *to = take(r);
    return *to ? vs_trajectory_reader_read_series(r->reader, name, *to) : VS_ERROR_MEMORY;
}

// A column minus its first number; `to` may be null, without memory.
static vs_error read_change(run *r, const char *name, double *to) {
    const vs_error error = to ? vs_trajectory_reader_read_series(r->reader, name, to) : VS_ERROR_MEMORY;
    for (int64_t k = r->info->frames - 1; !error && k >= 0; k--)
        to[k] -= to[0];
    return error;
}

// The zero of potential energy is arbitrary: changes since the start.
static vs_error add_energy(run *r, app_panel *p) {
    double *kinetic = NULL, *potential = take(r), *total = take(r), *balance = take(r);
    vs_error error = total && balance ? read_column(r, "kinetic", &kinetic) : VS_ERROR_MEMORY;
    if (!error)
        error = read_change(r, "potential", potential);
    if (error)
        return error;
    for (int64_t k = 0; k < r->info->frames; k++)
        total[k] = kinetic[k] + potential[k];
    put(p, "kinetic", kinetic);
    put(p, "potential", potential);
    put(p, "total", total);
    // Kinetic energy at the start, plus work, minus dissipation. Older files do not have it.
    if (read_change(r, "energy/discretization", balance) == VS_OK) {
        for (int64_t k = 0; k < r->info->frames; k++)
            balance[k] = total[k] - balance[k];
        put(p, "work - dissipation", balance);
    }
    return VS_OK;
}

static bool is_zero(const double *value, int64_t count) {
    bool zero = true;
    for (int64_t k = 0; k < count; k++)
        zero = zero && value[k] == 0;
    return zero;
}

// One part of the change of energy with its sign: the terms of one side of the balance, or only one of them. Left out if it is
// zero throughout.
static vs_error add_part(run *r, app_panel *p, const char *label, vs_energy_side side, int only) {
    const int64_t frames = r->info->frames;
    double *sum = take(r), *term = take(r);
    char name[64];
    if (!sum || !term)
        return VS_ERROR_MEMORY;
    (void)memset(sum, 0, sizeof *sum * (size_t)frames);
    for (int k = 0; k < vs_energy_term_count(); k++) {
        const vs_energy_term t = vs_energy_term_at(k);
        if (t.side != side || (only >= 0 && k != only))
            continue;
        (void)snprintf(name, sizeof name, "energy/%s", t.name);
        const vs_error error = read_change(r, name, term);
        if (error == VS_ERROR_ARGUMENT) // an older file: it has none
            continue;
        if (error)
            return error;
        for (int64_t i = 0; i < frames; i++)
            sum[i] += side == VS_ENERGY_DISSIPATION ? -term[i] : term[i];
    }
    r->used--; // the term
    if (!is_zero(sum, frames))
        put(p, label, sum);
    return VS_OK;
}

static vs_error add_balance(run *r, app_panel *p) {
    vs_error error = add_part(r, p, "work", VS_ENERGY_WORK, -1);
    for (int k = 0; k < vs_energy_term_count() && !error; k++)
        if (vs_energy_term_at(k).side == VS_ENERGY_DISSIPATION)
            error = add_part(r, p, vs_energy_term_at(k).name, VS_ENERGY_DISSIPATION, k);
    return error ? error : add_part(r, p, "discretization", VS_ENERGY_DISCRETIZATION, -1);
}

static void add_body(const vs_trajectory_info *info, const double *x, const double *v, int b, double sum[6]) {
    const double m = info->mass[b], *I = info->inertia + 9 * (size_t)b;
    const double w = x[3], a = x[4], c = x[5], d = x[6];
    if (!(m > 0) || !isfinite(x[0]) || !isfinite(v[0]))
        return; // not dynamic, or removed
    const double R[9] = {1 - 2 * (c * c + d * d), 2 * (a * c - w * d),     2 * (a * d + w * c),
                         2 * (a * c + w * d),     1 - 2 * (a * a + d * d), 2 * (c * d - w * a),
                         2 * (a * d - w * c),     2 * (c * d + w * a),     1 - 2 * (a * a + c * c)};
    double body[3] = {0}, spin[3] = {0}; // R' omega, I R' omega
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            body[i] += R[3 * j + i] * v[3 + j];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            spin[i] += I[3 * i + j] * body[j];
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        sum[i] += m * v[i];
        sum[3 + i] += m * (x[j] * v[k] - x[k] * v[j]);
        for (int l = 0; l < 3; l++)
            sum[3 + i] += R[3 * i + l] * spin[l];
    }
}

// Linear and angular, once for both panels.
static vs_error sum_momenta(run *r) {
    const vs_trajectory_info *info = r->info;
    double *pose = malloc(((size_t)info->bodies * 13 + 1) * sizeof *pose),
           *velocity = pose ? pose + 7 * (size_t)info->bodies : NULL;
    vs_error error = pose ? VS_OK : VS_ERROR_MEMORY;
    for (int i = 0; !error && i < 6; i++)
        if (!(r->momentum[i] = take(r)))
            error = VS_ERROR_MEMORY;
    for (int64_t k = 0; !error && k < info->frames; k++) {
        double sum[6] = {0};
        error = vs_trajectory_reader_read_state(r->reader, k, pose, velocity);
        for (int b = 0; !error && b < info->bodies; b++)
            add_body(info, pose + 7 * (size_t)b, velocity + 6 * (size_t)b, b, sum);
        for (int i = 0; i < 6; i++)
            r->momentum[i][k] = sum[i];
    }
    free(pose);
    return error;
}

static vs_error add_momentum(run *r, int first, app_panel *p) {
    const vs_error error = r->momentum[0] ? VS_OK : sum_momenta(r);
    for (int i = 0; !error && i < 3; i++)
        put(p, (const char *[]){"x", "y", "z"}[i], r->momentum[first + i]);
    return error;
}

static vs_error add_error(run *r, app_panel *p) {
    double *error_energy = NULL, *scale = NULL, *natural = NULL;
    vs_error error = read_column(r, "energy_error", &error_energy);
    if (!error)
        error = read_column(r, "energy_scale", &scale);
    if (!error)
        error = read_column(r, "natural_map", &natural);
    for (int64_t k = 0; !error && k < r->info->frames; k++)
        error_energy[k] = scale[k] > 0 ? sqrt(error_energy[k] / scale[k]) : 0;
    put(p, "energy", error_energy);
    put(p, "natural map", natural);
    return error;
}

// Reads a history and names it with its unit.
static vs_error read_history(run *r, const char *name, const app_history **to, const char **title) {
    app_history *h = &r->history[r->histories];
    char *text = r->title[r->histories];
    const vs_error error = app_history_read(r->reader, name, h);
    if (error)
        return error;
    app_history_title(h, -1, text);
    r->histories++;
    *to = h;
    *title = text;
    return VS_OK;
}

static vs_error add_history(run *r, const char *name, app_panel *p) {
    const app_history *h = NULL;
    const vs_error error = read_history(r, name, &h, &p->title);
    for (int c = 0; !error && c < h->info.columns; c++)
        put(p, h->info.columns > 1 ? h->info.label[c] : NULL, h->value + r->info->frames * c);
    return error;
}

static vs_error add_panel(run *r, const request *wanted, app_panel *p) {
    const int which = wanted->which;
    const quantity *q = &table[which < QUANTITIES ? which : 0];
    *p = (app_panel){.title = q->title, .x = r->time, .count = r->info->frames};
    if (which == QUANTITIES)
        return add_history(r, wanted->history, p);
    p->log = q->log;
    if (which == ENERGY)
        return add_energy(r, p);
    if (which == BALANCE)
        return add_balance(r, p);
    if (which == MOMENTUM || which == ANGULAR)
        return add_momentum(r, which == MOMENTUM ? 0 : 3, p);
    if (which == ERROR)
        return add_error(r, p);
    vs_error error = VS_OK;
    for (int c = 0; !error && c < 3 && q->series[c]; c++) {
        double *value = NULL;
        error = read_column(r, q->series[c], &value);
        for (int64_t k = 0; !error && k < r->info->frames; k++)
            value[k] *= q->scale;
        if (!error)
            put(p, q->label[c], value);
    }
    return error;
}

// ---- the figure of a run ------------------------------------------------------------------------------------------

// The x axis: time, or a history that must be one number per frame.
static vs_error read_axis(run *r, const char *over, app_figure *figure) {
    const app_history *h = NULL;
    if (!over)
        return read_column(r, "time", &r->time);
    const vs_error error = read_history(r, over, &h, &figure->x_label);
    if (!error)
        r->time = h->value;
    return error;
}

static vs_error fill(run *r, const request *list, int count, const char *over, bool overview, app_figure *figure) {
    enum { MOST = 40 }; // columns: 4 of energy, 8 of its balance, 6 of momenta, at most 3 of each other
    r->room = MOST;
    r->block = malloc((size_t)r->info->frames * MOST * sizeof *r->block);
    vs_error error = r->block ? read_axis(r, over, figure) : VS_ERROR_MEMORY;
    for (int k = 0; !error && k < count; k++) {
        app_panel *panel = &figure->panel[figure->panels++];
        error = add_panel(r, &list[k], panel);
        // Panels that nobody asked for are left out if they show nothing, but for the first.
        if (overview && figure->panels > 1 && app_panel_is_empty(panel))
            figure->panels--;
    }
    return error;
}

// The overview shows constraint drift only if there are joints.
static int choose(const run *r, request list[APP_PANELS]) {
    static const request usual[] = {{.which = ENERGY},     {.which = MOMENTUM}, {.which = CONTACTS},
                                    {.which = ITERATIONS}, {.which = ERROR},    {.which = PENETRATION}};
    int count = sizeof usual / sizeof usual[0];
    (void)memcpy(list, usual, sizeof usual);
    if (r->info->joints > 0)
        list[count++].which = DRIFT, list[count++].which = TIME;
    return count;
}

// Messages about histories name the quantity and what to do.
static int complain(const char *path, vs_error error, const vs_context *context, bool is_open) {
    char text[512];
    const char *said = context ? vs_context_get_error_text(context) : "";
    if (is_open && *said && error != VS_ERROR_MEMORY) {
        app_complain("%s%s", error == VS_ERROR_ARGUMENT ? "plot: " : "", said);
        return app_exit_code(error);
    }
    if (!is_open && error != VS_ERROR_MEMORY && app_file_is_other(path))
        return APP_DATA;
    app_explain(path, error, context, text, sizeof text);
    app_complain("%s: %s", path, text);
    return app_exit_code(error);
}

static int plot_run(const plot_options *o, const char *path, const request *asked, int count, const char *output) {
    vs_context *context = NULL;
    run r = {0};
    app_figure figure = {.title = app_base_name(path), .x_label = "time (s)", .width = o->width, .height = o->height};
    request overview[APP_PANELS] = {{0}};
    const bool asked_any = count > 0;
    int code = APP_DATA;
    vs_error error = vs_context_create(NULL, &context);
    if (!error)
        error = vs_trajectory_reader_open(context, path, &r.reader);
    if (!error)
        r.info = vs_trajectory_reader_get_info(r.reader);
    if (!error && r.info->frames == 0) {
        app_complain("%s: no frames yet; wait until the simulation has written some", path);
    } else {
        if (!error && count == 0)
            count = choose(&r, overview);
        if (!error)
            error = fill(&r, asked_any ? asked : overview, count, o->over, !asked_any, &figure);
        if (error)
            code = complain(path, error, context, r.reader != NULL);
        else if (o->over && r.history[0].info.columns > 1) {
            app_complain("plot: --over %s: is a vector; add a component, such as %s.x", o->over, o->over);
            code = APP_USAGE;
        } else
            code = app_figure_draw(&figure, output, o->keep);
    }
    for (int k = 0; k < r.histories; k++)
        app_history_free(&r.history[k]);
    free(r.block);
    vs_trajectory_reader_close(r.reader);
    vs_context_destroy(context);
    return code;
}

// ---- the command --------------------------------------------------------------------------------------------------

static bool read_size(plot_options *o) {
    const char *text = o->size;
    char rest = '\0';
    if (!text)
        return true;
    // NOLINTNEXTLINE(cert-err34-c): the ranges are checked below
    if (sscanf(text, "%5dx%5d%c", &o->width, &o->height, &rest) == 2 && o->width >= 200 && o->height >= 150 &&
        o->width <= 8000 && o->height <= 8000)
        return true;
    app_complain(
        "plot: --size: '%s' is not WIDTHxHEIGHT of at least 200x150 and at most 8000x8000; for instance 800x300", text);
    return false;
}

static bool read_quantities(int count, const char *const *names, request list[APP_PANELS]) {
    const char *known[QUANTITIES + 1] = {NULL};
    for (int k = 0; k < QUANTITIES; k++)
        known[k] = table[k].name;
    if (count > APP_PANELS) {
        app_complain("plot: more than %d quantities; use several figures", APP_PANELS);
        return false;
    }
    for (int k = 0; k < count; k++) {
        list[k] = (request){.history = names[k]};
        while (list[k].which < QUANTITIES && strcmp(names[k], known[list[k].which]) != 0)
            list[k].which++;
        // A name with a colon needs the file, and so does the message for one without its object.
        if (list[k].which < QUANTITIES || strchr(names[k], ':') || app_history_is_kind(names[k]))
            continue;
        const char *near = vs_nearest_name(names[k], known);
        app_complain("plot: unknown quantity %s; %s%s%s", names[k],
                     near ? "did you mean '" : "'voussoir help plot' lists them", near ? near : "", near ? "'?" : "");
        return false;
    }
    return true;
}

int app_plot_draw(const char *path, const char *const *name, int count, const char *output) {
    const plot_options o = {.width = 900}; // px: legends fit beside titles
    request list[APP_PANELS];
    return read_quantities(count, name, list) ? plot_run(&o, path, list, count, output) : APP_USAGE;
}

static bool name_output(const char *path, const char *requested, bool record, char output[], size_t size) {
    if (requested) {
        const bool known = app_has_extension(requested, ".svg") || app_has_extension(requested, ".png") ||
                           (record && app_has_extension(requested, ".csv"));
        if (known && snprintf(output, size, "%s", requested) < (int)size)
            return true;
        app_complain("plot: -o %s: use the extension .svg%s", requested, record ? ", .png or .csv" : " or .png");
        return false;
    }
    const char *name = app_base_name(path), *dot = strrchr(name, '.');
    return snprintf(output, size, "%.*s.svg", (int)(dot && dot > name ? dot - name : (long)strlen(name)), name) <
           (int)size;
}

static int draw_convergence(const plot_options *o, const char *path, const char *output) {
    const app_convergence c = {.method = (vs_method)o->method,
                               .model = (vs_model)o->model,
                               .tolerance = o->tolerance,
                               .width = o->width,
                               .height = o->height,
                               .keep = o->keep};
    return app_plot_convergence(&c, path, output);
}

static int draw_record(const plot_options *o, const char *path, const char *output) {
    const app_record_plot p = {
        .reading = o->reading, .damping = o->damping, .width = o->width, .height = o->height, .keep = o->keep};
    return app_plot_record(&p, path, output);
}

static int draw(const plot_options *o, const app_line *line) {
    request list[APP_PANELS];
    char output[1024];
    const char *path = line->operand[0];
    const int quantities = line->operands - 1;
    const bool record = !o->convergence && app_is_record(path);
    if (record && (quantities > 0 || o->over)) {
        app_complain("plot: %s is a record, which has no quantities; give it alone", path);
        return APP_USAGE;
    }
    if (!read_quantities(quantities, (const char *const *)line->operand + 1, list) ||
        !name_output(path, o->output, record, output, sizeof output) || !app_writes(output))
        return APP_USAGE;
    const int code = record           ? draw_record(o, path, output)
                     : o->convergence ? draw_convergence(o, path, output)
                                      : plot_run(o, path, list, quantities, output);
    if (code == APP_DONE)
        printf("%s\n", output);
    return code;
}

// ---- the command --------------------------------------------------------------------------------------------------

static int start(void *options, const app_line *line) {
    plot_options *o = options;
    if (line->operands < 1 || (o->convergence && line->operands > 1)) {
        app_complain("plot: give one %s, for instance 'voussoir plot %s'", o->convergence ? "problem" : "trajectory",
                     o->convergence ? "arch-000100.hdf5 --convergence" : "arch.h5 energy");
        return APP_USAGE;
    }
    return read_size(o) ? draw(o, line) : APP_USAGE;
}

static void prepare(void *options) {
    *(plot_options *)options = (plot_options){
        .tolerance = 1e-8, .model = VS_MODEL_EXACT, .damping = .05, .reading = app_record_options_default()};
}

static const app_option rows[] = {
    {.name = "--output",
     .letter = 'o',
     .value = "FIGURE",
     APP_TARGET(plot_options, output),
     .path = true,
     .writes = true,
     .otherwise = "the name of the input with .svg, in this directory",
     .help = ".svg or .png"},
    {.name = "--over",
     .value = "QUANTITY",
     APP_TARGET(plot_options, over),
     .otherwise = "time",
     .help = "x axis, for instance displacement:stone7.z"},
    {.name = "--size",
     .value = "WxH",
     .example = "800x300",
     APP_TARGET(plot_options, size),
     .help = "size in pixels, for instance 800x300; a PNG has twice as many"},
    {.name = "--keep",
     .value = "FOLDER",
     APP_TARGET(plot_options, keep),
     .path = true,
     .writes = true,
     .help = "keep the data (figure.dat) and the gnuplot script (figure.gp) in FOLDER"},
    {.name = NULL},
};

static const app_option convergence_rows[] = {
    {.name = "--convergence",
     APP_TARGET(plot_options, convergence),
     .help = "plot the error over the iterations of a method"},
    {.name = "--method",
     .value = "NAME",
     APP_TARGET(plot_options, method),
     .choice = app_method_name,
     .help = "solution method (see 'voussoir help solve')"},
    {.name = "--model",
     .value = "NAME",
     APP_TARGET(plot_options, model),
     .names = vs_model_names,
     .help = "friction model: exact, relaxed or frictionless"},
    {.name = "--tolerance", .value = "T", APP_TARGET(plot_options, tolerance), .open = true, .help = "tolerance"},
    {.name = NULL},
};

static const app_option damping_row[] = {
    {.name = "--damping",
     .value = "Z",
     APP_TARGET(plot_options, damping),
     .most = 1,
     .help = "damping of the response spectrum, relative to the critical one"},
    {.name = NULL},
};

static void put_quantities(FILE *to) {
    (void)fputs("\nquantities\n", to);
    for (int k = 0; k < QUANTITIES; k++)
        app_help_entry(table[k].name, table[k].description, to);
    (void)fputs("\nquantities of one object\n", to);
    app_history_help(to);
}

const app_command app_plot_command = {
    .name = "plot",
    .summary = "plot a trajectory over time, or the convergence of a solver",
    .usage = "TRAJECTORY.h5 [QUANTITY...] [-o FIGURE.svg|.png]\n"
             "RECORD.AT2|.csv|.txt|.dat [--damping Z] [-o FIGURE.svg|.png|TABLE.csv]\n"
             "PROBLEM.hdf5 --convergence [--method NAME] [--model NAME] [--tolerance T]",
    .description =
        "Plots quantities of a trajectory over time with gnuplot; without a quantity, an overview. A simulation may "
        "still be writing the file. Of an accelerogram: acceleration, velocity and displacement over time, and its "
        "response spectrum at periods from 0.02 to 10 s; as a table the spectrum alone (Sd, and the pseudo-velocity Sv "
        "and pseudo-acceleration Sa). With --convergence, solves a contact problem (FCLIB; 'voussoir run --capture' "
        "writes those of single steps) and plots the error of every iteration.",
    .groups = (const app_group[]){{.title = "options", .rows = rows},
                                  {.title = "convergence", .rows = convergence_rows},
                                  {.title = "records", .rows = damping_row},
                                  {.rows = app_record_rows, .base = offsetof(plot_options, reading)},
                                  {.rows = NULL}},
    .more = put_quantities,
    .examples = "voussoir run balls-in-box -o balls.h5 && voussoir plot balls.h5\n"
                "voussoir plot balls.h5 energy error -o balls.png\n"
                "voussoir plot wall.h5 position:lintel.z speed:lintel force:lintel/stone3 reaction:ground\n"
                "voussoir plot quake.AT2 --damping 0.02 -o spectrum.csv\n"
                "voussoir run arch --capture \"every 100 steps\" && voussoir plot arch-000100.hdf5 --convergence",
    .exit_codes = "0 if the figure was written, 1 usage error, 2 bad data, or gnuplot is missing or failed.",
    .size = sizeof(plot_options),
    .prepare = prepare,
    .run = start,
    .computes = true,
    .files = "h5 hdf5",
};
