// Histories of a trajectory (vs_trajectory_reader_read_history()) for commands that plot or export them.
#ifndef VS_APP_CLI_HISTORY_H
#define VS_APP_CLI_HISTORY_H

#include <stdbool.h>
#include <stdio.h>

#include "voussoir/trajectory.h"

enum { APP_HISTORY_TITLE = 256 };

typedef struct app_history {
    const char *name;
    vs_history_info info;
    double *value; // (columns x frames), column by column
} app_history;

// Reads one; free it with app_history_free().
vs_error app_history_read(vs_trajectory_reader *reader, const char *name, app_history *h);
void app_history_free(app_history *h);

// "position:drum5.x (m)"; column -1: the history as a whole.
void app_history_title(const app_history *h, int column, char title[APP_HISTORY_TITLE]);

// Is this the name of a kind of history, such as "position"?
bool app_history_is_kind(const char *name);
// The kinds of histories, for help texts.
void app_history_help(FILE *to);

#endif
