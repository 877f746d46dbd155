// The options of `voussoir sweep` and its help text.
#include "sweep/options.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/system/message.h"
#include "cli/options.h"
#include "run/options.h"
#include "sweep/quantity.h"
#include "sweep/space.h"

static bool take_grid(void *user, const char *value) {
    return app_space_add_grid(&((app_sweep_options *)user)->space, value);
}

static bool take_sample(void *user, const char *value) {
    return app_space_add_sample(&((app_sweep_options *)user)->space, value);
}

static bool take_quantity(void *user, const char *value) {
    return app_quantities_add(&((app_sweep_options *)user)->quantities, value);
}

// Options that may be repeated.
static bool take_repeated(int *argc, char **argv, app_sweep_options *o) {
    return app_run_settings_read("sweep", argc, argv, &o->run) &&
           app_options_take(&(app_repeated){"sweep", "--grid", "mu=0.1:0.9:9", take_grid, o}, argc, argv) &&
           app_options_take(&(app_repeated){"sweep", "--sample", "mu=uniform:0.1:0.9", take_sample, o}, argc, argv) &&
           app_options_take(&(app_repeated){"sweep", "--quantity", "position:crate", take_quantity, o}, argc, argv);
}

static bool is_random(const app_sweep_options *o) {
    for (int k = 0; k < o->space.axes; k++)
        if (o->space.axis[k].kind >= APP_AXIS_UNIFORM)
            return true;
    return false;
}

static bool set_twice(const app_sweep_options *o) {
    for (int k = 0; k < o->space.axes; k++)
        for (int j = 0; j < o->run.settings; j++)
            if (strcmp(o->space.axis[k].name, o->run.setting[j].name) == 0)
                return true;
    return false;
}

static bool check(const app_sweep_options *o, int operands, char **argv) {
    if (operands == 0)
        app_complain(
            "sweep: no scene given; give a file or a name from 'voussoir scenes', for instance 'voussoir sweep box "
            "--grid mu=0.1:0.9:9'");
    else if (operands > 1)
        app_complain("sweep: unexpected argument '%s'; a sweep has one scene", argv[2]);
    else if (o->space.axes == 0 && o->space.samples == 1)
        app_complain("sweep: no parameter varies; give --grid, --sample or --table, for instance --grid mu=0.1:0.9:9");
    else if (o->space.axes + o->run.settings > APP_RUN_SETTINGS)
        app_complain("sweep: more than %d parameters; write some into the scene file", APP_RUN_SETTINGS);
    else if (set_twice(o))
        app_complain("sweep: a parameter is both varied and set with --set; omit one");
    else if (app_space_count(&o->space) > APP_SWEEP_MOST)
        app_complain("sweep: more than %d runs; use fewer values or several sweeps", APP_SWEEP_MOST);
    else if ((o->part != NULL) + o->mpi + (o->slurm > 0) + (o->commands > 0) > 1)
        app_complain("sweep: --part, --mpi, --slurm and --commands exclude each other; give one");
    else if (o->submit && o->slurm == 0)
        app_complain("sweep: --submit needs --slurm N, the job to submit");
#ifndef APP_TRAJECTORIES
    else if (o->trajectories)
        app_complain("sweep: this build cannot write trajectories (no HDF5); omit --trajectories");
#endif
    else
        return true;
    return false;
}

