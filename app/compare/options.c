// The options of `voussoir compare`.
#include "compare/options.h"

#include <stdbool.h>
#include <stddef.h>

#include "cli/choices.h"
#include "cli/options.h"
#include "cli/system/system.h"
#include "voussoir/voussoir.h"

// In the order of the enums.
static const char *const criteria[] = {"both", "energy", "natural", NULL};

app_compare_options app_compare_options_default(void) {
    const long processors = app_system_machine().processors;
    return (app_compare_options){.out = "comparison",
                                 .tolerances = "1e-4,1e-8",
                                 .model = VS_MODEL_EXACT,
                                 .max_time = 10,
                                 .jobs = processors > 0 ? (int)processors : 1,
                                 .repeat = 1,
                                 .steps = 50,
                                 .histories = 3};
}

// ---- rows ------------------------------------------------------------------------------------------------------

static const app_option comparison_rows[] = {
    {.name = "--solvers",
     .value = "A,B,...",
     .example = "auto,apgd",
     APP_TARGET(app_compare_options, solvers),
     .choice = app_method_name,
     .otherwise = "all",
     .help = "solvers: {choices}. The first one is the reference for times"},
    {.name = "--tolerances",
     .value = "T,T,...",
     .example = "1e-4,1e-8",
     APP_TARGET(app_compare_options, tolerances),
     .help = "tolerances"},
    {.name = "--model",
     .value = "NAME",
     APP_TARGET(app_compare_options, model),
     .names = vs_model_names,
     .help = "friction model: exact (Coulomb), relaxed (convex) or frictionless"},
    {.name = "--criterion",
     .value = "NAME",
     APP_TARGET(app_compare_options, solved_by),
     .choices = criteria,
     .help = "criterion for solved to tolerance T: both, energy (energy error at most T^2 e0) or natural (relative "
             "natural-map error of FCLIB at most T)"},
    {.name = "--peers",
     APP_TARGET(app_compare_options, peers),
     .help = "include the solvers of the program voussoir-peer ($VOUSSOIR_PEER, else beside the command, else on "
             "PATH); --solvers may name some of them"},
    {.name = "--league",
     APP_TARGET(app_compare_options, league),
     .help = "the directory is a collection ('voussoir collect'): its held-out problems only, and a page with "
             "performance profiles, families, failures and energy errors, league.html"},
    {.name = "--steps",
     .value = "N",
     APP_TARGET(app_compare_options, steps),
     .least = 1,
     .most = 1000000,
     .help = "steps of a scene"},
    {.name = "--capture",
     .value = "N",
     APP_TARGET(app_compare_options, capture),
     .least = 1,
     .most = 1000000,
     .otherwise = "about ten problems in all",
     .help = "capture every N-th step of a scene"},
    {.name = NULL},
};

static const app_option execution_rows[] = {
    {.name = "--jobs",
     .value = "N",
     APP_TARGET(app_compare_options, jobs),
     .least = 1,
     .most = 1024,
     .otherwise = "one per processor",
     .help = "parallel processes; 1 for undisturbed timings"},
    {.name = "--max-time",
     .value = "T",
     APP_TARGET(app_compare_options, max_time),
     .open = true,
     .time = true,
     .help = "time limit per solve, such as 2ms or 10 (seconds). A process is killed after 2 T + 5 s"},
    {.name = "--max-memory",
     .value = "G",
     APP_TARGET(app_compare_options, max_memory),
     .help = "memory limit per process in GiB; 0: no limit"},
    {.name = "--repeat",
     .value = "N",
     APP_TARGET(app_compare_options, repeat),
     .least = 1,
     .most = 1000,
     .help = "repeat each solve and keep the fastest; within --max-time in all"},
    {.name = "--histories",
     .value = "N",
     APP_TARGET(app_compare_options, histories),
     .most = 64,
     .help = "number of problems with a convergence history"},
    {.name = "--quiet", APP_TARGET(app_compare_options, quiet), .help = "do not show progress"},
    {.name = NULL},
};

static const app_option output_rows[] = {
    {.name = "--output",
     .letter = 'o',
     .value = "DIR",
     APP_TARGET(app_compare_options, out),
     .path = true,
     .writes = true,
     .help = "directory for the results; earlier results are replaced"},
    {.name = NULL},
};

const app_group app_compare_groups[] = {
    {.title = "comparison", .rows = comparison_rows},
    {.title = "execution", .rows = execution_rows},
    {.title = "output", .rows = output_rows},
    {.rows = NULL},
};
