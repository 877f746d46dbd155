// voussoir solve: reads, solves, reports and writes the files one by one.
//
// The exit code is 0 only if the measures of the returned impulses, taken on the unscaled problem, meet the tolerance.
#include "solve/solve.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/system/clock.h"
#include "cli/exit_code.h"
#include "cli/system/files.h"
#include "cli/system/interrupt.h"
#include "cli/system/message.h"
#include "cli/system/output.h"
#include "cli/system/path.h"
#include "cli/system/rank.h"
#include "cli/system/system.h"
#include "solve/json.h"
#include "solve/options.h"
#include "solve/outcome.h"
#include "solve/problem.h"
#include "solve/report.h"
#include "voussoir/voussoir.h"

// ---- interruption and progress -------------------------------------------------------------------------------

typedef struct progress {
    const char *name;   // of the file
    bool terminal;      // standard error is one
    bool shown;         // a line is shown
    double start, last; // s; of the solve, of the last line
} progress;

enum { LINE = 78 };

// Shows the progress of a solve five times per second, after the first half second.
static bool show_progress(void *user, const vs_iteration *iteration) {
    progress *p = user;
    const double t = app_now();
    if (p->terminal && t - p->start > 0.5 && t - p->last > 0.2) {
        char line[LINE + 1];
        (void)snprintf(line, sizeof line, "%.30s: iteration %d, energy error %.1e J, %.0f s", p->name,
                       iteration->iteration, iteration->energy_error, t - p->start);
        (void)fprintf(stderr, "\r%-*s", LINE, line);
        (void)fflush(stderr);
        p->last = t;
        p->shown = true;
    }
    return !app_interrupted();
}

static void clear_progress(const progress *p) {
    if (p->shown)
        (void)fprintf(stderr, "\r%*s\r", LINE, "");
}

// ---- one file --------------------------------------------------------------------------------------------------

typedef struct job {
    vs_context *context;
    app_problem problem;
    vs_solver *solver;
    vs_traffic traffic;
    vs_result result;
    char *output;    // path to write to, null: none
    char error[512]; // one line
    app_solve_outcome solved;
} job;

// Stores the error for the report, and prints it.
static void fail(job *j, const char *path, vs_error error) {
    (path == j->output ? app_explain_output : app_explain)(path, error, j->context, j->error, sizeof j->error);
    app_complain("%s: %s", path, j->error);
    app_abort_ranks(error);
    j->solved.error = j->error;
    j->solved.exit_code = app_worse(j->solved.exit_code, app_exit_code(error));
}

// A warm start from the solution stored in a file. Files of other programs may hold impulses only.
static bool warm_start(job *j, const char *path) {
    const vs_problem_info info = j->solved.info;
    double *v = calloc((size_t)info.n + 1, sizeof *v), *g = calloc((size_t)info.m_e + 1, sizeof *g),
           *lambda = calloc((size_t)info.m + 1, sizeof *lambda);
    vs_error error = v && g && lambda ? VS_OK : VS_ERROR_MEMORY;
    bool all = true;
    if (error == VS_OK)
        error = vs_fclib_read_solution(path, j->problem.whole, v, g, lambda, NULL);
    if (error == VS_ERROR_DATA) {
        all = false;
        error = vs_fclib_read_solution(path, j->problem.whole, NULL, NULL, lambda, NULL);
    }
    if (error == VS_OK)
        error = vs_solver_warm_start(j->solver, all && info.n ? v : NULL, all && info.m_e ? g : NULL, lambda);
    free(v);
    free(g);
    free(lambda);
    if (error != VS_OK)
        fail(j, path, error);
    return j->solved.warm = error == VS_OK;
}

// The tolerance is met by the measures, whatever status the solver reports.
static bool meets_tolerance(const vs_result *result, const vs_solver_options *options) {
    return result->status == VS_STATUS_CONVERGED &&
           vs_measures_meet(&result->measures, options->criterion, options->tolerance);
}

static bool prepare(job *j, const vs_solver_options *options) {
    app_solve_outcome *s = &j->solved;
    const double start = app_now();
    vs_error error = app_problem_read(j->context, s->path, &j->problem);
    s->read_seconds = app_now() - start;
    if (error == VS_OK) {
        if (j->problem.whole)
            s->info = vs_problem_get_info(j->problem.whole);
        error = vs_solver_create(j->problem.part, options, &j->solver);
        // The problem is valid: the options are not applicable to it.
        if (error == VS_ERROR_UNSUPPORTED)
            error = VS_ERROR_ARGUMENT;
    }
    if (error != VS_OK)
        fail(j, s->path, error);
    return error == VS_OK && (!s->options->initial || warm_start(j, s->options->initial));
}

