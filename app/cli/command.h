// A command: started by main.c, listed by help, completed by shells.
#ifndef VS_APP_CLI_COMMAND_H
#define VS_APP_CLI_COMMAND_H

#include <stdbool.h>
#include <stdio.h>

typedef struct app_command {
    const char *name, *summary;
    int (*run)(int argc, char **argv); // argv[0] is the command's name; returns the exit code
    void (*help)(FILE *to);
    bool computes;                  // worth a restart for a fast BLAS
    const char *files;              // extensions of the files it takes, "json xml"; null: none
    const char *(*word)(int index); // other operands that shells may offer, null beyond the last; null: none
} app_command;

extern const app_command app_commands[]; // all of them (commands.c); ends with a null name

const app_command *app_command_find(const char *name); // null: complained
bool app_command_computes(const char *name);           // false if there is no such command

#endif
