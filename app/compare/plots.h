// What the plots of `voussoir compare` share.
#ifndef VS_APP_COMPARE_PLOTS_H
#define VS_APP_COMPARE_PLOTS_H

#include <stdbool.h>
#include <stdio.h>

#include "compare/compare.h"

// app_gnuplot_file() and app_gnuplot_script() in DIR/plots.
FILE *app_plot_open(const app_compare *c, const char *name, const char *ending);
FILE *app_plot_begin(const app_compare *c, const char *name, int width, int height);

// The legend's line for solver s, drawn nowhere else.
void app_plot_key(FILE *file, const app_compare *c, int s);
// "10^{-4}", "2.5×10^{-7}"
void app_plot_power(double tolerance, char text[40]);

// Data and script of the histories of file f; false: there is nothing to draw, or complained.
bool app_plot_history(const app_compare *c, int f, const char *name);

#endif
