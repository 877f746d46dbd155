// An accelerogram and its response spectrum as a figure or a table.
#ifndef VS_APP_PLOT_RECORD_H
#define VS_APP_PLOT_RECORD_H

#include "cli/record.h"

typedef struct app_record_plot {
    app_record_options reading;
    double damping;    // ratio to the critical one
    int width, height; // px, 0: choose
    const char *keep;  // folder for data and script, null: none
} app_record_plot;

// Draws acceleration, velocity and displacement of the ground and the spectrum; .csv: a table of the spectrum. The exit code.
int app_plot_record(const app_record_plot *plot, const char *path, const char *output);

#endif
