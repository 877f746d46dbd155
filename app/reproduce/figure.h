// Data and figures of the entries.
#ifndef VS_APP_REPRODUCE_FIGURE_H
#define VS_APP_REPRODUCE_FIGURE_H

#include <stdbool.h>
#include <stdio.h>

#include "reproduce/entry.h"

// FOLDER/NAME.csv, listed among the files; null: failed.
FILE *app_repro_csv(app_repro *r, const char *name);
bool app_repro_csv_close(app_repro *r, FILE *file, const char *name);
// The script of a figure that reads NAME.csv; the second draws it, or reports that gnuplot is missing.
FILE *app_repro_figure(app_repro *r, const char *name, int width, int height);
void app_repro_draw(app_repro *r, FILE *script, const char *name);

#endif
