// What the entries of `voussoir reproduce` are made of: comparisons, simulations, solves, figures.
#define _GNU_SOURCE
#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "cli/gnuplot.h"
#include "cli/interrupt.h"
#include "cli/message.h"
#include "reproduce/reproduce.h"
#include "voussoir/voussoir.h"

// ---- comparing ---------------------------------------------------------------------------------------------------

static const double SAME = 5e-3; // relative: as many digits as the sources print

const char *app_verdict_name(app_verdict verdict) {
    static const char *const names[] = {"better", "same", "WORSE", "not comparable"};
    return names[verdict];
}

static app_verdict judge(const app_value *v) {
    if (v->aim == APP_NOTHING || isnan(v->source) || isnan(v->ours))
        return APP_NOT_COMPARABLE;
    if (v->aim == APP_WITHIN)
        return fabs(v->ours - v->source) <= v->tolerance ? APP_SAME : APP_WORSE;
    if (fabs(v->ours - v->source) <= SAME * fabs(v->source))
        return APP_SAME;
    return (v->ours < v->source) == (v->aim == APP_LESS) ? APP_BETTER : APP_WORSE;
}

static void print_number(char *text, size_t size, const char *format, double x) {
    if (isnan(x)) {
        (void)snprintf(text, size, "–");
        return;
    }
    // The formats are the entries' own.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
    (void)snprintf(text, size, format ? format : "%.1f", x);
#pragma GCC diagnostic pop
}

static app_repro_row *next_row(app_repro *r) {
    if (r->rows == APP_REPRO_ROWS)
        r->rows--;
    app_repro_row *row = &r->row[r->rows++];
    *row = (app_repro_row){.source_value = NAN, .our_value = NAN};
    return row;
}

void app_repro_put(app_repro *r, const app_value *value) {
    app_repro_row *row = next_row(r);
    row->source_value = value->source;
    row->our_value = value->ours;
    row->verdict = judge(value);
    (void)snprintf(row->what, sizeof row->what, "%s", value->what);
    (void)snprintf(row->note, sizeof row->note, "%s", value->note ? value->note : "");
    print_number(row->ours, sizeof row->ours, value->format, value->ours);
    if (value->source_text)
        (void)snprintf(row->source, sizeof row->source, "%s", value->source_text);
    else
        print_number(row->source, sizeof row->source, value->format, value->source);
}

void app_repro_claim(app_repro *r, const char *what, const char *source, bool holds, const char *note) {
    app_repro_row *row = next_row(r);
    row->verdict = holds ? APP_SAME : APP_WORSE;
    (void)snprintf(row->what, sizeof row->what, "%s", what);
    (void)snprintf(row->source, sizeof row->source, "%s", source);
    (void)snprintf(row->ours, sizeof row->ours, "%s", holds ? "yes" : "no");
    (void)snprintf(row->note, sizeof row->note, "%s", note ? note : "");
}

bool app_repro_fail(app_repro *r, const char *format, ...) {
    va_list list;
    va_start(list, format);
    if (!r->error[0])
        (void)vsnprintf(r->error, sizeof r->error, format, list);
    va_end(list);
    return false;
}

bool app_repro_check(app_repro *r, vs_error error) {
    if (error == VS_OK)
        return true;
    const char *said = vs_context_get_error_text(r->context);
    return app_repro_fail(r, "%s", *said ? said : vs_error_name(error));
}

void app_repro_say(const app_repro *r, const char *format, ...) {
    if (r->options->quiet || r->options->json || isatty(STDERR_FILENO) != 1)
        return;
    char text[72];
    va_list list;
    va_start(list, format);
    (void)vsnprintf(text, sizeof text, format, list);
    va_end(list);
    (void)fprintf(stderr, "\r%-78s\r%s%s%s", "", *text ? r->entry->id : "", *text ? ": " : "", text);
    (void)fflush(stderr);
}

bool app_repro_goes_on(const app_repro *r) {
    return !r->error[0] && !app_interrupted();
}