bool app_sweep_options_read(int argc, char **argv, app_sweep_options *options) {
    *options = (app_sweep_options){
        .command = "sweep", .out = "sweep", .space = {.samples = 1, .seed = 1}, .run = app_run_options_default()};
    if (!take_repeated(&argc, argv, options))
        return false;
    app_option table[] = {
        [APP_RUN_COMMON] = {.name = "--help", .flag = &options->help},
        {.name = "--samples", .count = &options->space.samples, .least = 1, .most = APP_SWEEP_MOST},
        {.name = "--seed", .count = &options->space.seed, .least = 0, .most = 2147483647},
        {.name = "--table", .text = &options->table, .path = true},
        {.name = "--jobs", .count = &options->jobs, .least = 1, .most = 1024},
        {.name = "--limit", .number = &options->limit, .open = true, .time = true},
        {.name = "--max-memory", .number = &options->memory},
        {.name = "--fragility", .text = &options->fragility},
        {.name = "--exceeds", .text = &options->exceeds},
        {.name = "--trajectories", .flag = &options->trajectories},
        {.name = "--retry", .flag = &options->retry},
        {.name = "--collect", .flag = &options->collect},
        {.name = "--list", .flag = &options->list},
        {.name = "--part", .text = &options->part},
        {.name = "--mpi", .flag = &options->mpi},
        {.name = "--slurm", .count = &options->slurm, .least = 1, .most = 100000},
        {.name = "--submit", .flag = &options->submit},
        {.name = "--commands", .count = &options->commands, .least = 1, .most = 10000000},
        {.name = "--out", .text = &options->out, .path = true, .writes = true},
        {.name = "-o", .text = &options->out, .path = true, .writes = true},
        {.name = "--quiet", .flag = &options->quiet},
        // For the list of names only: taken out above.
        {.name = "--set", .text = &options->table},
        {.name = "--grid", .text = &options->table},
        {.name = "--sample", .text = &options->table},
        {.name = "--quantity", .text = &options->table},
        {.name = NULL},
    };
    int operands = 0;
    app_run_options_list(&options->run, table);
    if (!app_options_read("sweep", table, argc, argv, &operands))
        return false;
    if (options->help)
        return true;
    options->run.scene = operands > 0 ? argv[1] : NULL;
    if (options->table && !app_space_add_table(&options->space, options->table))
        return false;
    if (!check(options, operands, argv))
        return false;
    if (options->space.samples > 1 && !is_random(options) && !options->quiet)
        app_complain("sweep: no parameter is random, so the %d samples are equal; vary one, for instance --sample "
                     "mu=uniform:0.1:0.9",
                     options->space.samples);
    return true;
}

void app_sweep_options_release(app_sweep_options *options) {
    app_space_release(&options->space);
}

void app_sweep_help_simulation(FILE *to) {
    (void)fputs(
        "simulation (see 'voussoir help run')\n"
        "  --duration T            simulated time\n"
        "  --step T                time step\n"
        "  --scheme NAME           time stepping: moreau, shake or quasi-static\n"
        "  --accuracy A            divide steps for estimated errors of at most A times a body's size\n"
        "  --model NAME            friction model: exact, relaxed or frictionless\n"
        "  --tol T                 tolerance of each step\n"
        "  --solver NAME           solver of each step\n"
        "  --patience N            factorizations after which a group of contacts is given up in a step, default\n"
        "                          1000; 0: no limit\n"
        "  --max-time T            time budget of each step's solve\n"
        "  --warm KIND             warm start from the previous step: full, partial or none\n"
        "  --on-inaccurate ACTION  when a step misses the tolerance: continue, relaxed or stop\n"
        "  --on-overlap ACTION     when bodies overlap at the start: warn, stop or separate\n"
        "  --elastic-iterations N  Newton iterations per step of flexible solids\n\n",
        to);
}

