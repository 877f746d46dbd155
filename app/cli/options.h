// Command lines read by tables of options.
#ifndef VS_APP_CLI_OPTIONS_H
#define VS_APP_CLI_OPTIONS_H

#include <stdbool.h>

#include "cli/command.h"

// One option and the target of its value: exactly one target is not null.
typedef struct app_option {
    const char *name;           // "--tol"
    const char *former;         // an earlier name, still accepted but not shown; null: none
    bool *flag;                 // takes no value
    const char **text;          // any text
    double *number;             // finite and >= least (or > least with `open`), <= most if that is not 0
    int *count;                 // least … most
    int *choice;                // index into choices
    const char *const *choices; // ends with null
    double least, most;         // of number and count
    bool open;                  // least itself is not allowed
    bool time;                  // number is in seconds: "3", "3s", "2ms", "50us"
    bool path;                  // text is a file or a folder, which shells complete: an input unless `writes`
    bool continues;             // text is a file that is read, and may be the output at the same time
    bool writes;                // text is a file or a folder that the command writes (cli/system/files.h)
} app_option;

// Reads argv[1 … argc-1] by a table that ends with a null name. Operands move to the front, argv[1 … *operands].
// Complains and returns false if something is wrong, also if an output would overwrite an input or another output.
bool app_options_read(const char *command, const app_option *table, int argc, char **argv, int *operands);
// Calls a command only to get its table, for instance to write a completion script: nothing is read or run.
void app_options_ask(const app_command *command, void (*visit)(const app_option *table, void *user), void *user);
// An option that may be repeated; each value goes to `take`, which complains itself.
typedef struct app_repeated {
    const char *command, *name;
    const char *example; // of a value
    bool (*take)(void *user, const char *value);
    void *user;
} app_repeated;
// Takes every "--name value" and "--name=value" out of the line. false: complained.
bool app_options_take(const app_repeated *option, int *argc, char **argv);

#endif
