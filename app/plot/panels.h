// Figures of `voussoir plot`: panels of curves.
#ifndef VS_APP_PLOT_PANELS_H
#define VS_APP_PLOT_PANELS_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

enum { APP_CURVES = 8, APP_PANELS = 12 };

typedef struct app_curve {
    const char *label;   // null: the only curve of the panel, unnamed
    const double *value; // (count)
} app_curve;

typedef struct app_panel {
    const char *title;   // with its unit
    const char *x_label; // null: that of the figure
    const double *x;     // (count)
    int64_t count;
    bool log, x_log;
    double line; // > 0: a level to mark, the tolerance
    int curves;
    app_curve curve[APP_CURVES];
} app_panel;

typedef struct app_figure {
    const char *title, *x_label;
    int panels;
    app_panel panel[APP_PANELS];
    int width, height; // px, 0: choose
} app_figure;

// Nothing to see: zero or not defined throughout.
bool app_panel_is_empty(const app_panel *p);

// Draws a figure as `output` (.svg or .png by its extension). Data and script stay in the folder `keep` if it is not
// null. Returns the exit code.
int app_figure_draw(const app_figure *figure, const char *output, const char *keep);

#endif
