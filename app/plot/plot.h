// voussoir plot.
#ifndef VS_APP_PLOT_PLOT_H
#define VS_APP_PLOT_PLOT_H

#include "cli/command.h"

extern const app_command app_plot_command;

// Draws quantities of a trajectory by their names (at most APP_PANELS) for other commands. The exit code.
int app_plot_draw(const char *path, const char *const *name, int count, const char *output);

#endif
