// voussoir new: commented starter scenes that run as they are.
#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/exit_code.h"
#include "cli/help.h"
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

typedef struct new_options {
    int kind;
} new_options;

static int run(void *options, const app_line *line) {
    const new_options *o = options;
    char path[PATH];
    if (line->operands != 1) {
        app_complain("new: %s; for instance 'voussoir new myscene'",
                     line->operands == 0 ? "no name given" : "more than one name given");
        return APP_USAGE;
    }
    return make_path(line->operand[0], path) ? write_scene(path, o->kind) : APP_USAGE;
}

static const char *kind_name(int index) {
    return index < KINDS ? kinds[index].name : NULL;
}

static void put_kinds(FILE *to) {
    (void)fputs("\nkinds\n", to);
    for (int k = 0; k < KINDS; k++)
        app_help_entry(kinds[k].name, kinds[k].summary, to);
}

static const app_option rows[] = {
    {.name = "--kind",
     .value = "KIND",
     APP_TARGET(new_options, kind),
     .choice = kind_name,
     .help = "kind of scene, see below"},
    {.name = NULL},
};

const app_command app_new_command = {
    .name = "new",
    .summary = "write a commented starter scene",
    .usage = "NAME [--kind KIND]",
    .description = "Writes NAME.json, a small commented scene. It runs as it is and is meant to be edited. An existing "
                   "file is not overwritten.",
    .groups = (const app_group[]){{.title = "options", .rows = rows}, {.rows = NULL}},
    .more = put_kinds,
    .examples = "voussoir new myscene\n"
                "voussoir run myscene.json --set speed=6 -o myscene.h5\n"
                "voussoir new mywall --kind wall && voussoir find mywall.json --vary tilt=0:45",
    .exit_codes = "0 if the scene was written, 1 usage error, 2 the file exists or cannot be written.",
    .size = sizeof(new_options),
    .run = run,
};
