// The options of `voussoir sweep` and its help text.
#include "sweep/options.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/message.h"
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

// Options that may come several times.
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
            "sweep: no scene is given; name a file or one of 'voussoir scenes', for instance 'voussoir sweep box "
            "--grid mu=0.1:0.9:9'");
    else if (operands > 1)
        app_complain("sweep: '%s' is too much; a sweep has one scene", argv[2]);
    else if (o->space.axes == 0 && o->space.samples == 1)
        app_complain("sweep: nothing varies; give --grid, --sample or --table, for instance --grid mu=0.1:0.9:9");
    else if (o->space.axes + o->run.settings > APP_RUN_SETTINGS)
        app_complain("sweep: more than %d parameters; write some into the scene file", APP_RUN_SETTINGS);
    else if (set_twice(o))
        app_complain("sweep: a parameter is varied and fixed with --set; leave one away");
    else if (app_space_count(&o->space) > APP_SWEEP_MOST)
        app_complain("sweep: more than %d runs; vary less, or in several sweeps", APP_SWEEP_MOST);
    else if ((o->part != NULL) + o->mpi + (o->slurm > 0) + (o->commands > 0) > 1)
        app_complain("sweep: --part, --mpi, --slurm and --commands exclude each other; give one");
    else if (o->submit && o->slurm == 0)
        app_complain("sweep: --submit needs --slurm N, the job to submit");
#ifndef APP_TRAJECTORIES
    else if (o->trajectories)
        app_complain("sweep: this build has no HDF5 and writes no trajectories; leave --trajectories away");
#endif
    else
        return true;
    return false;
}

bool app_sweep_options_read(int argc, char **argv, app_sweep_options *options) {
    *options =
        (app_sweep_options){.out = "sweep", .space = {.samples = 1, .seed = 1}, .run = app_run_options_default()};
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
        {.name = "--trajectories", .flag = &options->trajectories},
        {.name = "--retry", .flag = &options->retry},
        {.name = "--collect", .flag = &options->collect},
        {.name = "--list", .flag = &options->list},
        {.name = "--part", .text = &options->part},
        {.name = "--mpi", .flag = &options->mpi},
        {.name = "--slurm", .count = &options->slurm, .least = 1, .most = 100000},
        {.name = "--submit", .flag = &options->submit},
        {.name = "--commands", .count = &options->commands, .least = 1, .most = 10000000},
        {.name = "--out", .text = &options->out, .path = true},
        {.name = "-o", .text = &options->out, .path = true},
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
        app_complain(
            "sweep: nothing is random: the %d samples are equal; --sample mu=uniform:0.1:0.9 makes them differ",
            options->space.samples);
    return true;
}

void app_sweep_options_release(app_sweep_options *options) {
    app_space_release(&options->space);
}

void app_sweep_help(FILE *to) {
    (void)fputs(
        "usage: voussoir sweep SCENE.json|NAME [OPTIONS]\n\n"
        "Runs a scene many times with different parameters, each run in a process of its own, and writes one table "
        "with\n"
        "a row a run. A run that crashes, hangs or has bad parameters is a row with a status; the others go on. "
        "The\n"
        "same command once more does what is missing.\n\n"
        "what varies (a parameter of the scene, or a number of the file by its place, such as /materials/wood/mu)\n"
        "  --grid NAME=FROM:TO:N   N values from FROM to TO; FROM:TO:N:log for equal ratios; A,B,C for these values.\n"
        "                          Several grids: every value with every other\n"
        "  --sample NAME=WHAT      random: uniform:FROM:TO, normal:MEAN:DEVIATION, log:FROM:TO (the logarithm is "
        "uniform),\n"
        "                          integer:FROM:TO\n"
        "  --samples N             random draws, for each point of the grid; default 1. A larger N adds runs to "
        "those\n"
        "                          that are there\n"
        "  --seed N                of the draws, default 1: the same for any number of processes\n"
        "  --table FILE.csv        a run a line; the first line has the names of the parameters\n"
        "  --list                  print runs and parameters, run nothing\n\n"
        "how to simulate ('voussoir help run' tells more)\n"
        "  --set NAME=VALUE        a parameter that is the same for all runs; may be given several times\n"
        "  --duration T            simulated time\n"
        "  --step T                of a step\n"
        "  --model NAME            law of friction: exact, relaxed or frictionless\n"
        "  --tol T                 tolerance of each step\n"
        "  --solver NAME           of each step's contact problem\n"
        "  --max-time T            time budget of each step's contact problem\n"
        "  --warm KIND             start each step from the last one's impulses: full, partial or none\n"
        "  --on-inaccurate WHAT    when a step misses the tolerance: continue, relaxed or stop\n"
        "  --elastic-iterations N  linearise flexible solids up to N times a step\n\n"
        "what to keep\n"
        "  -o, --out DIR           default 'sweep': runs.h5 and runs.csv, journals, what failed runs said "
        "(.log)\n"
        "  --quantity WHAT:NAME    columns of the final state, may be given several times: position, rotation, "
        "velocity or\n"
        "                          spin of a body; joint (coordinate, rate), force or torque of a joint. #0, #1, ... "
        "for\n"
        "                          those without a name\n"
        "  --trajectories          DIR/trajectories/MEMBER.h5\n"
        "  --frame S               simulated seconds between their frames\n\n"
        "how to run\n"
        "  --jobs N                processes at once, default: one a processor; with --part and --mpi: 1\n"
        "  --limit T               time for a run, for instance 60 or 500ms; then it is killed. Default: none\n"
        "  --max-memory G          GiB for a run, default 0: no limit\n"
        "  --retry                 failed runs once more\n"
        "  --collect               run nothing, write the table of what is there\n"
        "  --quiet                 no progress\n\n"
        "more machines: a part of a sweep is every N-th run; parts share only the directory\n"
        "  --part K/N              do part K (0 ... N-1) of N; whichever ends last writes the table\n"
        "  --commands N            print a command a part, for GNU parallel, xargs and other tools\n"
        "  --mpi                   under mpirun or srun: the part of this rank (no MPI library is needed)\n"
        "  --slurm N               write DIR/sweep.sbatch, an array job of N tasks\n"
        "  --submit                and give it to sbatch\n\n"
        "examples\n"
        "  voussoir sweep box --grid mu=0.1:0.9:9 --grid speed=1,2,4\n"
        "  voussoir sweep scene.json --sample mu=normal:0.5:0.05 --samples 1000 --quantity position:crate\n"
        "  voussoir sweep scene.json --grid /materials/wood/mu=0.1:0.9:9 --limit 60 -o friction\n"
        "  voussoir sweep arch --grid mu=0.2:0.8:100 --commands 20 | parallel -j 8\n"
        "  mpirun -np 4 voussoir sweep arch --grid mu=0.2:0.8:100 --mpi\n\n"
        "Ctrl-C ends the runs under way and writes what is there; nothing that was done is lost, not by kill -9 "
        "either.\n"
        "Exit code: 0 if every run was run and met the tolerance; 1 wrong usage, 2 bad data, 3 runs failed or "
        "missed\n"
        "the tolerance, 130 interrupted. Parts give 0 once they were run, whatever failed: mpirun would end the "
        "others.\n",
        to);
}
