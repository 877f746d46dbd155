// Plots of a comparison.
#ifndef VS_APP_COMPARE_PLOTS_H
#define VS_APP_COMPARE_PLOTS_H

#include <stdbool.h>

#include "compare/comparison.h"

typedef struct app_compare_plot {
    char name[APP_COMPARE_NAME]; // of its files, without extension
    enum { APP_PLOT_PROFILE, APP_PLOT_SOLVED, APP_PLOT_HISTORY } kind;
    int index; // tolerance or file
    bool drawn;
} app_compare_plot;
enum { APP_COMPARE_PLOTS = APP_COMPARE_TOLERANCES + 1 + 64 };

// Scripts and data in DIR/plots, drawn by gnuplot if it is installed. Returns the number of plots.
int app_compare_draw(const app_comparison *c, app_compare_plot plot[APP_COMPARE_PLOTS]);

#endif