static void write_output(job *j) {
    const vs_result *r = &j->result;
    const vs_solution_view solution = {.v = r->v, .g = r->g, .lambda = r->lambda, .y = r->y};
    const vs_error error = vs_fclib_write(j->output, j->problem.whole, &solution);
    if (error == VS_OK)
        j->solved.output = j->output;
    else
        fail(j, j->output, error);
}

static void run(job *j) {
    app_solve_outcome *s = &j->solved;
    progress p = {
        .name = app_base_name(s->path), .terminal = app_is_root() && isatty(STDERR_FILENO) == 1, .start = app_now()};
    vs_solver_options options = s->options->solver;
    options.progress = show_progress;
    options.progress_user = &p;
    if (!prepare(j, &options))
        return;

    vs_error error = vs_solver_solve(j->solver, &j->result);
    clear_progress(&p);
    if (error == VS_OK)
        error = app_problem_gather(&j->problem, &j->result, &j->traffic);
    if (error != VS_OK) {
        fail(j, s->path, error);
        return;
    }
    s->result = &j->result;
    s->traffic = j->problem.distributed ? &j->traffic : NULL;
    s->met = meets_tolerance(&j->result, &options);
    if (app_interrupted() && !s->met)
        s->exit_code = APP_INTERRUPTED;
    else if (!s->met)
        s->exit_code = APP_TOLERANCE;
    if (j->output && app_is_root())
        write_output(j);
}

// ---- where results go --------------------------------------------------------------------------------------------

// The path that a file's result is written to; null: out of memory.
static char *output_path(const char *output, bool directory, const char *file) {
    const char *name = directory ? app_base_name(file) : "";
    const size_t length = strlen(output);
    const char *slash = directory && output[length - 1] != '/' ? "/" : "";
    const size_t size = length + strlen(slash) + strlen(name) + 1;
    char *path = malloc(size);
    if (path)
        (void)snprintf(path, size, "%s%s%s", output, slash, name);
    return path;
}

// Two files of one name from different folders would overwrite each other.
static bool names_differ(int files, char **file) {
    for (int i = 0; i < files; i++)
        for (int k = i + 1; k < files; k++)
            if (strcmp(app_base_name(file[i]), app_base_name(file[k])) == 0) {
                app_complain("%s: --output would overwrite the result of %s; solve them separately", file[k], file[i]);
                return false;
            }
    return true;
}

// Several files need a directory to write to. *directory: `output` is one.
static int prepare_output(const app_solve_options *options, char **file, bool *directory) {
    const char *output = options->output;
    if (!output)
        return APP_DONE;
    *directory = options->files > 1 || output[strlen(output) - 1] == '/' || app_is_directory(output);
    if (!*directory)
        return APP_DONE;
    if (!names_differ(options->files, file))
        return APP_USAGE;
    if (!app_system_make_folder(output) && !app_is_directory(output)) {
        const bool taken = errno == EEXIST;
        app_complain("%s: cannot create the directory%s; give --output a directory", output,
                     taken ? ": a file has this name" : "");
        return taken ? APP_USAGE : APP_DATA;
    }
    return APP_DONE;
}

// ---- the command -----------------------------------------------------------------------------------------------

static int solve_file(const app_solve_options *options, const char *path, bool directory) {
    job j = {.solved = {.path = path, .options = options}};
    vs_context_def def = vs_context_def_default();
    def.threads = options->threads;
    vs_error error = vs_context_create(&def, &j.context);
    if (error == VS_OK && options->output && !(j.output = output_path(options->output, directory, path)))
        error = VS_ERROR_MEMORY;
    if (error != VS_OK)
        fail(&j, path, error);
    else if (app_writes(j.output))
        run(&j);
    else
        j.solved.exit_code = APP_USAGE;

    if (!app_is_root())
        ; // rank 0 does
    else if (!options->json)
        app_solve_report(&j.solved);
    else if (!app_solve_json(&j.solved, options->files > 1))
        j.solved.exit_code = app_worse(j.solved.exit_code, APP_DATA);
    vs_solver_destroy(j.solver);
    app_problem_release(&j.problem);
    vs_context_destroy(j.context);
    free(j.output);
    return j.solved.exit_code;
}

int app_solve_main(void *given, const app_line *line) {
    app_solve_options *options = given;
    if (!app_solve_options_complete(options, line))
        return APP_USAGE;
    bool directory = false;
    int code = prepare_output(options, line->operand, &directory);
    if (code != APP_DONE)
        return code;

    app_catch_interrupts();
    int k = 0;
    for (; k < options->files && !app_interrupted(); k++) {
        if (k > 0 && !options->json && app_is_root())
            (void)putchar('\n');
        code = app_worse(code, solve_file(options, line->operand[k], directory));
        (void)fflush(stdout);
    }
    // A Ctrl-C after the last solve has interrupted nothing.
    if (k < options->files || code == APP_INTERRUPTED) {
        app_complain("interrupted; repeat the command to continue, with --initial if a solution was written");
        code = APP_INTERRUPTED;
    }
    return code;
}
