// Scripts and data of the plots of a comparison.
#ifndef VS_APP_COMPARE_PLOT_SCRIPT_H
#define VS_APP_COMPARE_PLOT_SCRIPT_H

#include <stdio.h>

#include "compare/comparison.h"

// app_gnuplot_file() and app_gnuplot_script() in DIR/plots.
FILE *app_plot_open(const app_comparison *c, const char *name, const char *ending);
FILE *app_plot_begin(const app_comparison *c, const char *name, int width, int height);

// The legend entry of solver s, without a curve.
void app_plot_key(FILE *file, const app_comparison *c, int s);
// "10^{-4}", "2.5×10^{-7}"
void app_plot_power(double tolerance, char text[40]);

#endif
