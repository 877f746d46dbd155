// Completion scripts of the shells.
#ifndef VS_APP_COMPLETION_SHELLS_H
#define VS_APP_COMPLETION_SHELLS_H

#include "cli/command.h"

// A shell's script is a beginning, a piece for each command, and an end.
typedef struct app_shell {
    const char *name;
    void (*begin)(void);
    void (*command)(const app_command *command);
    void (*end)(void);
} app_shell;

extern const app_shell app_bash, app_zsh, app_fish;

#endif
