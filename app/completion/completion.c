// voussoir completion: scripts with which shells complete commands, options and their values.
//
// Commands come from their table, options from the tables by which the commands read their lines, and descriptions
// from the help texts.
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

void app_completion_help(FILE *to) {
    (void)fputs(
        "usage: voussoir completion bash|zsh|fish|table\n\n"
        "Writes a script that completes commands, options and their values. Packages install it; to install it by\n"
        "hand:\n\n"
        "examples\n"
        "  eval \"$(voussoir completion bash)\"                in ~/.bashrc\n"
        "  voussoir completion zsh > ~/.zfunc/_voussoir      in a folder of zsh's $fpath\n"
        "  voussoir completion fish > ~/.config/fish/completions/voussoir.fish\n"
        "  voussoir completion table                         commands, options and values, tab-separated\n",
        to);
}

// ---- the table -------------------------------------------------------------------------------------------------

static const char *kind_of(const app_option *option) {
    if (option->flag)
        return "flag";
    if (option->choice)
        return "choice";
    if (option->count)
        return "count";
    if (option->number)
        return option->time ? "time" : "number";
    return option->path ? "path" : "text";
}

static void put_table(const app_command *command, const app_option *table, const char *help) {
    char hint[APP_HINT];
    for (; table->name; table++) {
        app_option_hint(help, table->name, hint);
        printf("%s\t%s\t%s\t", command->name, table->name, kind_of(table));
        for (int k = 0; table->choice && table->choices[k]; k++)
            printf("%s%s", k ? "," : "", table->choices[k]);
        printf("\t%s\n", hint);
    }
}

static void nothing(void) {}

static const app_shell plain = {"table", nothing, put_table, nothing};

// ---- the command -----------------------------------------------------------------------------------------------

typedef struct piece {
    const app_shell *shell;
    const app_command *command;
    const char *help;
} piece;

static void put_piece(const app_option *table, void *user) {
    const piece *p = user;
    p->shell->command(p->command, table, p->help);
}

static bool put_command(const app_shell *shell, const app_command *command) {
    char *help = NULL;
    size_t size = 0;
    FILE *memory = open_memstream(&help, &size);
    if (memory) {
        command->help(memory);
        (void)fclose(memory);
    }
    if (help) {
        piece p = {shell, command, help};
        app_options_ask(command, put_piece, &p);
    } else
        app_complain("completion: out of memory; close other programs");
    const bool good = help != NULL;
    free(help);
    return good;
}

int app_completion(int argc, char **argv) {
    static const app_shell *const shells[] = {&app_bash, &app_zsh, &app_fish, &plain};
    bool help = false;
    int operands = 0, chosen = -1;
    static const char *const names[] = {"bash", "zsh", "fish", "table", NULL};
    const app_option table[] = {{.name = "--help", .flag = &help}, {.name = NULL}};
    if (!app_options_read("completion", table, argc, argv, &operands))
        return APP_USAGE;
    if (help) {
        app_completion_help(stdout);
        return APP_DONE;
    }
    for (int k = 0; operands == 1 && names[k]; k++)
        if (strcmp(names[k], argv[1]) == 0)
            chosen = k;
    if (chosen < 0) {
        const char *near = operands == 1 ? vs_nearest_name(argv[1], names) : NULL;
        if (near)
            app_complain("completion: unknown shell %s; did you mean '%s'?", argv[1], near);
        else
            app_complain("completion: give one shell: bash, zsh or fish; for instance 'voussoir completion bash'");
        return APP_USAGE;
    }
    bool good = true;
    shells[chosen]->begin();
    for (const app_command *command = app_commands; good && command->name; command++)
        good = put_command(shells[chosen], command);
    shells[chosen]->end();
    return good ? APP_DONE : APP_DATA;
}
