// The numbers of voussoir compare: results.csv and results.json, one row per entry, and histories.csv. Keys and columns
// are part of the interface: they may be added, never renamed. Undefined values are empty in CSV, null in JSON.
#include "compare/results.h"

#include <jansson.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "cli/csv.h"
#include "cli/system/output.h"
#include "compare/comparison.h"
#include "compare/options.h"
#include "compare/scores.h"
#include "voussoir/voussoir.h"

static bool open_file(const app_comparison *c, const char *name, app_output *out) {
    char path[APP_COMPARE_PATH];
    app_compare_path(c, name, path);
    return app_output_open(out, path);
}

// How the solver treats the friction of the problems.
static const char *treatment(const app_comparison *c, int solver) {
    static const char *const name[] = {"direct", "fixed point", "boxes"};
    return name[app_compare_fit_of(c, solver)];
}

// ---- CSV ----------------------------------------------------------------------------------------------------------

static void put_number(FILE *file, double x) {
    if (isfinite(x))
        (void)fprintf(file, ",%.10g", x);
    else
        (void)fputc(',', file);
}

static void put_count(FILE *file, int x) {
    if (x >= 0)
        (void)fprintf(file, ",%d", x);
    else
        (void)fputc(',', file);
}

static void write_row(FILE *file, const app_comparison *c, int f, int s, int t) {
    const app_compare_row *row = app_compare_row_of(c, f, s, t);
    const app_compare_file *problem = &c->file[f];
    const vs_measures *m = &row->measures;
    app_csv_text(file, problem->path);
    (void)fprintf(file, ",%d,%d,", problem->info.contacts, problem->info.m);
    app_csv_text(file, c->solver[s].name);
    (void)fprintf(file, ",%s,%g,%d,", vs_model_name(c->options.model), c->tolerance[t],
                  app_compare_is_solved(c, row, c->tolerance[t]));
    app_csv_text(file, row->status);
    put_count(file, row->iterations);
    put_count(file, row->factorizations);
    put_number(file, row->seconds);
    put_number(file, row->prepare);
    const double measures[] = {m->energy_error, m->energy_scale, m->natural_map_relative, m->fischer_burmeister,
                               m->natural_residual};
    for (size_t k = 0; k < sizeof measures / sizeof *measures; k++)
        put_number(file, row->measured ? measures[k] : NAN);
    (void)fputc(',', file);
    app_csv_text(file, row->message);
    (void)fprintf(file, ",%s\n", treatment(c, s));
}

static bool write_csv(const app_comparison *c) {
    app_output out;
    if (!open_file(c, "results.csv", &out))
        return false;
    (void)fputs(
        "file,contacts,rows,solver,model,tolerance,solved,status,iterations,factorizations,seconds,prepare_seconds,"
        "energy_error_J,energy_scale_J,natural_map_relative,fischer_burmeister,natural,message,treatment\n",
        out.file);
    for (int f = 0; f < c->files; f++)
        for (int s = 0; s < c->solvers; s++)
            for (int t = 0; t < c->tolerances; t++)
                write_row(out.file, c, f, s, t);
    return app_output_close(&out, true);
}

static void write_points(FILE *file, const app_comparison *c, const app_compare_trace *trace, const char *kind,
                         const app_compare_point *point, int count) {
    for (int k = 0; k < count; k++) {
        app_csv_text(file, c->file[trace->file].path);
        (void)fputc(',', file);
        app_csv_text(file, c->solver[trace->solver].name);
        (void)fprintf(file, ",%s,%d", kind, point[k].iteration);
        put_number(file, point[k].seconds);
        put_number(file, point[k].energy_error);
        put_number(file, trace->energy_scale);
        put_number(file, point[k].natural_map);
        put_number(file, point[k].fischer_burmeister);
        put_number(file, point[k].natural);
        (void)fputc('\n', file);
    }
}

// kind: "iterate", a line of the solver's history; "returned", its result when stopped after that iteration.
static bool write_histories(const app_comparison *c) {
    app_output out;
    if (!open_file(c, "histories.csv", &out))
        return false;
    (void)fputs("file,solver,kind,iteration,seconds,energy_error_J,energy_scale_J,natural_map_relative,"
                "fischer_burmeister,natural\n",
                out.file);
    for (int k = 0; k < c->traces; k++) {
        const app_compare_trace *trace = &c->trace[k];
        write_points(out.file, c, trace, "iterate", trace->line, trace->lines);
        write_points(out.file, c, trace, "returned", trace->point, trace->points);
    }
    return app_output_close(&out, true);
}

