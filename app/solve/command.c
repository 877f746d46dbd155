// voussoir solve: what it is, its options, examples and exit codes. voussoir-mpi has the same with other examples.
#include <stddef.h>

#include "cli/command.h"
#include "solve/options.h"
#include "solve/solve.h"

static void prepare(void *options) {
    *(app_solve_options *)options = app_solve_options_default();
}

#define SAME                                                                                                           \
    .name = "solve", .summary = "solve contact problems and report every error measure", .groups = app_solve_groups,   \
    .size = sizeof(app_solve_options), .prepare = prepare, .run = app_solve_main, .computes = true, .files = "hdf5",   \
    .notes = "Ctrl-C or SIGTERM stops a solve after the current iteration and reports the best iterate; a second one " \
             "kills it.",                                                                                              \
    .exit_codes = "0 if every file met the tolerance, measured on the unscaled problem; 1 usage error, 2 bad data, 3 " \
                  "tolerance not met, 130 interrupted; with several files, the worst."

const app_command app_solve_command = {
    SAME,
    .usage = "FILE... [OPTIONS]",
    .description = "Solves the contact problem in each FCLIB HDF5 file and reports the accuracy of the result.",
    .examples = "voussoir solve pile.hdf5\n"
                "voussoir solve pile.hdf5 --explain\n"
                "voussoir solve pile.hdf5 --max-time 2ms\n"
                "voussoir solve pile.hdf5 --model relaxed --tolerance 1e-12 --history\n"
                "voussoir solve pile.hdf5 -o solved.hdf5\n"
                "voussoir solve pile.hdf5 --initial solved.hdf5 --tolerance 1e-12\n"
                "voussoir solve problems/*.hdf5 -o solved/ --json | jq -r '[.file, .status, .iterations] | @tsv'",
};

const app_command app_solve_mpi_command = {
    SAME,
    .usage = "FILE... [OPTIONS] [-- PETSC OPTIONS]",
    .description =
        "Solves the contact problem in each FCLIB HDF5 file and reports the accuracy of the result.\n\n"
        "Distributed solves need --model relaxed or frictionless and --method ipm (default), apgd or spg. --form and "
        "--linear-solver accept auto only; --initial is not available. PETSc options follow --. See 'voussoir-mpi "
        "--help'.",
    .examples = "mpirun -np 4 voussoir-mpi solve pile.hdf5 --model relaxed\n"
                "mpirun -np 4 voussoir-mpi solve pile.hdf5 --model relaxed --method apgd --tolerance 1e-4\n"
                "mpirun -np 2 voussoir-mpi solve pile.hdf5 --model frictionless --tolerance 1e-10 -o solved.hdf5\n"
                "mpirun -np 2 voussoir-mpi solve pile.hdf5 --model relaxed -- -ksp_type cg -pc_type bjacobi",
};
