// The options of `voussoir compare` and its help text.
#include "compare/options.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <unistd.h>

#include "cli/message.h"
#include "cli/options.h"
#include "voussoir/voussoir.h"

// In the order of the enums.
static const char *const models[] = {"relaxed", "frictionless", "exact", NULL};
static const char *const judges[] = {"both", "energy", "natural", NULL};

bool app_compare_options_read(int argc, char **argv, app_compare_options *options) {
    const long processors = sysconf(_SC_NPROCESSORS_ONLN);
    *options = (app_compare_options){.out = "comparison",
                                     .model = VS_MODEL_EXACT,
                                     .max_time = 10,
                                     .jobs = processors > 0 ? (int)processors : 1,
                                     .repeat = 1,
                                     .steps = 50,
                                     .histories = 3};
    int model = (int)options->model, judge = (int)options->judge;
    const app_option table[] = {
        {.name = "--help", .flag = &options->help},
        {.name = "--solvers", .text = &options->solvers},
        {.name = "--tols", .text = &options->tolerances},
        {.name = "--model", .choice = &model, .choices = models},
        {.name = "--criterion", .choice = &judge, .choices = judges},
        {.name = "--max-time", .number = &options->max_time, .open = true, .time = true},
        {.name = "--max-memory", .number = &options->max_memory},
        {.name = "--repeat", .count = &options->repeat, .least = 1, .most = 1000},
        {.name = "--jobs", .count = &options->jobs, .least = 1, .most = 1024},
        {.name = "--steps", .count = &options->steps, .least = 1, .most = 1000000},
        {.name = "--capture", .count = &options->capture, .least = 1, .most = 1000000},
        {.name = "--histories", .count = &options->histories, .least = 0, .most = 64},
        {.name = "--peers", .flag = &options->peers},
        {.name = "--out", .text = &options->out, .path = true},
        {.name = "-o", .text = &options->out, .path = true},
        {.name = "--quiet", .flag = &options->quiet},
        {.name = NULL},
    };
    if (!app_options_read("compare", table, argc, argv, &options->operands))
        return false;
    options->model = (vs_model)model;
    options->judge = (app_judge)judge;
    if (options->operands > 0 || options->help)
        return true;
    app_complain("compare: nothing to compare on; name files, a directory or a scene, for instance "
                 "'voussoir compare problems/'");
    return false;
}

static void print_solvers(FILE *to) {
    vs_method_info info;
    (void)fputs("  --solvers A,B,...       of ", to);
    for (int k = 0; vs_solver_method(k, &info); k++)
        (void)fprintf(to, "%s%s", k == 0 ? "" : k % 8 == 0 ? ",\n                          " : ", ", info.name);
    (void)fputs(";\n                          default: all. Times are compared with the first one's\n", to);
}

void app_compare_help(FILE *to) {
    (void)fputs(
        "usage: voussoir compare FILE...|DIRECTORY|SCENE [OPTIONS]\n\n"
        "Runs every solver on every contact problem at every tolerance, each in a process of its own with a time "
        "limit,\n"
        "measures what comes back by the same measures, and writes tables, plots and a report. A directory stands "
        "for\n"
        "the *.hdf5 in it; a scene (a name of 'voussoir scenes' or a file) is run and its step problems are taken.\n\n"
        "what to compare\n",
        to);
    print_solvers(to);
    (void)fputs(
        "  --tols T,T,...          tolerances, default 1e-4,1e-8\n"
        "  --model NAME            law of friction: exact (Coulomb's, the default), relaxed (convex) or frictionless\n"
        "  --criterion NAME        solved is what meets the tolerance T by: both (default), energy (energy error at\n"
        "                          most T^2 e0) or natural (FCLIB's relative natural-map error at most T)\n"
        "  --peers                 solvers of the program voussoir-peer as well ($VOUSSOIR_PEER, else beside the "
        "command,\n"
        "                          else on PATH); --solvers may name some of them\n"
        "  --steps N               steps of a scene, default 50\n"
        "  --capture N             of which every N-th problem is taken; default: so that there are about ten\n\n"
        "how\n"
        "  --jobs N                processes at once, default: one a processor. 1 for undisturbed times\n"
        "  --max-time T            time for a solve, such as 2ms or 10 (seconds, the default). A process that takes\n"
        "                          2 T + 5 s is killed\n"
        "  --max-memory G          GiB for a process, default 0: no limit\n"
        "  --repeat N              solves of which the fastest counts, default 1; no longer than --max-time in all\n"
        "  --histories N           files whose error is followed over the iterations, default 3\n"
        "  -o, --out DIR           where the results go, default 'comparison'; files of earlier results are "
        "replaced\n"
        "  --quiet                 no progress\n\n"
        "what it writes\n"
        "  report.html             all of it to read, without a network\n"
        "  results.csv, .json      one row an entry\n"
        "  histories.csv           energy error, natural map, Fischer-Burmeister and natural residual over iteration "
        "and\n"
        "                          time\n"
        "  plots/                  SVG and PNG, with the gnuplot scripts and data that made them\n\n"
        "examples\n"
        "  voussoir compare problems/ --out results\n"
        "  voussoir compare brick-wall --steps 100 --tols 1e-4,1e-8,1e-12 --max-time 2\n"
        "  voussoir compare pile.hdf5 --solvers auto,apgd,gauss-seidel --model relaxed --jobs 1 --repeat 5\n"
        "  voussoir compare problems/ --peers --criterion natural\n\n"
        "Ctrl-C ends the comparison and writes what is there; a second Ctrl-C ends at once.\n"
        "Exit code: 0 if everything was run, whatever was solved; 1 wrong usage, 2 bad data, 130 interrupted.\n",
        to);
}
