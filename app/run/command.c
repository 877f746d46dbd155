// voussoir run: what it is, its options, examples and exit codes. voussoir-mpi has the same with other examples.
#include <stddef.h>

#include "cli/command.h"
#include "cli/scene.h"
#include "run/options.h"
#include "run/run.h"

static void prepare(void *options) {
    *(app_run_options *)options = app_run_options_default();
}

#define SAME                                                                                                           \
    .name = "run", .summary = "simulate a scene and report the accuracy of every step", .groups = app_run_groups,      \
    .size = sizeof(app_run_options), .prepare = prepare, .run = app_run_main, .computes = true,                        \
    .files = "json urdf xml", .word = app_scene_word,                                                                  \
    .notes = "Ctrl-C or SIGTERM (kill) ends the run after the current step, a second one kills it. In the background " \
             "of a script, where shells ignore Ctrl-C (SIGINT), use SIGTERM.",                                         \
    .exit_codes = "0 if every step met the tolerance; 1 usage error, 2 bad data, 3 tolerance missed by some steps, "   \
                  "130 interrupted."

const app_command app_run_command = {
    SAME,
    .usage = "SCENE.json|ROBOT.urdf|MODEL.xml|NAME [OPTIONS]",
    .description =
        "Simulates a scene file or a built-in scene ('voussoir scenes') and reports the accuracy of every step.",
    .examples = "voussoir run arch\n"
                "voussoir run brick-wall --set rows=20 --set columns=10 --duration 2 -o wall.h5\n"
                "voussoir run scene.json -o out.h5 --checkpoint out.ck          stop it with Ctrl-C, then\n"
                "voussoir run scene.json -o out.h5 --checkpoint out.ck --resume  resume it\n"
                "voussoir run balls-in-box --capture \"every 100 steps\" && voussoir solve balls-in-box-*.hdf5",
};

const app_command app_run_mpi_command = {
    SAME,
    .usage = "SCENE.json|ROBOT.urdf|MODEL.xml|NAME [OPTIONS] [-- PETSC OPTIONS]",
    .description =
        "Simulates a scene file or a built-in scene ('voussoir scenes') and reports the accuracy of every step.\n\n"
        "Distributed runs need --model relaxed or frictionless and --method ipm (default), apgd or spg. Bodies are "
        "rigid; bodies connected by joints stay on one rank. --capture and --damage are not available. PETSc options "
        "follow --. See 'voussoir-mpi --help'.",
    .examples = "mpirun -np 2 voussoir-mpi run brick-wall --model relaxed --duration 2 -o wall.h5\n"
                "mpirun -np 4 voussoir-mpi run scene.json --model relaxed -o out.h5 --checkpoint out.ck\n"
                "mpirun -np 2 voussoir-mpi run scene.json --model relaxed -o out.h5 --checkpoint out.ck --resume",
};
