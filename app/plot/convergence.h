// The convergence of a solver on one problem as a figure.
#ifndef VS_APP_PLOT_CONVERGENCE_H
#define VS_APP_PLOT_CONVERGENCE_H

#include "voussoir/voussoir.h"

typedef struct app_convergence {
    vs_method method;
    vs_model model;
    double tolerance;
    int width, height; // px, 0: choose
    const char *keep;  // folder for data and script, null: none
} app_convergence;

// Solves the problem and draws its history. The exit code.
int app_plot_convergence(const app_convergence *c, const char *path, const char *output);

#endif
