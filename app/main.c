// voussoir: the command. Finds the subcommand and hands over; the rest is in the subcommands' files.
#include "app.h"

#include <string.h>

typedef struct command {
    const char *name, *summary;
    int (*run)(int argc, char **argv);
    void (*help)(FILE *to);
    bool computes; // worth a second start for a fast BLAS
} command;

static const command commands[] = {
#ifdef APP_DYNAMICS
    {"run", "simulate a scene and report how good every step was", app_run, app_run_help, true},
    {"reproduce", "published tables and figures, done again and compared", app_reproduce, app_reproduce_help, true},
    {"scenes", "the scenes that come with voussoir, and their parameters", app_scenes, app_scenes_help, false},
#endif
#ifdef APP_TRAJECTORIES
    {"view", "see a trajectory in the browser", app_view, app_view_help, false},
    {"render", "a picture or a film of a trajectory", app_render, app_render_help, false},
    {"plot", "energy, momentum, contacts, errors over time, or the convergence of a step", app_plot, app_plot_help,
     true},
    {"export", "a trajectory for ParaView (XDMF) or Blender (glTF)", app_export, app_export_help, false},
#endif
    {"solve", "solve contact problems and report every error measure", app_solve, app_solve_help, true},
    {"compare", "run all solvers on the same problems: tables, plots, a report", app_compare_main, app_compare_help,
     true},
    {"info", "sizes, masses and friction of problem files", app_info, app_info_help, false},
    {"convert", "write a problem anew: other friction, perturbed, contacts left out", app_convert, app_convert_help,
     false},
    {"doctor", "versions, linear solvers, licences, BLAS of this build", app_doctor, app_doctor_help, true},
};
enum { COMMANDS = sizeof commands / sizeof commands[0] };

static void print_help(FILE *to) {
    (void)fputs("voussoir simulates bodies with contacts, friction and joints, solves contact problems stored as\n"
                "FCLIB HDF5 files, and tells how good the result is, in joules and metres a second.\n\n"
                "usage: voussoir COMMAND [OPTIONS] [FILE...]\n\ncommands:\n",
                to);
    for (int k = 0; k < COMMANDS; k++)
        (void)fprintf(to, "  %-9s %s\n", commands[k].name, commands[k].summary);
    (void)fputs(
        "  help      this text, or 'voussoir help COMMAND'\n\n"
        "  --version version and linear solvers of this build\n\n"
        "examples:\n"
#ifdef APP_DYNAMICS
        "  voussoir run arch                                  simulate a scene that comes with voussoir\n"
        "  voussoir run scene.json -o out.h5                  simulate your own and keep the trajectory\n"
#endif
        "  voussoir info pile.hdf5                            what is in the file\n"
        "  voussoir solve pile.hdf5                           solve it and report\n"
        "  voussoir solve pile.hdf5 --output solved.hdf5      and keep the impulses\n"
        "  voussoir convert pile.hdf5 icy.hdf5 --mu 0.05      the same problem with less friction\n"
        "  voussoir compare problems/                         which solver is right for these?\n\n"
        "exit codes: 0 done, 1 wrong usage, 2 bad data, 3 tolerance not met, 130 interrupted\n\n"
        "environment: OpenBLAS falls back to a slow kernel on processors that it does not know. voussoir then\n"
        "starts itself once more with OPENBLAS_CORETYPE set (and VOUSSOIR_REEXEC, which prevents a third start).\n"
        "Set OPENBLAS_CORETYPE yourself to choose. NO_COLOR turns colours off.\n",
        to);
}

static void print_version(void) {
    printf("voussoir %s\nlinear solvers:", vs_version());
    vs_backend_info backend;
    for (int k = 0; vs_solver_backend(k, &backend); k++)
        printf("%s %s %s", k ? "," : "", backend.name, backend.version);
    printf("\n");
}

static const command *find_command(const char *name) {
    const char *names[COMMANDS + 2];
    for (int k = 0; k < COMMANDS; k++) {
        if (strcmp(commands[k].name, name) == 0)
            return &commands[k];
        names[k] = commands[k].name;
    }
    names[COMMANDS] = "help";
    names[COMMANDS + 1] = NULL;
    const char *near = app_nearest(name, names);
    if (near)
        app_complain("unknown command %s; did you mean '%s'?", name, near);
    else
        app_complain("unknown command %s; 'voussoir help' lists them", name);
    return NULL;
}

static int help(const char *name) {
    if (!name || strcmp(name, "help") == 0) {
        print_help(stdout);
        return APP_DONE;
    }
    const command *found = find_command(name);
    if (found)
        found->help(stdout);
    return found ? APP_DONE : APP_USAGE;
}

// A full disk or a closed pipe must not look like success.
static int check_output(int code) {
    if (fflush(stdout) == 0 && !ferror(stdout))
        return code;
    app_complain("the report could not be written; check standard output");
    return app_worse(code, APP_DATA);
}

int main(int argc, char **argv) {
    if (argc < 2) {
        print_help(stderr);
        return APP_USAGE;
    }
    const char *name = argv[1];
    if (strcmp(name, "--version") == 0) {
        print_version();
        return check_output(APP_DONE);
    }
    if (strcmp(name, "help") == 0 || strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0)
        return check_output(help(argc > 2 ? argv[2] : NULL));

    const command *found = find_command(name);
    if (!found)
        return APP_USAGE;
    if (found->computes)
        app_blas_repair(argv);
    return check_output(found->run(argc - 1, argv + 1));
}
