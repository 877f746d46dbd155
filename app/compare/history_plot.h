// Histories of a comparison as plots.
#ifndef VS_APP_COMPARE_HISTORY_PLOT_H
#define VS_APP_COMPARE_HISTORY_PLOT_H

#include <stdbool.h>

#include "compare/comparison.h"

// Data and script of the histories of file f; false: there is nothing to draw, or complained.
bool app_plot_history(const app_comparison *c, int f, const char *name);

#endif