// ---- JSON ---------------------------------------------------------------------------------------------------------

static json_t *number(double x) {
    return isfinite(x) ? json_real(x) : json_null();
}

static json_t *count(int x) {
    return x >= 0 ? json_integer(x) : json_null();
}

// A path may be no UTF-8, which JSON cannot hold.
static json_t *text(const char *s) {
    json_t *value = json_string(s);
    char copy[2048];
    (void)snprintf(copy, sizeof copy, "%s", s);
    for (char *at = copy; !value && *at; at++)
        *at = (unsigned char)*at >= 0x80 ? '?' : *at;
    return value ? value : json_string(copy);
}

static void put(json_t *object, const char *key, json_t *value) {
    (void)json_object_set_new(object, key, value);
}

static json_t *row_object(const app_comparison *c, int f, int s, int t) {
    const app_compare_row *row = app_compare_row_of(c, f, s, t);
    const vs_measures *m = &row->measures;
    json_t *o = json_object();
    put(o, "file", text(c->file[f].path));
    put(o, "contacts", count(c->file[f].info.contacts));
    put(o, "rows", count(c->file[f].info.m));
    put(o, "solver", text(c->solver[s].name));
    put(o, "model", text(vs_model_name(c->options.model)));
    put(o, "tolerance", number(c->tolerance[t]));
    put(o, "solved", json_boolean(app_compare_is_solved(c, row, c->tolerance[t])));
    put(o, "status", text(row->status));
    put(o, "iterations", count(row->iterations));
    put(o, "factorizations", count(row->factorizations));
    put(o, "seconds", number(row->seconds));
    put(o, "prepare_seconds", number(row->prepare));
    put(o, "energy_error_J", number(row->measured ? m->energy_error : NAN));
    put(o, "energy_scale_J", number(row->measured ? m->energy_scale : NAN));
    put(o, "natural_map_relative", number(row->measured ? m->natural_map_relative : NAN));
    put(o, "fischer_burmeister", number(row->measured ? m->fischer_burmeister : NAN));
    put(o, "natural", number(row->measured ? m->natural_residual : NAN));
    put(o, "message", text(row->message));
    put(o, "treatment", text(treatment(c, s)));
    return o;
}

static json_t *score_object(const app_comparison *c, int s, int t) {
    const app_compare_score *score = &c->score[s][t];
    json_t *o = json_object();
    put(o, "solver", text(c->solver[s].name));
    put(o, "tolerance", number(c->tolerance[t]));
    put(o, "run", count(score->run));
    put(o, "solved", count(score->solved));
    put(o, "common", count(score->common));
    put(o, "mean_seconds", number(score->mean));
    put(o, "both", count(score->both));
    put(o, "ratio_to_first", number(score->ratio));
    return o;
}

static json_t *results_object(const app_comparison *c) {
    static const char *const criteria[] = {"both", "energy", "natural"};
    const app_compare_options *options = &c->options;
    json_t *o = json_object(), *rows = json_array(), *scores = json_array();
    put(o, "voussoir", text(vs_version()));
    put(o, "command", text(c->line));
    put(o, "blas", text(vs_solver_blas()));
    put(o, "model", text(vs_model_name(options->model)));
    put(o, "criterion", text(criteria[options->solved_by]));
    put(o, "jobs", count(options->jobs));
    put(o, "repeat", count(options->repeat));
    put(o, "max_time_s", number(options->max_time));
    put(o, "interrupted", json_boolean(c->interrupted));
    for (int s = 0; s < c->solvers; s++)
        for (int t = 0; t < c->tolerances; t++)
            (void)json_array_append_new(scores, score_object(c, s, t));
    for (int f = 0; f < c->files; f++)
        for (int s = 0; s < c->solvers; s++)
            for (int t = 0; t < c->tolerances; t++)
                (void)json_array_append_new(rows, row_object(c, f, s, t));
    put(o, "scores", scores);
    put(o, "rows", rows);
    return o;
}

static bool write_json(const app_comparison *c) {
    app_output out;
    if (!open_file(c, "results.json", &out))
        return false;
    json_t *o = results_object(c);
    const bool good =
        o && json_dumpf(o, out.file, JSON_INDENT(1) | JSON_REAL_PRECISION(12)) == 0 && fputc('\n', out.file) != EOF;
    json_decref(o);
    return app_output_close(&out, good);
}

bool app_compare_write(const app_comparison *c) {
    return write_csv(c) && write_json(c) && (c->traces == 0 || write_histories(c));
}
