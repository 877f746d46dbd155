// Help texts, made from the rows of a command.
#ifndef VS_APP_CLI_HELP_H
#define VS_APP_CLI_HELP_H

#include <stdio.h>

#include "cli/command.h"

void app_help_print(const app_command *command, FILE *to);
// A line of a list: the word, then the text from a column on, wrapped.
void app_help_entry(const char *word, const char *text, FILE *to);

#endif
