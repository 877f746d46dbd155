// voussoir new: a commented starter scene that runs as it is.
#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/exit_code.h"
#include "cli/message.h"
#include "cli/options.h"
#include "command/commands.h"
#include "command/starter.h"

enum { PATH = 1024 };

void app_new_help(FILE *to) {
    (void)fputs(
        "usage: voussoir new NAME\n\n"
        "Writes NAME.json, a small commented scene: three stones and a ball. It runs as it is and is meant to be\n"
        "edited. An existing file is not overwritten.\n\n"
        "examples\n"
        "  voussoir new myscene\n"
        "  voussoir run myscene.json\n"
        "  voussoir run myscene.json --set speed=6 -o myscene.h5\n",
        to);
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

static int write_scene(const char *path) {
    FILE *file = fopen(path, "wx"); // x: never overwrites a file
    if (!file && errno == EEXIST) {
        app_complain("%s: file exists and is not overwritten; give another name or remove it", path);
        return APP_DATA;
    }
    bool good = file && fputs(app_starter, file) >= 0;
    if (file && fclose(file) != 0)
        good = false;
    if (!good) {
        app_complain("%s: cannot write the file (%s); " APP_OUTPUT_REMEDY, path, strerror(errno));
        if (file)
            (void)unlink(path);
        return APP_DATA;
    }
    printf("%s: a gate of three stones and a ball thrown at it\n\nnext steps\n"
           "  voussoir run %s\n"
           "  voussoir run %s --set speed=6 -o run.h5\n",
           path, path, path);
    return APP_DONE;
}

int app_new(int argc, char **argv) {
    bool help = false;
    int operands = 0;
    char path[PATH];
    const app_option table[] = {{.name = "--help", .flag = &help}, {.name = NULL}};
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
    return make_path(argv[1], path) ? write_scene(path) : APP_USAGE;
}
