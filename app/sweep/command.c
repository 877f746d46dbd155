// voussoir sweep: what it is, its options, examples and exit codes.
#include <stdbool.h>
#include <stddef.h>

#include "cli/command.h"
#include "cli/scene.h"
#include "sweep/child.h"
#include "sweep/options.h"
#include "sweep/sweep.h"

static void prepare(void *options) {
    *(app_sweep_options *)options = app_sweep_options_default("sweep");
}

static void release(void *options) {
    app_sweep_options_release(options);
}

static bool complete(void *options, const app_line *line) {
    return app_sweep_options_complete(options, line);
}

const app_command app_sweep_command = {
    .name = "sweep",
    .summary = "run a scene with many parameter values and tabulate the results",
    .usage = "SCENE.json|NAME [OPTIONS]",
    .description =
        "Runs a scene many times with different parameters, each run in its own process, and writes one table with one "
        "row per run. A run that crashes, hangs or has invalid parameters becomes a row with its status; the other "
        "runs continue. Repeating the command completes the missing runs.",
    .groups = app_sweep_groups,
    .examples =
        "voussoir sweep box --grid mu=0.1:0.9:9 --grid speed=1,2,4\n"
        "voussoir sweep scene.json --sample mu=normal:0.5:0.05 --samples 1000 --quantity position:crate\n"
        "voussoir sweep scene.json --grid /materials/wood/mu=0.1:0.9:9 --limit 60 -o friction\n"
        "voussoir sweep quake.json --grid scale=0.2:2:10 --sample mu=uniform:0.5:0.8 --samples 20 --fragility scale\n"
        "voussoir sweep arch --grid mu=0.2:0.8:100 --commands 20 | parallel -j 8\n"
        "mpirun -np 4 voussoir sweep arch --grid mu=0.2:0.8:100 --mpi",
    .notes =
        "Ctrl-C or SIGTERM (kill) ends the current runs and writes the results so far; in the background of a script, "
        "where shells ignore Ctrl-C (SIGINT), use SIGTERM. Finished runs are never lost, not even by kill -9.",
    .exit_codes =
        "0 if every run finished and met the tolerance; 1 usage error, 2 bad data, 3 runs failed or missed the "
        "tolerance, 130 interrupted. A part returns 0 once its runs are done, even if some failed: otherwise mpirun "
        "would end the other parts.",
    .size = sizeof(app_sweep_options),
    .prepare = prepare,
    .release = release,
    .complete = complete,
    .run = app_sweep_main,
    .task = app_sweep_work,
    .computes = true,
    .files = "json urdf xml",
    .word = app_scene_word,
};
