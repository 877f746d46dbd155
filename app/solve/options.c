// The options of `voussoir solve` and its help text.
#include "solve/options.h"

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "cli/choices.h"
#include "cli/options.h"
#include "cli/system/rank.h"
#include "voussoir/voussoir.h"

// In the order of the enums.
static const char *const sweeps[] = {"forward", "symmetric", "coloured", NULL};
static const char *const outers[] = {"anderson", "plain", NULL};
static const char *const forms[] = {"auto", "velocity", "augmented", "impulse", NULL};
static const char *const criteria[] = {"both", "energy", NULL};
static const char *const starts[] = {"auto", "nocedal", "dapuzzo", "least-squares", NULL};
static const char *const warms[] = {"full", "partial", NULL};
static const char *const fallbacks[] = {"least-error", "compliant", "relaxed", NULL};

const char *app_criterion_name(vs_criterion criterion) {
    return criteria[criterion];
}

enum { BACKENDS = 16 };

// "auto" and the linear solvers of this build.
static void list_linear_solvers(const char *names[BACKENDS + 4]) {
    int count = 0;
    names[count++] = "auto";
    for (int k = 0; k < BACKENDS && k < vs_backend_count(); k++)
        names[count++] = vs_backend_at(k).name;
    names[count++] = "pcg-diagonal", names[count++] = "pcg-block";
    names[count] = NULL;
}

bool app_solve_options_read(int argc, char **argv, app_solve_options *options) {
    *options = (app_solve_options){.threads = 1, .solver = vs_solver_options_default()};
    vs_solver_options *solver = &options->solver;
    const char *linear_solvers[BACKENDS + 4];
    list_linear_solvers(linear_solvers);
    int model = (int)solver->model, method = (int)solver->method, form = (int)solver->form, linear_solver = 0,
        criterion = (int)solver->criterion, start = (int)solver->ipm.start, warm = (int)solver->warm_start,
        fallback = (int)solver->exact.fallback, sweep = (int)solver->gauss_seidel.sweep,
        outer = (int)solver->exact.outer;

    const app_option table[] = {
        {.name = "--help", .flag = &options->help},
        {.name = "--model", .choice = &model, .choices = app_models},
        {.name = "--fallback", .choice = &fallback, .choices = fallbacks},
        {.name = "--solver", .choice = &method, .choices = app_methods},
        {.name = "--sweep", .choice = &sweep, .choices = sweeps},
        {.name = "--relaxation", .number = &solver->gauss_seidel.relaxation},
        {.name = "--outer", .choice = &outer, .choices = outers},
        {.name = "--check-every", .former = "--judge-every", .count = &solver->check_every, .most = INT_MAX},
        {.name = "--form", .choice = &form, .choices = forms},
        {.name = "--linear-solver", .choice = &linear_solver, .choices = linear_solvers},
        {.name = "--tol", .number = &solver->tolerance, .open = true},
        {.name = "--criterion", .choice = &criterion, .choices = criteria},
        {.name = "--max-iter", .count = &solver->max_iterations, .least = -1, .most = INT_MAX},
        {.name = "--max-time", .number = &solver->max_time, .time = true},
        {.name = "--patience", .count = &solver->exact.patience, .most = INT_MAX},
        {.name = "--start", .choice = &start, .choices = starts},
        {.name = "--correctors", .count = &solver->ipm.correctors, .least = -1, .most = 10},
        {.name = "--warm", .text = &options->warm, .path = true, .continues = true},
        {.name = "--warm-kind", .choice = &warm, .choices = warms},
        {.name = "--threads", .count = &options->threads, .least = 1, .most = 1024},
        {.name = "--history", .flag = &options->history},
        {.name = "--explain", .flag = &options->explain},
        {.name = "--output", .text = &options->output, .path = true, .writes = true},
        {.name = "--json", .flag = &options->json},
        {.name = NULL},
    };
    if (!app_options_read("solve", table, argc, argv, &options->files))
        return false;
    solver->model = (vs_model)model;
    solver->method = (vs_method)method;
    solver->form = (vs_form)form;
    solver->linear_solver = linear_solvers[linear_solver];
    solver->criterion = (vs_criterion)criterion;
    solver->ipm.start = (vs_start)start;
    solver->warm_start = (vs_warm_start)warm;
    solver->exact.fallback = (vs_fallback)fallback;
    solver->gauss_seidel.sweep = (vs_sweep)sweep;
    solver->jacobi.relaxation = solver->gauss_seidel.relaxation;
    solver->exact.outer = (vs_outer)outer;
    return true;
}

static void print_linear_solvers(FILE *to) {
    const char *names[BACKENDS + 4];
    list_linear_solvers(names);
    (void)fputs("  --linear-solver NAME    ", to);
    for (int k = 0; names[k]; k++)
        (void)fprintf(to, "%s%s", k ? ", " : "", names[k]);
    (void)fputs("\n", to);
}

static void print_distributed(FILE *to) {
    (void)fputs(
        "Distributed solves need --model relaxed or frictionless and --solver ipm (default), apgd or spg. --form\n"
        "and --linear-solver accept auto only; --warm is not available. PETSc options follow --. See\n"
        "'voussoir-mpi --help'.\n\n",
        to);
}

