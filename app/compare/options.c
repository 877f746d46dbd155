// The options of `voussoir compare` and its help text.
#include "compare/options.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <unistd.h>

#include "cli/system/message.h"
#include "cli/options.h"
#include "cli/system/system.h"
#include "voussoir/voussoir.h"

// In the order of the enums.
static const char *const models[] = {"relaxed", "frictionless", "exact", NULL};
static const char *const criteria[] = {"both", "energy", "natural", NULL};

bool app_compare_options_read(int argc, char **argv, app_compare_options *options) {
    const long processors = app_system_machine().processors;
    *options = (app_compare_options){.out = "comparison",
                                     .model = VS_MODEL_EXACT,
                                     .max_time = 10,
                                     .jobs = processors > 0 ? (int)processors : 1,
                                     .repeat = 1,
                                     .steps = 50,
                                     .histories = 3};
    int model = (int)options->model, solved_by = (int)options->solved_by;
    const app_option table[] = {
        {.name = "--help", .flag = &options->help},
        {.name = "--solvers", .text = &options->solvers},
        {.name = "--tols", .text = &options->tolerances},
        {.name = "--model", .choice = &model, .choices = models},
        {.name = "--criterion", .choice = &solved_by, .choices = criteria},
        {.name = "--max-time", .number = &options->max_time, .open = true, .time = true},
        {.name = "--max-memory", .number = &options->max_memory},
        {.name = "--repeat", .count = &options->repeat, .least = 1, .most = 1000},
        {.name = "--jobs", .count = &options->jobs, .least = 1, .most = 1024},
        {.name = "--steps", .count = &options->steps, .least = 1, .most = 1000000},
        {.name = "--capture", .count = &options->capture, .least = 1, .most = 1000000},
        {.name = "--histories", .count = &options->histories, .least = 0, .most = 64},
        {.name = "--peers", .flag = &options->peers},
        {.name = "--out", .text = &options->out, .path = true, .writes = true},
        {.name = "-o", .text = &options->out, .path = true, .writes = true},
        {.name = "--quiet", .flag = &options->quiet},
        {.name = NULL},
    };
    if (!app_options_read("compare", table, argc, argv, &options->operands))
        return false;
    options->model = (vs_model)model;
    options->solved_by = (app_solved_by)solved_by;
    if (options->operands > 0 || options->help)
        return true;
    app_complain("compare: no problems given; give files, a directory or a scene, for instance "
                 "'voussoir compare problems/'");
    return false;
}

static void print_solvers(FILE *to) {
    (void)fputs("  --solvers A,B,...       solvers: ", to);
    for (int k = 0; k < vs_method_count(); k++)
        (void)fprintf(to, "%s%s",
                      k == 0       ? ""
                      : k % 7 == 0 ? ",\n                          "
                                   : ", ",
                      vs_method_at(k).name);
    (void)fputs(";\n                          default: all. The first one is the reference for times\n", to);
}

void app_compare_help(FILE *to) {
    (void)fputs(
        "usage: voussoir compare FILE...|DIRECTORY|SCENE [OPTIONS]\n\n"
        "Runs every solver on every contact problem at every tolerance, each in its own process with a time limit,\n"
        "evaluates all results by the same error measures, and writes tables, plots and a report. A directory stands\n"
        "for the *.hdf5 files in it; a scene (file or name, see 'voussoir scenes') is simulated to capture its\n"
        "contact problems.\n\n"
        "comparison\n",
        to);
    print_solvers(to);
    (void)fputs(
        "  --tols T,T,...          tolerances, default 1e-4,1e-8\n"
        "  --model NAME            friction model: exact (Coulomb, the default), relaxed (convex) or frictionless\n"
        "  --criterion NAME        criterion for solved to tolerance T: both (default), energy (energy error at\n"
        "                          most T^2 e0) or natural (relative natural-map error of FCLIB at most T)\n"
        "  --peers                 include the solvers of the program voussoir-peer ($VOUSSOIR_PEER, else beside\n"
        "                          the command, else on PATH); --solvers may name some of them\n"
        "  --steps N               steps of a scene, default 50\n"
        "  --capture N             capture every N-th step; default: about ten problems in all\n\n"
        "execution\n"
        "  --jobs N                parallel processes, default: one per processor; 1 for undisturbed timings\n"
        "  --max-time T            time limit per solve, such as 2ms or 10 (seconds, the default). A process is\n"
        "                          killed after 2 T + 5 s\n"
        "  --max-memory G          memory limit per process in GiB, default 0: no limit\n"
        "  --repeat N              repeat each solve and keep the fastest, default 1; within --max-time in all\n"
        "  --histories N           number of problems with a convergence history, default 3\n"
        "  --quiet                 do not show progress\n\n"
        "output\n"
        "  -o, --out DIR           directory for the results, default 'comparison'; earlier results are replaced\n"
        "  report.html             everything in one page that needs no network\n"
        "  results.csv, .json      one row per entry\n"
        "  histories.csv           energy error, natural map, Fischer-Burmeister and natural residual over\n"
        "                          iterations and time\n"
        "  plots/                  SVG and PNG, with their gnuplot scripts and data\n\n"
        "examples\n"
        "  voussoir compare problems/ --out results\n"
        "  voussoir compare brick-wall --steps 100 --tols 1e-4,1e-8,1e-12 --max-time 2\n"
        "  voussoir compare pile.hdf5 --solvers auto,apgd,gauss-seidel --model relaxed --jobs 1 --repeat 5\n"
        "  voussoir compare problems/ --peers --criterion natural\n\n"
        "Ctrl-C or SIGTERM (kill) ends the comparison and writes the results so far; a second one kills it.\n"
        "Exit code: 0 if everything was run, whether solved or not; 1 usage error, 2 bad data, 130 interrupted.\n",
        to);
}
