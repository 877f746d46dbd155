// Finds a command by its name.
#include "cli/command.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "cli/system/message.h"
#include "voussoir/context.h"

enum { COMMANDS = 64 };

bool app_command_computes(const char *name) {
    for (const app_command *command = app_commands; command->name; command++)
        if (strcmp(command->name, name) == 0)
            return command->computes;
    return false;
}

const app_command *app_command_find(const char *name) {
    const char *names[COMMANDS + 4];
    int count = 0;
    for (const app_command *command = app_commands; command->name && count < COMMANDS; command++) {
        if (strcmp(command->name, name) == 0)
            return command;
        names[count++] = command->name;
    }
    names[count++] = "help";
    names[count++] = "--help";
    names[count++] = "--version";
    names[count] = NULL;
    const char *near = vs_nearest_name(name, names), *what = name[0] == '-' ? "option" : "command";
    if (near)
        app_complain("unknown %s %s; did you mean '%s'?", what, name, near);
    else
        app_complain("unknown %s %s; 'voussoir help' lists them", what, name);
    return NULL;
}
