// voussoir plot.
#ifndef VS_APP_PLOT_PLOT_H
#define VS_APP_PLOT_PLOT_H

#include <stdio.h>

int app_plot(int argc, char **argv);
void app_plot_help(FILE *to);

#endif