static void print_examples(FILE *to) {
    (void)fputs(
        app_is_distributed()
            ? "examples\n"
              "  mpirun -np 4 voussoir-mpi solve pile.hdf5 --model relaxed\n"
              "  mpirun -np 4 voussoir-mpi solve pile.hdf5 --model relaxed --solver apgd --tol 1e-4\n"
              "  mpirun -np 2 voussoir-mpi solve pile.hdf5 --model frictionless --tol 1e-10 --output solved.hdf5\n"
              "  mpirun -np 2 voussoir-mpi solve pile.hdf5 --model relaxed -- -ksp_type cg -pc_type bjacobi\n\n"
            : "examples\n"
              "  voussoir solve pile.hdf5\n"
              "  voussoir solve pile.hdf5 --explain\n"
              "  voussoir solve pile.hdf5 --max-time 2ms\n"
              "  voussoir solve pile.hdf5 --model relaxed --tol 1e-12 --history\n"
              "  voussoir solve pile.hdf5 --output solved.hdf5\n"
              "  voussoir solve pile.hdf5 --warm solved.hdf5 --tol 1e-12\n"
              "  voussoir solve problems/*.hdf5 --output solved/ --json | jq -r '[.file, .status, .iterations] | "
              "@tsv'\n\n",
        to);
}

void app_solve_help(FILE *to) {
    (void)fprintf(to, "usage: %s solve FILE... [OPTIONS]%s\n\n", app_invocation(),
                  app_is_distributed() ? " [-- PETSC OPTIONS]" : "");
    (void)fputs("Solves the contact problem in each FCLIB HDF5 file and reports the accuracy of the result.\n\n", to);
    if (app_is_distributed())
        print_distributed(to);
    (void)fputs(
        "problem\n"
        "  --model NAME            friction model: exact (Coulomb, the default), relaxed (convex: a sliding contact\n"
        "                          separates with the speed mu |u_T|) or frictionless\n"
        "  --tol T                 tolerance, default 1e-8. The energy error of each island must not exceed T^2 e0,\n"
        "                          where e0 is that of zero impulses (or its rounding); with criterion 'both' the\n"
        "                          relative natural-map error of FCLIB must not exceed T either\n"
        "  --criterion NAME        convergence criterion: both (default) or energy\n"
        "  --max-iter N            maximum number of iterations, default -1: chosen by the method\n"
        "  --max-time T            time budget, for instance 2ms or 10 (seconds); default 0: no limit. At its end\n"
        "                          the best iterate so far is returned and measured; preparation does not count\n"
        "  --patience N            factorizations after which exact friction gives up an island of contacts; default\n"
        "                          0: no limit. Unlike a time budget it gives the same result on every machine\n"
        "  --fallback NAME         result if exact friction misses the tolerance: least-error (best iterate, the\n"
        "                          default), compliant (exact solution with the smallest contact compliance that\n"
        "                          was solved) or relaxed (solution of the convex model)\n\n"
        "method\n"
        "  --solver NAME           auto (default); ipm, the interior-point method of the relaxed and frictionless\n"
        "                          models; cascade, the stages of exact friction; gauss-seidel, jacobi,\n"
        "                          apgd, spg, admm, barrier, pivoting, lemke. With exact friction a convex method\n"
        "                          is wrapped in a fixed-point iteration on the sliding speeds\n"
        "  --sweep NAME            gauss-seidel: forward (default), symmetric or coloured (multithreaded)\n"
        "  --relaxation W          gauss-seidel, jacobi: relaxation factor between 0 and 2; 0 (default): automatic\n"
        "  --outer NAME            fixed-point iteration around a convex method: anderson (default) or plain\n"
        "  --check-every N         iterations between convergence checks of the splitting and first-order\n"
        "                          methods; 0 (default): automatic\n"
        "  --form NAME             form of the Newton system: auto, velocity, augmented, impulse\n",
        to);
    print_linear_solvers(to);
    (void)fputs(
        "  --start NAME            starting point: auto, nocedal, dapuzzo, least-squares\n"
        "  --warm FILE             warm start from the solution stored in FILE\n"
        "  --warm-kind KIND        full (velocities and impulses, default) or partial (velocities only)\n"
        "  --correctors N          centrality correctors per iteration, 0 to 10; -1 (default): automatic\n"
        "  --threads N             number of threads, default 1; the result does not depend on it, bit for bit\n\n"
        "output\n"
        "  --explain               one line per stage of the solver cascade: islands tried and solved, cost,\n"
        "                          reason for stopping\n"
        "  --history               one line per iteration\n"
        "  --json                  JSON instead of a report; several files: one object per line\n"
        "  --output OUT.hdf5       write problem and solution; several files: a directory, file names are kept\n\n",
        to);
    print_examples(to);
    (void)fputs(
        "Ctrl-C or SIGTERM stops a solve after the current iteration and reports the best iterate; a second one kills\n"
        "it.\n"
        "Exit code: 0 if every file met the tolerance, measured on the unscaled problem; 1 usage error, 2 bad data,\n"
        "3 tolerance not met, 130 interrupted; with several files, the worst.\n",
        to);
}
