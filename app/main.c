// voussoir: finds the command and runs it.
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "cli/blas.h"
#include "cli/command.h"
#include "cli/exit_code.h"
#include "cli/help.h"
#include "cli/start.h"
#include "cli/system/files.h"
#include "cli/system/message.h"
#include "voussoir/voussoir.h"

static void print_help(FILE *to) {
    (void)fputs(
        "voussoir simulates multibody systems with contact, friction and joints, solves contact problems stored\n"
        "as FCLIB HDF5 files, and reports the accuracy of every result in joules and metres per second.\n\n"
        "usage: voussoir COMMAND [OPTIONS] [FILE...]\n\n"
        "commands\n",
        to);
    for (int k = 0; app_commands[k]; k++)
        (void)fprintf(to, "  %-11s %s\n", app_commands[k]->name, app_commands[k]->summary);
    (void)fputs(
        "  help        print this help, or that of a command: 'voussoir help COMMAND'\n\n"
        "options\n"
        "  --version   print the version and the linear solvers of this build\n"
        "  -h, --help  print this help; after a command, the help of that command\n\n"
        "examples\n"
#ifdef APP_DYNAMICS
        "  voussoir run arch                                  simulate a built-in scene\n"
        "  voussoir new myscene && voussoir run myscene.json  write a scene of your own and simulate it\n"
        "  voussoir run myscene.json -o out.h5                simulate it and save the trajectory\n"
        "  voussoir sweep box --grid mu=0.1:0.9:9             simulate it with nine friction coefficients\n"
#endif
        "  voussoir info pile.hdf5                            show the contents of a problem file\n"
        "  voussoir solve pile.hdf5                           solve the problem and report the errors\n"
        "  voussoir solve pile.hdf5 --output solved.hdf5      solve it and save the impulses\n"
        "  voussoir convert pile.hdf5 icy.hdf5 --mu 0.05      write the same problem with less friction\n"
        "  voussoir compare problems/                         find the best solver for these problems\n\n"
        "exit codes: 0 success, 1 usage error, 2 bad data, 3 tolerance not met, 130 interrupted\n\n"
        "environment: OpenBLAS falls back to a slow kernel on processors it does not recognize. voussoir then\n"
        "restarts itself with OPENBLAS_CORETYPE set (and VOUSSOIR_REEXEC, which prevents a further restart). Set\n"
        "OPENBLAS_CORETYPE yourself to choose a kernel. With a limited address space ('ulimit -v') it restarts itself\n"
        "with OPENBLAS_NUM_THREADS=1, because further threads of OpenBLAS could not start. NO_COLOR turns colours "
        "off.\n",
        to);
}

// Without arguments: the first steps instead of the whole help.
static void print_first_steps(void) {
    printf("voussoir %s simulates multibody systems with contact, friction and joints.\n\n"
           "first steps\n"
           "  voussoir doctor                 check this installation and its speed\n",
           vs_version());
#ifdef APP_DYNAMICS
    printf("  voussoir scenes                 list the built-in scenes\n");
#endif
#ifdef APP_TRAJECTORIES
    printf("  voussoir run arch -o arch.h5    simulate a stone arch and save the trajectory\n"
           "  voussoir view arch.h5           show it in the browser\n");
#endif
#ifdef APP_DYNAMICS
    printf("  voussoir new myscene            write a starter scene\n"
           "  voussoir run myscene.json       simulate it\n");
#endif
    printf("  voussoir solve FILE.hdf5        solve a contact problem stored as FCLIB HDF5\n\n"
           "'voussoir help' lists all commands; 'voussoir help COMMAND' explains one.\n");
}

static void print_version(void) {
    printf("voussoir %s\nlinear solvers:", vs_version());
    for (int k = 0; k < vs_backend_count(); k++)
        printf("%s %s %s", k ? "," : "", vs_backend_at(k).name, vs_backend_at(k).version);
    printf("\n");
}

static int help(const char *name) {
    if (!name || strcmp(name, "help") == 0) {
        print_help(stdout);
        return APP_DONE;
    }
    const app_command *found = app_command_find(name);
    if (found)
        app_help_print(found, stdout);
    return found ? APP_DONE : APP_USAGE;
}

// A full disk or a closed pipe must not look like success.
static int check_output(int code) {
    if (fflush(stdout) == 0 && !ferror(stdout))
        return code;
    app_complain("cannot write the report; check standard output");
    return app_worse(code, APP_DATA);
}

int main(int argc, char **argv) {
    app_blas_prepare(argv, argc > 1 && app_command_computes(argv[1]));
    if (argc < 2) {
        print_first_steps();
        return check_output(APP_DONE);
    }
    const char *name = argv[1];
    if (strcmp(name, "--version") == 0) {
        print_version();
        return check_output(APP_DONE);
    }
    if (strcmp(name, "help") == 0 || strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0)
        return check_output(help(argc > 2 ? argv[2] : NULL));

    const app_command *found = app_command_find(name);
    if (!found)
        return APP_USAGE;
    const int code = app_start(found, argc - 1, argv + 1);
    return check_output(app_files_refused() ? APP_USAGE : code);
}
