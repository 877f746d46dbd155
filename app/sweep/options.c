// The options of `voussoir sweep`, some of which `voussoir find` shares.
#include "sweep/options.h"

#include <limits.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

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

static bool check(const app_sweep_options *o, const app_line *line) {
    if (line->operands == 0)
        app_complain(
            "sweep: no scene given; give a file or a name from 'voussoir scenes', for instance 'voussoir sweep box "
            "--grid mu=0.1:0.9:9'");
    else if (line->operands > 1)
        app_complain("sweep: unexpected argument '%s'; a sweep has one scene", line->operand[1]);
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

bool app_sweep_options_complete(app_sweep_options *options, const app_line *line) {
    options->run.scene = line->operands > 0 ? line->operand[0] : NULL;
    if (options->table && !app_space_add_table(&options->space, options->table))
        return false;
    if (!check(options, line))
        return false;
    if (options->space.samples > 1 && !is_random(options) && !options->quiet)
        app_complain("sweep: no parameter is random, so the %d samples are equal; vary one, for instance --sample "
                     "mu=uniform:0.1:0.9",
                     options->space.samples);
    return true;
}

app_sweep_options app_sweep_options_default(const char *command) {
    return (app_sweep_options){
        .command = command, .out = command, .space = {.samples = 1, .seed = 1}, .run = app_run_options_default()};
}

void app_sweep_options_release(app_sweep_options *options) {
    app_space_release(&options->space);
}

// ---- rows ------------------------------------------------------------------------------------------------------

static const app_option parameter_rows[] = {
    {.name = "--grid",
     .value = "NAME=FROM:TO:N",
     .example = "mu=0.1:0.9:9",
     .take = take_grid,
     .help = "N equally spaced values; FROM:TO:N:log for equal ratios; A,B,C for a list. Several grids are combined: "
             "each value with each of the others"},
    {.name = "--sample",
     .value = "NAME=DIST",
     .example = "mu=uniform:0.1:0.9",
     .take = take_sample,
     .help = "random values: uniform:FROM:TO, normal:MEAN:DEVIATION, log:FROM:TO (log-uniform) or integer:FROM:TO"},
    {.name = "--samples",
     .value = "N",
     APP_TARGET(app_sweep_options, space.samples),
     .least = 1,
     .most = APP_SWEEP_MOST,
     .help = "random samples per grid point. A larger N adds runs to the existing ones"},
    {.name = "--seed",
     .value = "N",
     APP_TARGET(app_sweep_options, space.seed),
     .most = INT_MAX,
     .help = "seed of the samples; the values do not depend on the number of processes"},
    {.name = "--table",
     .value = "FILE.csv",
     APP_TARGET(app_sweep_options, table),
     .path = true,
     .help = "one run per line; the first line names the parameters"},
    {.name = "--list",
     APP_TARGET(app_sweep_options, list),
     .help = "print the runs and their parameters without running them"},
    {.name = NULL},
};

static const app_option output_rows[] = {
    {.name = "--output",
     .letter = 'o',
     .value = "DIR",
     APP_TARGET(app_sweep_options, out),
     .path = true,
     .writes = true,
     .help = "results: runs.h5 and runs.csv, journals, messages of failed runs (.log)"},
    {.name = "--quantity",
     .value = "KIND:NAME",
     .example = "position:crate",
     .take = take_quantity,
     .help = "add columns of the final state: position, rotation, velocity or spin of a body; joint (coordinate, "
             "rate), force or torque of a joint. #0, #1, ... select unnamed ones"},
    {.name = "--fragility",
     .value = "NAME",
     APP_TARGET(app_sweep_options, fragility),
     .help = "the probability that a run ends displaced or stopped over this parameter, such as the scale of an "
             "earthquake: lognormal fit and plot (fragility.csv, .svg, .png)"},
    {.name = "--exceeds",
     .value = "COLUMN=VALUE",
     .example = "residual_m=0.05",
     APP_TARGET(app_sweep_options, exceeds),
     .help = "for --fragility: count runs with displacement_m, residual_m or rotation_rad above the value instead"},
    {.name = "--trajectories",
     APP_TARGET(app_sweep_options, trajectories),
     .help = "write trajectories to DIR/trajectories/RUN.h5"},
    {.name = NULL},
};

const app_option app_execution_rows[] = {
    {.name = "--jobs",
     .value = "N",
     APP_TARGET(app_sweep_options, jobs),
     .least = 1,
     .most = 1024,
     .otherwise = "one per processor",
     .help = "parallel processes"},
    {.name = "--limit",
     .value = "T",
     APP_TARGET(app_sweep_options, limit),
     .open = true,
     .time = true,
     .otherwise = "none",
     .help = "time limit per run, for instance 60 or 500ms"},
    {.name = "--max-memory",
     .value = "G",
     APP_TARGET(app_sweep_options, memory),
     .help = "memory limit per run in GiB; 0: no limit"},
    {.name = "--retry", APP_TARGET(app_sweep_options, retry), .help = "repeat failed runs"},
    {.name = "--quiet", APP_TARGET(app_sweep_options, quiet), .help = "do not show progress"},
    {.name = NULL},
};

static const app_option collect_row[] = {
    {.name = "--collect",
     APP_TARGET(app_sweep_options, collect),
     .help = "write the table of the existing results, run nothing"},
    {.name = NULL},
};

static const app_option part_rows[] = {
    {.name = "--part",
     .value = "K/N",
     .example = "0/4",
     APP_TARGET(app_sweep_options, part),
     .help = "do part K (0 ... N-1) of N, with --jobs 1 unless given; the part that finishes last writes the table"},
    {.name = "--commands",
     .value = "N",
     APP_TARGET(app_sweep_options, commands),
     .least = 1,
     .most = 10000000,
     .otherwise = "",
     .help = "print one command per part, for GNU parallel, xargs and similar tools"},
    {.name = "--mpi",
     APP_TARGET(app_sweep_options, mpi),
     .help = "under mpirun or srun: do the part of this rank, with --jobs 1 unless given (no MPI library needed)"},
    {.name = "--slurm",
     .value = "N",
     APP_TARGET(app_sweep_options, slurm),
     .least = 1,
     .most = 100000,
     .otherwise = "",
     .help = "write DIR/sweep.sbatch, an array job of N tasks"},
    {.name = "--submit", APP_TARGET(app_sweep_options, submit), .help = "submit it with sbatch"},
    {.name = NULL},
};

const app_group app_sweep_groups[] = {
    {.title = "parameters (of the scene, or any number of the file by its JSON pointer, such as /materials/wood/mu)",
     .rows = parameter_rows},
    {.rows = app_setting_rows, .base = offsetof(app_sweep_options, run)},
    {.title = "simulation", .rows = app_simulation_rows, .base = offsetof(app_sweep_options, run)},
    {.title = "output", .rows = output_rows},
    {.title = "execution", .rows = app_execution_rows},
    {.rows = collect_row},
    {.title = "several machines: a part of a sweep is every N-th run; parts share only the directory",
     .rows = part_rows},
    {.rows = NULL},
};
