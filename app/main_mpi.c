// voussoir-mpi: `voussoir solve` and `voussoir run` over several processes, started by mpirun.
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "cli/blas.h"
#include "cli/exit_code.h"
#include "cli/start.h"
#include "cli/system/files.h"
#include "cli/system/message.h"
#include "cli/system/rank.h"
#include "run/run.h"
#include "solve/solve.h"
#include "voussoir/mpi/distributed.h"
#include "voussoir/voussoir.h"

static void print_help(void) {
    (void)fputs(
        "voussoir-mpi simulates scenes and solves contact problems on several processes (ranks) with MPI.\n\n"
        "usage: mpirun -np N voussoir-mpi run SCENE [OPTIONS] [-- PETSC OPTIONS]\n"
        "       mpirun -np N voussoir-mpi solve FILE... [OPTIONS] [-- PETSC OPTIONS]\n\n"
        "Options and reports are those of 'voussoir run' and 'voussoir solve'; 'voussoir-mpi run --help' and\n"
        "'voussoir-mpi solve --help' list them. Differences:\n"
        "  solver     exact friction, the default: cascade or gauss-seidel; other models: ipm, apgd, spg or "
        "gauss-seidel\n"
        "  problems   any; some ranks are idle if there are fewer bodies or contacts than ranks\n"
        "  scenes     rigid bodies only; bodies connected by joints stay on one rank\n"
        "  PETSc      solves the linear systems of ipm, by a MUMPS factorization unless PETSc options after --\n"
        "             select another solver or preconditioner\n"
        "A checkpoint can be resumed on any number of ranks, and by 'voussoir run'. Set OMP_NUM_THREADS=1:\n"
        "threads of MUMPS would compete with the other ranks for processors.\n\n"
        "examples\n"
        "  mpirun -np 4 voussoir-mpi run balls-in-box -o balls.h5 --checkpoint balls.ck\n"
        "  mpirun -np 2 voussoir-mpi run balls-in-box -o balls.h5 --checkpoint balls.ck --resume\n"
        "  mpirun -np 4 voussoir-mpi solve pile.hdf5 --tolerance 1e-6\n"
        "  mpirun -np 4 voussoir-mpi solve pile.hdf5 --model relaxed --method apgd --tolerance 1e-4\n"
        "  mpirun -np 2 voussoir-mpi solve pile.hdf5 --model relaxed -- -ksp_type cg -pc_type bjacobi\n\n"
        "exit codes: 0 success, 1 usage error, 2 bad data, 3 tolerance not met, 130 interrupted\n",
        stdout);
}

static int start(int argc, char **argv) {
    const char *name = argc > 1 ? argv[1] : "--help";
    if (strcmp(name, "solve") == 0)
        return app_start(&app_solve_mpi_command, argc - 1, argv + 1);
#ifdef APP_DYNAMICS
    if (strcmp(name, "run") == 0)
        return app_start(&app_run_mpi_command, argc - 1, argv + 1);
#endif
    const bool help = strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0 || strcmp(name, "help") == 0;
    if (help && app_is_root())
        print_help();
    else if (strcmp(name, "--version") == 0 && app_is_root())
        printf("voussoir-mpi %s\n", vs_version());
    if (help || strcmp(name, "--version") == 0)
        return APP_DONE;
    app_complain("unknown command %s; use 'solve' or 'run', see 'voussoir-mpi --help'", name);
    return APP_USAGE;
}

int main(int argc, char **argv) {
    app_blas_prepare(argv, true);
    if (vs_mpi_start(&argc, &argv) != VS_OK) {
        (void)fputs("voussoir-mpi: MPI or PETSc did not start; start the program with mpirun\n", stderr);
        return APP_DATA;
    }
    const int done = start(argc, argv), code = app_files_refused() ? APP_USAGE : done;
    const bool speaks = app_is_root();
    vs_mpi_end();
    return speaks ? code : APP_DONE; // mpirun takes the first nonzero code and stops the others
}