double app_repro_cpu(void) {
    struct timespec t;
    (void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// ---- simulating ---------------------------------------------------------------------------------------------------

vs_scene *app_repro_scene(app_repro *r, const char *name, const vs_scene_parameter *parameter, int parameters) {
    vs_scene *scene = NULL;
    return app_repro_check(r, vs_scene_make(r->context, name, parameter, parameters, &scene)) ? scene : NULL;
}

vs_simulation *app_repro_simulate(app_repro *r, vs_scene *scene) {
    vs_simulation *simulation = NULL;
    if (!scene || !app_repro_check(r, vs_simulation_create(scene->world, &scene->options, &simulation)))
        return NULL;
    return simulation;
}

bool app_repro_step(app_repro *r, vs_simulation *simulation, int steps, app_repro_steps *sums) {
    for (int k = 0; k < steps && app_repro_goes_on(r); k++) {
        vs_step_report report;
        if (!app_repro_check(r, vs_simulation_step(simulation, &report)))
            return false;
        sums->steps++;
        sums->inaccurate += report.status != VS_STATUS_CONVERGED;
        sums->iterations += report.iterations;
        sums->contacts += report.contacts;
        sums->most = report.contacts > sums->most ? report.contacts : sums->most;
    }
    return app_repro_goes_on(r);
}

// ---- piles ---------------------------------------------------------------------------------------------------------

static void pile_path(const app_repro *r, const app_repro_pile *pile, char path[APP_REPRO_PATH]) {
    (void)snprintf(path, APP_REPRO_PATH, "%s/settled-%d-%d-%g-%g-%g.hdf5", r->folder, pile->count, pile->sweeps,
                   pile->side, pile->step, pile->envelope);
}

static vs_simulation *drop(app_repro *r, const app_repro_pile *pile, vs_scene **scene) {
    const vs_scene_parameter parameter[] = {{"count", pile->count}, {"side", pile->side}, {"mu", pile->mu}};
    *scene = app_repro_scene(r, "balls-in-box", parameter, 3);
    if (!*scene)
        return NULL;
    vs_simulation_options *o = &(*scene)->options;
    o->step = pile->step;
    o->solver.method = VS_METHOD_GAUSS_SEIDEL;
    o->solver.tolerance = 1e-6;
    o->solver.max_iterations = pile->sweeps;
    o->solver.check_every = pile->sweeps < 100 ? 0 : 50;
    return app_repro_simulate(r, *scene);
}

// The problem of a step more, as a copy that lives on. How well that step is solved does not matter.
static bool keep_problem(app_repro *r, vs_scene *scene, app_repro_pile *pile) {
    const vs_problem_change_def none = vs_problem_change_def_default();
    app_repro_steps sums = {0};
    scene->options.envelope = pile->envelope;
    vs_simulation *simulation = app_repro_simulate(r, scene);
    const bool good =
        simulation && app_repro_step(r, simulation, 1, &sums) &&
        app_repro_check(r, vs_problem_change(vs_simulation_get_problem(simulation), &none, &pile->problem));
    vs_simulation_destroy(simulation);
    return good;
}

bool app_repro_settle(app_repro *r, app_repro_pile *pile) {
    char path[APP_REPRO_PATH];
    pile->problem = NULL;
    pile->kinetic = NAN;
    pile_path(r, pile, path);
    if (access(path, R_OK) == 0 && vs_fclib_read(r->context, path, &pile->problem) == VS_OK)
        return true;

    vs_scene *scene = NULL;
    vs_simulation *simulation = drop(r, pile, &scene);
    const int steps = (int)lround(pile->time / pile->step);
    app_repro_steps sums = {0};
    for (int k = 0; k < steps && simulation && app_repro_goes_on(r); k++) {
        if (k % 10 == 0)
            app_repro_say(r, "settling %d spheres, %.2f of %g s", pile->count, k * pile->step, pile->time);
        (void)app_repro_step(r, simulation, 1, &sums);
    }
    pile->kinetic = simulation ? vs_world_get_energy(scene->world).kinetic : NAN;
    const bool good = simulation && app_repro_goes_on(r) && keep_problem(r, scene, pile);
    if (good) {
        // Only to be quicker the next time: a build without HDF5 or a full disk does no harm.
        (void)vs_fclib_write(path, pile->problem, NULL);
    }
    vs_simulation_destroy(simulation);
    vs_scene_destroy(scene);
    return good;
}

// ---- solving --------------------------------------------------------------------------------------------------------

// l'(y + r)/2 with y = N l + r, r = y of rest.
static vs_error measure(const vs_problem *problem, vs_model model, const double *g, const double *lambda,
                        app_repro_solved *solved) {
    const vs_problem_info info = vs_problem_get_info(problem);
    const size_t m = (size_t)info.m + 1, m_e = (size_t)info.m_e + 1;
    double *rest = calloc(m, sizeof *rest), *y = calloc(m, sizeof *y), *r = calloc(m, sizeof *r);
    double *no_g = calloc(m_e, sizeof *no_g);
    vs_measurer *measurer = NULL;
    vs_error error = rest && y && r && no_g ? vs_measurer_create(problem, model, &measurer) : VS_ERROR_MEMORY;
    if (!error)
        error = vs_measure(measurer, no_g, rest, NULL, r, &solved->measures);
    if (!error)
        error = vs_measure(measurer, g, lambda, NULL, y, &solved->measures);
    solved->objective = 0;
    for (int k = 0; !error && k < info.m; k++)
        solved->objective += .5 * lambda[k] * (y[k] + r[k]);
    const vs_measures *s = &solved->measures;
    solved->error = s->energy_scale > 0 ? sqrt(s->energy_error / s->energy_scale) : 0;
    solved->error = fmax(solved->error, s->natural_map_relative);
    vs_measurer_destroy(measurer);
    free(rest);
    free(y);
    free(r);
    free(no_g);
    return error;
}

static bool in_time(void *user, const vs_iteration *iteration) {
    (void)iteration;
    return app_repro_cpu() < *(const double *)user && !app_interrupted();
}

bool app_repro_solve(app_repro *r, const vs_problem *problem, const vs_solver_options *given, double limit,
                     app_repro_solved *solved) {
    vs_solver_options options = *given;
    vs_solver *solver = NULL;
    vs_result result;
    *solved = (app_repro_solved){.objective = NAN, .error = NAN};
    const double start = app_repro_cpu();
    double end = limit > 0 ? start + limit : INFINITY;
    options.progress = in_time;
    options.progress_user = &end;
    vs_error error = vs_solver_create(problem, &options, &solver);
    if (error == VS_ERROR_UNSUPPORTED)
        return true;
    if (!error)
        error = vs_solver_solve(solver, &result);
    solved->seconds = app_repro_cpu() - start;
    if (!error) {
        solved->supported = true;
        solved->status = result.status;
        solved->iterations = result.iterations;
        error = measure(problem, options.model, result.g, result.lambda, solved);
        const double energy = sqrt(solved->measures.energy_error / fmax(solved->measures.energy_scale, 1e-300));
        solved->reached = (options.criterion == VS_CRITERION_ENERGY ? energy : solved->error) <= options.tolerance;
    }
    vs_solver_destroy(solver);
    return app_repro_check(r, error);
}

// ---- figures ---------------------------------------------------------------------------------------

static void list_file(app_repro *r, const char *name, const char *ending) {
    if (r->files < APP_REPRO_FILES)
        (void)snprintf(r->file[r->files++], sizeof r->file[0], "%s.%s", name, ending);
}

FILE *app_repro_csv(app_repro *r, const char *name) {
    FILE *file = app_gnuplot_file(r->folder, name, "csv");
    if (!file)
        (void)app_repro_fail(r, "%s.csv cannot be written to %s", name, r->folder);
    return file;
}

bool app_repro_csv_close(app_repro *r, FILE *file, const char *name) {
    if (!app_gnuplot_close(file, name))
        return app_repro_fail(r, "%s.csv could not be written to %s", name, r->folder);
    list_file(r, name, "csv");
    return true;
}

FILE *app_repro_figure(app_repro *r, const char *name, int width, int height) {
    FILE *file = app_gnuplot_style(r->folder, 8) ? app_gnuplot_script(r->folder, name, width, height) : NULL;
    if (file)
        (void)fputs("set datafile separator ','\n", file);
    else
        (void)app_repro_fail(r, "%s.gp cannot be written to %s", name, r->folder);
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
        app_complain("gnuplot was not found on PATH: %s is not drawn; its data is in %s/%s.csv", name, r->folder, name);
    } else {
        app_complain("gnuplot could not draw %s; see %s/gnuplot.log", name, r->folder);
    }
}