void app_sweep_help(FILE *to) {
    (void)fputs(
        "usage: voussoir sweep SCENE.json|NAME [OPTIONS]\n\n"
        "Runs a scene many times with different parameters, each run in its own process, and writes one table with\n"
        "one row per run. A run that crashes, hangs or has invalid parameters becomes a row with its status; the\n"
        "other runs continue. Repeating the command completes the missing runs.\n\n"
        "parameters (of the scene, or any number of the file by its JSON pointer, such as /materials/wood/mu)\n"
        "  --grid NAME=FROM:TO:N   N equally spaced values; FROM:TO:N:log for equal ratios; A,B,C for a list.\n"
        "                          Several grids are combined: each value with each of the others\n"
        "  --sample NAME=DIST      random values: uniform:FROM:TO, normal:MEAN:DEVIATION, log:FROM:TO\n"
        "                          (log-uniform) or integer:FROM:TO\n"
        "  --samples N             random samples per grid point, default 1. A larger N adds runs to the\n"
        "                          existing ones\n"
        "  --seed N                seed of the samples, default 1; the values do not depend on the number of\n"
        "                          processes\n"
        "  --table FILE.csv        one run per line; the first line names the parameters\n"
        "  --set NAME=VALUE        set a parameter for all runs; may be repeated\n"
        "  --list                  print the runs and their parameters without running them\n\n",
        to);
    app_sweep_help_simulation(to);
    (void)fputs(
        "output\n"
        "  -o, --out DIR           results, default 'sweep': runs.h5 and runs.csv, journals, messages of failed\n"
        "                          runs (.log)\n"
        "  --quantity KIND:NAME    add columns of the final state; may be repeated: position, rotation, velocity\n"
        "                          or spin of a body; joint (coordinate, rate), force or torque of a joint. #0,\n"
        "                          #1, ... select unnamed ones\n"
        "  --fragility NAME        the probability that a run ends displaced or stopped over this parameter, such as\n"
        "                          the scale of an earthquake: lognormal fit and plot (fragility.csv, .svg, .png)\n"
        "  --exceeds COLUMN=VALUE  for --fragility: count runs with displacement_m, residual_m or rotation_rad\n"
        "                          above the value instead\n"
        "  --trajectories          write trajectories to DIR/trajectories/RUN.h5\n"
        "  --frame T               simulated time between their frames\n\n",
        to);
    (void)fputs(
        "execution\n"
        "  --jobs N                parallel processes, default: one per processor; with --part and --mpi: 1\n"
        "  --limit T               time limit per run, for instance 60 or 500ms; default: none\n"
        "  --max-memory G          memory limit per run in GiB, default 0: no limit\n"
        "  --retry                 repeat failed runs\n"
        "  --collect               write the table of the existing results, run nothing\n"
        "  --quiet                 do not show progress\n\n"
        "several machines: a part of a sweep is every N-th run; parts share only the directory\n"
        "  --part K/N              do part K (0 ... N-1) of N; the part that finishes last writes the table\n"
        "  --commands N            print one command per part, for GNU parallel, xargs and similar tools\n"
        "  --mpi                   under mpirun or srun: do the part of this rank (no MPI library needed)\n"
        "  --slurm N               write DIR/sweep.sbatch, an array job of N tasks\n"
        "  --submit                submit it with sbatch\n\n"
        "examples\n"
        "  voussoir sweep box --grid mu=0.1:0.9:9 --grid speed=1,2,4\n"
        "  voussoir sweep scene.json --sample mu=normal:0.5:0.05 --samples 1000 --quantity position:crate\n"
        "  voussoir sweep scene.json --grid /materials/wood/mu=0.1:0.9:9 --limit 60 -o friction\n"
        "  voussoir sweep quake.json --grid scale=0.2:2:10 --sample mu=uniform:0.5:0.8 --samples 20 --fragility scale\n"
        "  voussoir sweep arch --grid mu=0.2:0.8:100 --commands 20 | parallel -j 8\n"
        "  mpirun -np 4 voussoir sweep arch --grid mu=0.2:0.8:100 --mpi\n\n"
        "Ctrl-C or SIGTERM (kill) ends the current runs and writes the results so far; in the background of a script,\n"
        "where shells ignore Ctrl-C (SIGINT), use SIGTERM. Finished runs are never lost, not even by kill -9.\n"
        "Exit code: 0 if every run finished and met the tolerance; 1 usage error, 2 bad data, 3 runs failed\n"
        "or missed the tolerance, 130 interrupted. A part returns 0 once its runs are done, even if some failed:\n"
        "otherwise mpirun would end the other parts.\n",
        to);
}
