// Runs a command: its options are allocated, read by its rows, and given to it.
#include "cli/start.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include "cli/command.h"
#include "cli/exit_code.h"
#include "cli/help.h"
#include "cli/options.h"
#include "cli/system/message.h"
#include "cli/system/process_child.h"
#include "cli/system/rank.h"

// What the options say together is checked before a task, too: it completes them.
static int start(const app_command *command, void *options, const app_line *line) {
    if (command->complete && !command->complete(options, line))
        return APP_USAGE;
    return app_child_serve(command->task, options) ? APP_DONE : command->run(options, line);
}

static int run(const app_command *command, void *options, app_line *line) {
    if (command->prepare)
        command->prepare(options);
    int code = APP_USAGE;
    if (app_options_read(command->name, command->groups, options, line)) {
        code = line->help ? APP_DONE : start(command, options, line);
        if (line->help && app_is_root())
            app_help_print(command, stdout);
    }
    if (command->release)
        command->release(options);
    return code;
}

int app_start(const app_command *command, int argc, char **argv) {
    app_line line = {.argc = argc, .argv = argv, .operand = calloc((size_t)argc + 1, sizeof *line.operand)};
    void *options = calloc(1, command->size + 1);
    int code = APP_DATA;
    if (line.operand && options)
        code = run(command, options, &line);
    else
        app_complain("%s: out of memory", command->name);
    free(options);
    free(line.operand);
    return code;
}
