// voussoir new: commented starter scenes that run as they are.
#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/exit_code.h"
#include "cli/system/message.h"
#include "cli/options.h"
#include "command/commands.h"
#include "command/starter.h"

enum { PATH = 1024, KINDS = 6 };

static const struct {
    const char *name, *summary, *text;
    const char *set; // a setting to try
} kinds[KINDS] = {
    {"gate", "a gate of three stones and a ball thrown at it", app_starter_gate, "speed=6"},
    {"arch", "an arch of seven stones on the ground", app_starter_arch, "mu=0.2"},
    {"wall", "a dry wall of six courses on a table that can be tilted", app_starter_wall, "tilt=20"},
    {"mechanism", "a crank, a rod and a slider that pushes a crate", app_starter_mechanism, "speed=3"},
    {"robot", "an arm with position motors that sweeps a ball away", app_starter_robot, "stiffness=50"},
    {"pile", "27 balls that fall into a box", app_starter_pile, "mu=0"},
};
static const char *const kind_names[KINDS + 1] = {"gate", "arch", "wall", "mechanism", "robot", "pile", NULL};

void app_new_help(FILE *to) {
    (void)fputs(
        "usage: voussoir new NAME [--kind KIND]\n\n"
        "Writes NAME.json, a small commented scene. It runs as it is and is meant to be edited. An existing file\n"
        "is not overwritten.\n\n"
        "  --kind KIND    kind of scene, see below; default gate\n\n"
        "kinds\n",
        to);
    for (int k = 0; k < KINDS; k++)
        (void)fprintf(to, "  %-10s %s\n", kinds[k].name, kinds[k].summary);
    (void)fputs("\nexamples\n"
                "  voussoir new myscene\n"
                "  voussoir run myscene.json --set speed=6 -o myscene.h5\n"
                "  voussoir new mywall --kind wall && voussoir find mywall.json --vary tilt=0:45\n",
                to);
}

// The documentation that is installed with the command: the manual always, pages if they are there.
static void print_documentation(void) {
    static const char *const pages[] = {"/usr/share/doc/voussoir/html/index.html", "/usr/share/doc/voussoir/scenes.md"};
    printf("\nall keys of a scene: docs/scenes.md of the sources; commands: man voussoir-run\n");
    for (size_t k = 0; k < sizeof pages / sizeof pages[0]; k++)
        if (access(pages[k], R_OK) == 0)
            printf("installed documentation: %s\n", pages[k]);
}

// NAME.json, unless the name already ends with .json.
static bool make_path(const char *name, char path[PATH]) {
    const size_t length = strlen(name);
    const bool complete = length > 5 && strcmp(name + length - 5, ".json") == 0;
    if (length == 0 || name[length - 1] == '/') {
        app_complain("new: '%s' is not a valid name; for instance 'voussoir new myscene'", name);
        return false;
    }
    if (snprintf(path, PATH, "%s%s", name, complete ? "" : ".json") < PATH)
        return true;
    app_complain("new: the name is too long; give a shorter one");
    return false;
}

static int write_scene(const char *path, int kind) {
    FILE *file = fopen(path, "wx"); // x: never overwrites a file
    if (!file && errno == EEXIST) {
        app_complain("%s: file exists and is not overwritten; give another name or remove it", path);
        return APP_DATA;
    }
    bool good = file && fputs(kinds[kind].text, file) >= 0;
    if (file && fclose(file) != 0)
        good = false;
    if (!good) {
        app_complain("%s: cannot write the file (%s); " APP_OUTPUT_REMEDY, path, strerror(errno));
        if (file)
            (void)unlink(path);
        return APP_DATA;
    }
    printf("%s: %s\n\nnext steps\n"
           "  voussoir view %s\n"
           "  voussoir run %s\n"
           "  voussoir run %s --set %s -o run.h5\n",
           path, kinds[kind].summary, path, path, path, kinds[kind].set);
    print_documentation();
    return APP_DONE;
}

int app_new(int argc, char **argv) {
    bool help = false;
    int operands = 0, kind = 0;
    char path[PATH];
    const app_option table[] = {
        {.name = "--help", .flag = &help}, {.name = "--kind", .choice = &kind, .choices = kind_names}, {.name = NULL}};
    if (!app_options_read("new", table, argc, argv, &operands))
        return APP_USAGE;
    if (help) {
        app_new_help(stdout);
        return APP_DONE;
    }
    if (operands != 1) {
        app_complain("new: %s; for instance 'voussoir new myscene'",
                     operands == 0 ? "no name given" : "more than one name given");
        return APP_USAGE;
    }
    return make_path(argv[1], path) ? write_scene(path, kind) : APP_USAGE;
}
