// The options of `voussoir solve`.
#include "solve/options.h"

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

#include "cli/choices.h"
#include "cli/options.h"
#include "cli/system/message.h"
#include "cli/system/rank.h"
#include "voussoir/voussoir.h"

// The beginning of vs_warm_start_names().
static const char *const warm_starts[] = {"full", "partial", NULL};

const char *app_criterion_name(vs_criterion criterion) {
    return vs_criterion_names()[criterion];
}

// "auto" and the linear solvers of this build.
static const char *linear_solver_name(int index) {
    static const char *const after[] = {"pcg-diagonal", "pcg-block"};
    const int backends = vs_backend_count();
    if (index <= 0)
        return index == 0 ? "auto" : NULL;
    if (index <= backends)
        return vs_backend_at(index - 1).name;
    return index <= backends + 2 ? after[index - backends - 1] : NULL;
}

app_solve_options app_solve_options_default(void) {
    return (app_solve_options){.threads = 1, .solver = vs_solver_options_default()};
}

bool app_solve_options_complete(app_solve_options *options, const app_line *line) {
    options->files = line->operands;
    options->solver.linear_solver = linear_solver_name(options->linear_solver);
    options->solver.jacobi.relaxation = options->solver.gauss_seidel.relaxation;
    if (options->files == 0)
        app_complain("solve: no file given; give one, for instance '%s solve pile.hdf5%s'", app_invocation(),
                     app_is_distributed() ? " --model relaxed" : "");
    else if (options->initial && app_is_distributed())
        app_complain("solve: --initial is not available in distributed solves; omit it");
    else
        return true;
    return false;
}

// ---- rows ------------------------------------------------------------------------------------------------------

static const app_option problem_rows[] = {
    {.name = "--model",
     .value = "NAME",
     APP_TARGET(app_solve_options, solver.model),
     .names = vs_model_names,
     .help = "friction model: exact (Coulomb), relaxed (convex: a sliding contact separates with the speed mu |u_T|) "
             "or frictionless"},
    {.name = "--tolerance",
     .value = "T",
     APP_TARGET(app_solve_options, solver.tolerance),
     .open = true,
     .help = "tolerance. The energy error of each island must not exceed T^2 e0, where e0 is that of zero impulses (or "
             "its rounding); with criterion 'both' the relative natural-map error of FCLIB must not exceed T either"},
    {.name = "--criterion",
     .value = "NAME",
     APP_TARGET(app_solve_options, solver.criterion),
     .names = vs_criterion_names,
     .help = "convergence criterion: both or energy"},
    {.name = "--max-iterations",
     .value = "N",
     APP_TARGET(app_solve_options, solver.max_iterations),
     .least = -1,
     .most = INT_MAX,
     .otherwise = "-1: chosen by the method",
     .help = "maximum number of iterations"},
    {.name = "--max-time",
     .value = "T",
     APP_TARGET(app_solve_options, solver.max_time),
     .time = true,
     .help = "time budget, for instance 2ms or 10 (seconds); 0: no limit. At its end the best iterate so far is "
             "returned and measured; preparation does not count"},
    {.name = "--patience",
     .value = "N",
     APP_TARGET(app_solve_options, solver.exact.patience),
     .most = INT_MAX,
     .help = "factorizations after which exact friction gives up an island of contacts, or, of a heap of "
             "grains to a tolerance above 2e-4, those that cost as much as 12 000 sweeps; 0: no limit. Unlike a time "
             "budget it gives the same result on every machine"},
    {.name = "--fallback",
     .value = "NAME",
     APP_TARGET(app_solve_options, solver.exact.fallback),
     .names = vs_fallback_names,
     .help = "result if exact friction misses the tolerance: least-error (best iterate), compliant (exact solution "
             "with the smallest contact compliance that was solved) or relaxed (solution of the convex model)"},
    {.name = NULL},
};

static const app_option method_rows[] = {
    {.name = "--method",
     .value = "NAME",
     APP_TARGET(app_solve_options, solver.method),
     .choice = app_method_name,
     .help = "solution method: {choices}. ipm is the interior-point method of the relaxed and frictionless models; "
             "cascade, the stages of exact friction. With exact friction a convex method is wrapped in a fixed-point "
             "iteration on the sliding speeds"},
    {.name = "--sweep",
     .value = "NAME",
     APP_TARGET(app_solve_options, solver.gauss_seidel.sweep),
     .names = vs_sweep_names,
     .help = "gauss-seidel: forward, symmetric or coloured (multithreaded)"},
    {.name = "--relaxation",
     .value = "W",
     APP_TARGET(app_solve_options, solver.gauss_seidel.relaxation),
     .help = "gauss-seidel, jacobi: relaxation factor between 0 and 2; 0: automatic"},
    {.name = "--outer",
     .value = "NAME",
     APP_TARGET(app_solve_options, solver.exact.outer),
     .names = vs_outer_names,
     .help = "fixed-point iteration around a convex method: anderson or plain"},
    {.name = "--check-every",
     .value = "N",
     APP_TARGET(app_solve_options, solver.check_every),
     .most = INT_MAX,
     .help = "iterations between convergence checks of the splitting and first-order methods; 0: automatic"},
    {.name = "--form",
     .value = "NAME",
     APP_TARGET(app_solve_options, solver.form),
     .names = vs_form_names,
     .help = "form of the Newton system: {choices}"},
    {.name = "--linear-solver",
     .value = "NAME",
     APP_TARGET(app_solve_options, linear_solver),
     .choice = linear_solver_name,
     .help = "solver of the Newton systems: {choices}"},
    {.name = "--start",
     .value = "NAME",
     APP_TARGET(app_solve_options, solver.ipm.start),
     .names = vs_start_names,
     .help = "starting point: {choices}"},
    {.name = "--initial",
     .value = "FILE",
     APP_TARGET(app_solve_options, initial),
     .path = true,
     .continues = true,
     .help = "warm start from the solution stored in FILE"},
    {.name = "--warm-start",
     .value = "KIND",
     APP_TARGET(app_solve_options, solver.warm_start),
     .choices = warm_starts,
     .help = "what --initial gives: full (velocities and impulses) or partial (velocities only)"},
    {.name = "--correctors",
     .value = "N",
     APP_TARGET(app_solve_options, solver.ipm.correctors),
     .least = -1,
     .most = 10,
     .otherwise = "-1: automatic",
     .help = "centrality correctors per iteration, 0 to 10"},
    {.name = "--threads",
     .value = "N",
     APP_TARGET(app_solve_options, threads),
     .least = 1,
     .most = 1024,
     .help = "number of threads; the result does not depend on it, bit for bit"},
    {.name = NULL},
};

static const app_option output_rows[] = {
    {.name = "--explain",
     APP_TARGET(app_solve_options, explain),
     .help = "one line per stage of the solver cascade: islands tried and solved, cost, reason for stopping"},
    {.name = "--history", APP_TARGET(app_solve_options, history), .help = "one line per iteration"},
    {.name = "--json",
     APP_TARGET(app_solve_options, json),
     .help = "JSON instead of a report; several files: one object per line"},
    {.name = "--output",
     .letter = 'o',
     .value = "OUT.hdf5",
     APP_TARGET(app_solve_options, output),
     .path = true,
     .writes = true,
     .help = "write problem and solution; several files: a directory, file names are kept"},
    {.name = NULL},
};

const app_group app_solve_groups[] = {
    {.title = "problem", .rows = problem_rows},
    {.title = "method", .rows = method_rows},
    {.title = "output", .rows = output_rows},
    {.rows = NULL},
};
