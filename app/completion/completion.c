// voussoir completion: scripts with which shells complete commands, options and their values.
//
// Commands come from their list, options and their descriptions from the rows by which the commands read their lines.
#include "completion/completion.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/command.h"
#include "cli/exit_code.h"
#include "cli/system/message.h"
#include "cli/options.h"
#include "completion/hint.h"
#include "completion/shells.h"
#include "voussoir/context.h"

// ---- the table -------------------------------------------------------------------------------------------------

static const char *kind_of(const app_option *option) {
    switch (option->stored) {
    case APP_FLAG:
        return "flag";
    case APP_COUNT:
        return app_option_choice(option, 0) ? "choice" : "count";
    case APP_NUMBER:
        return option->time ? "time" : "number";
    default:
        return option->path ? "path" : "text";
    }
}

static void put_row(const app_command *command, const app_option *option, const char *name) {
    char hint[APP_HINT];
    app_option_hint(option->help, hint);
    printf("%s\t%s\t%s\t", command->name, name, kind_of(option));
    for (int k = 0; option->stored == APP_COUNT && app_option_choice(option, k); k++)
        printf("%s%s", k ? "," : "", app_option_choice(option, k));
    printf("\t%s\n", hint);
}

static void put_table(const app_command *command) {
    const app_option *option;
    for (int k = 0; (option = app_option_at(command->groups, k, NULL)); k++) {
        const char letter[] = {'-', option->letter, '\0'};
        put_row(command, option, option->name);
        if (option->letter)
            put_row(command, option, letter);
    }
}

static void nothing(void) {}

static const app_shell plain = {"table", nothing, put_table, nothing};

// ---- the command -----------------------------------------------------------------------------------------------

static const app_shell *const shells[] = {&app_bash, &app_zsh, &app_fish, &plain};
enum { SHELLS = sizeof shells / sizeof shells[0] };

static const char *shell_name(int index) {
    return index < SHELLS ? shells[index]->name : NULL;
}

static int run(void *options, const app_line *line) {
    (void)options;
    const char *names[SHELLS + 1] = {NULL};
    const app_shell *chosen = NULL;
    for (int k = 0; k < SHELLS; k++) {
        names[k] = shells[k]->name;
        if (line->operands == 1 && strcmp(names[k], line->operand[0]) == 0)
            chosen = shells[k];
    }
    if (!chosen) {
        const char *near = line->operands == 1 ? vs_nearest_name(line->operand[0], names) : NULL;
        if (near)
            app_complain("completion: unknown shell %s; did you mean '%s'?", line->operand[0], near);
        else
            app_complain("completion: give one shell: bash, zsh or fish; for instance 'voussoir completion bash'");
        return APP_USAGE;
    }
    chosen->begin();
    for (int k = 0; app_commands[k]; k++)
        chosen->command(app_commands[k]);
    chosen->end();
    return APP_DONE;
}

const app_command app_completion_command = {
    .name = "completion",
    .summary = "write completion scripts for bash, zsh and fish",
    .usage = "bash|zsh|fish|table",
    .description = "Writes a script that completes commands, options and their values. Packages install it; the "
                   "examples install it by hand.",
    .examples = "eval \"$(voussoir completion bash)\"                in ~/.bashrc\n"
                "voussoir completion zsh > ~/.zfunc/_voussoir      in a folder of zsh's $fpath\n"
                "voussoir completion fish > ~/.config/fish/completions/voussoir.fish\n"
                "voussoir completion table                         commands, options and values, tab-separated",
    .exit_codes = "0 success, 1 usage error, 2 the script could not be written.",
    .run = run,
    .word = shell_name,
};
