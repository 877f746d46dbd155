// Starting a command.
#ifndef VS_APP_CLI_START_H
#define VS_APP_CLI_START_H

#include "cli/command.h"

// Reads the line by the command's rows and runs it, or prints its help. Returns the exit code.
int app_start(const app_command *command, int argc, char **argv);

#endif
