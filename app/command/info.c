// voussoir info: the contents of a problem file, and the errors of a stored solution.
#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include "cli/exit_code.h"
#include "cli/json.h"
#include "cli/message.h"
#include "cli/options.h"
#include "cli/report.h"
#include "command/commands.h"
#include "voussoir/voussoir.h"

void app_info_help(FILE *to) {
    (void)fputs(
        "usage: voussoir info FILE... [--json]\n\n"
        "Shows sizes, masses and friction of the contact problem in each FCLIB HDF5 file. The errors of a stored\n"
        "solution are measured from its impulses alone, for the relaxed and the exact friction model.\n\n"
        "  --json    JSON instead of a report; several files: one object per line\n\n"
        "examples\n"
        "  voussoir info pile.hdf5\n"
        "  voussoir info problems/*.hdf5 --json | jq -r '[.file, .problem.contacts] | @tsv'\n",
        to);
}

// A problem file.
typedef struct stored_problem {
    const char *path, *error; // error null: none
    vs_problem_info info;
    bool solution;              // the file holds one
    vs_measures relaxed, exact; // of that solution
} stored_problem;

static vs_error measure(const vs_problem *problem, vs_model model, const double *g, const double *lambda,
                        vs_measures *measures) {
    vs_measurer *measurer = NULL;
    vs_error error = vs_measurer_create(problem, model, &measurer);
    if (error == VS_OK)
        error = vs_measure(measurer, g, lambda, NULL, NULL, measures);
    vs_measurer_destroy(measurer);
    return error;
}

// A file without a solution, or with one of other sizes, is not an error.
static vs_error measure_solution(const char *path, const vs_problem *problem, stored_problem *stored) {
    double *g = calloc((size_t)stored->info.m_e + 1, sizeof *g),
           *lambda = calloc((size_t)stored->info.m + 1, sizeof *lambda);
    vs_error error = g && lambda ? VS_OK : VS_ERROR_MEMORY;
    if (error == VS_OK && vs_fclib_read_solution(path, problem, NULL, g, lambda, NULL) == VS_OK) {
        error = measure(problem, VS_MODEL_RELAXED, g, lambda, &stored->relaxed);
        if (error == VS_OK)
            error = measure(problem, VS_MODEL_EXACT, g, lambda, &stored->exact);
        stored->solution = error == VS_OK;
    }
    free(g);
    free(lambda);
    return error;
}

static void report(const stored_problem *stored) {
    printf("%s\n", stored->path);
    app_report_problem(&stored->info);
    if (!stored->solution) {
        printf("  %-20snone\n", "stored solution");
        return;
    }
    printf("  %-20snatural map %.1e relative, energy error %.1e J (relaxed model)\n", "stored solution",
           stored->relaxed.natural_map_relative, stored->relaxed.energy_error);
    printf("  %-20snatural map %.1e relative, energy error %.1e J (exact model)\n", "",
           stored->exact.natural_map_relative, stored->exact.energy_error);
}

static bool print_json(const stored_problem *s, bool line) {
    json_t *o = json_object();
    app_json_put(o, "voussoir", json_string(vs_version()));
    app_json_put(o, "file", app_json_text(s->path));
    app_json_put(o, "error", app_json_text(s->error));
    if (!s->error) {
        app_json_put(o, "problem", app_json_problem(&s->info));
        json_t *solution = s->solution ? json_object() : json_null();
        if (s->solution) {
            json_t *relaxed = json_object(), *exact = json_object();
            app_json_put_measures(relaxed, &s->relaxed);
            app_json_put_measures(exact, &s->exact);
            app_json_put(solution, "relaxed", relaxed);
            app_json_put(solution, "exact", exact);
        }
        app_json_put(o, "solution", solution);
    }
    return app_json_print(o, line);
}

static int show_file(const char *path, bool json, bool line) {
    char text[512];
    stored_problem stored = {.path = path};
    vs_context *context = NULL;
    vs_problem *problem = NULL;
    vs_error error = vs_context_create(NULL, &context);
    if (error == VS_OK)
        error = vs_fclib_read(context, path, &problem);
    if (error == VS_OK) {
        stored.info = vs_problem_get_info(problem);
        error = measure_solution(path, problem, &stored);
    }
    if (error != VS_OK) {
        app_explain(path, error, context, text, sizeof text);
        app_complain("%s: %s", path, text);
        stored.error = text;
    }
    int code = app_exit_code(error);
    if (json) {
        if (!print_json(&stored, line))
            code = app_worse(code, APP_DATA);
    } else if (error == VS_OK)
        report(&stored);
    vs_problem_destroy(problem);
    vs_context_destroy(context);
    return code;
}

int app_info(int argc, char **argv) {
    bool help = false, json = false;
    int files = 0, code = APP_DONE;
    const app_option table[] = {
        {.name = "--help", .flag = &help},
        {.name = "--json", .flag = &json},
        {.name = NULL},
    };
    if (!app_options_read("info", table, argc, argv, &files))
        return APP_USAGE;
    if (help) {
        app_info_help(stdout);
        return APP_DONE;
    }
    if (files == 0) {
        app_complain("info: no file given; give one, for instance 'voussoir info pile.hdf5'");
        return APP_USAGE;
    }
    for (int k = 1; k <= files; k++)
        code = app_worse(code, show_file(argv[k], json, files > 1));
    return code;
}
