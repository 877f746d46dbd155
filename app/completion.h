// What the files of `voussoir completion` share.
#ifndef VS_APP_COMPLETION_H
#define VS_APP_COMPLETION_H

#include "app.h"

enum { APP_HINT = 72 };

// A shell's script is a beginning, a piece for each command, and an end.
typedef struct app_shell {
    const char *name;
    void (*begin)(void);
    void (*command)(const app_command *command, const app_option *table, const char *help);
    void (*end)(void);
} app_shell;

extern const app_shell app_bash, app_zsh, app_fish;

// What the help text says about an option, cut to a line without quotes; "" if nothing.
void app_option_hint(const char *help, const char *name, char hint[APP_HINT]);

#endif
