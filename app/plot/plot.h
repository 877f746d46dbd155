// What the files of `voussoir plot` share.
#ifndef VS_APP_PLOT_PLOT_H
#define VS_APP_PLOT_PLOT_H

#include <stdbool.h>
#include <stdio.h>

int app_plot(int argc, char **argv);
void app_plot_help(FILE *to);

typedef struct app_plot_options {
    bool help, convergence;
    int width, height; // px, 0: choose
    const char *keep;  // folder, null: none
    int method, model; // of --convergence
    double tolerance;
} app_plot_options;

// Solves the problem and draws its history. The exit code.
int app_plot_convergence(const app_plot_options *options, const char *path, const char *output);

#endif
