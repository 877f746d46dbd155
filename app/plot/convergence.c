// voussoir plot --convergence: the errors of every iteration of a solver, with the tolerances.
#include "plot/convergence.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include "cli/exit_code.h"
#include "cli/system/message.h"
#include "cli/system/path.h"
#include "plot/panels.h"
#include "voussoir/voussoir.h"

static int draw(const app_convergence *o, const char *path, const char *output, const vs_result *result) {
    enum { COLUMNS = 3 };
    const int count = result->history_count;
    double *block = count > 0 ? malloc(COLUMNS * (size_t)count * sizeof *block) : NULL;
    char title[256];
    if (!block) {
        app_complain("%s: nothing to draw: solved before the first iteration", path);
        return APP_DATA;
    }
    double *iteration = block, *energy = block + count, *natural = energy + count;
    for (int k = 0; k < count; k++) {
        iteration[k] = result->history[k].iteration;
        energy[k] = result->history[k].energy_error;
        natural[k] = result->history[k].natural_map_relative;
    }
    (void)snprintf(title, sizeof title, "%.120s: %s after %d iterations", app_base_name(path), result->status_text,
                   result->iterations);
    const app_figure figure = {
        .title = title,
        .x_label = "iteration",
        .width = o->width,
        .height = o->height,
        .panels = 2,
        .panel = {{.title = "energy error (J)",
                   .x = iteration,
                   .count = count,
                   .log = true,
                   .line = o->tolerance * o->tolerance * result->measures.island_reference,
                   .curves = 1,
                   .curve = {{NULL, energy}}},
                  {.title = result->islands > 1 ? "relative natural-map error of the current island"
                                                : "relative natural-map error",
                   .x = iteration,
                   .count = count,
                   .log = true,
                   .line = o->tolerance,
                   .curves = 1,
                   .curve = {{NULL, natural}}}},
    };
    const int code = app_figure_draw(&figure, output, o->keep);
    free(block);
    return code;
}

int app_plot_convergence(const app_convergence *c, const char *path, const char *output) {
    vs_context *context = NULL;
    vs_problem *problem = NULL;
    vs_solver *solver = NULL;
    vs_result result;
    vs_solver_options wanted = vs_solver_options_default();
    wanted.model = c->model;
    wanted.method = c->method;
    wanted.tolerance = c->tolerance;
    vs_error error = vs_context_create(NULL, &context);
    if (!error)
        error = vs_fclib_read(context, path, &problem);
    if (!error)
        error = vs_solver_create(problem, &wanted, &solver);
    if (!error)
        error = vs_solver_solve(solver, &result);
    int code = app_exit_code(error);
    if (error) {
        char text[512];
        app_explain(path, error, context, text, sizeof text);
        app_complain("%s: %s", path, text);
    } else
        code = draw(c, path, output, &result);
    vs_solver_destroy(solver);
    vs_problem_destroy(problem);
    vs_context_destroy(context);
    return code;
}
