// What the plots of `voussoir compare` share: files in DIR/plots and the frame of a gnuplot script.
#ifndef VS_APP_COMPARE_PLOT_H
#define VS_APP_COMPARE_PLOT_H

#include "compare.h"

// plots/NAME.ENDING, null: complained. Closing a null file is false.
FILE *app_plot_open(const app_compare *c, const char *name, const char *ending);
bool app_plot_close(FILE *file, const char *name);

// A script draws everything twice, as SVG and as PNG; the plots stand between begin and end. Sizes in px.
FILE *app_plot_begin(const app_compare *c, const char *name, int width, int height);
bool app_plot_end(FILE *file, const char *name);

// The legend's line for solver s, drawn nowhere else.
void app_plot_key(FILE *file, const app_compare *c, int s);
// "10^{-4}", "2.5×10^{-7}"
void app_plot_power(double tolerance, char text[40]);

// Data and script of the histories of file f; false: there is nothing to draw, or complained.
bool app_plot_history(const app_compare *c, int f, const char *name);

#endif
