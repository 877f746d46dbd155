// A command: started by main.c, listed and explained by help, completed by shells.
#ifndef VS_APP_CLI_COMMAND_H
#define VS_APP_CLI_COMMAND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "cli/options.h"
#include "cli/system/process_child.h"

typedef struct app_command {
    const char *name, *summary; // one line
    const char *usage;          // after the name; further lines are further ways to use it
    const char *description;    // paragraphs
    const app_group *groups;    // its options; null: only --help
    void (*more)(FILE *to);     // further sections of the help, after the options; null: none
    const char *examples;       // lines
    const char *notes;          // paragraphs after the examples; null: none
    const char *exit_codes;     // "0 if …; 1 usage error, 2 …"

    size_t size;                    // of its options, which are zero before `prepare`
    void (*prepare)(void *options); // sets the defaults; null: zero is right
    void (*release)(void *options); // frees what reading has allocated; null: nothing
    bool (*complete)(void *options,
                     const app_line *line); // what operands and options say together; false: complained. May be null
    int (*run)(void *options, const app_line *line); // returns the exit code
    app_task *task; // what it does in processes of their own (cli/system/process_child.h); null: nothing

    bool computes;                  // worth a restart for a fast BLAS
    const char *files;              // extensions of the files it takes, "json xml"; null: none
    const char *(*word)(int index); // other operands that shells may offer, null beyond the last; null: none
} app_command;

// ---- all of them (commands.c) ------------------------------------------------------------------------------------

extern const app_command *const app_commands[];        // ends with null
const app_command *app_command_find(const char *name); // null: complained
bool app_command_computes(const char *name);           // false if there is no such command

#endif
