// The style shared by all plots, and gnuplot, which draws them: files NAME.gp, .dat, .svg and .png of one folder.
#ifndef VS_APP_CLI_GNUPLOT_H
#define VS_APP_CLI_GNUPLOT_H

#include <stdbool.h>
#include <stdio.h>

// The colours of Okabe and Ito, suited to colour-blind readers; shapes differ as well, for monochrome print.
const char *app_gnuplot_colour(int k);
int app_gnuplot_shape(int k); // gnuplot's point type

// FOLDER/NAME.EXTENSION, null: complained. Closing a null file returns false.
FILE *app_gnuplot_file(const char *folder, const char *name, const char *ending);
bool app_gnuplot_close(FILE *file, const char *name);

// style.gp with line styles 1 … lines, which the scripts load. The first is black and bold. false: complained.
bool app_gnuplot_style(const char *folder, int lines);
// The text in quotes, as gnuplot reads it.
void app_gnuplot_text(FILE *file, const char *text);
// A script draws everything twice, as SVG and as PNG; the plot commands go between script and end. Sizes in px.
FILE *app_gnuplot_script(const char *folder, const char *name, int width, int height);
bool app_gnuplot_end(FILE *file, const char *name);
// gnuplot NAME.gp, for at most a minute; its output goes to gnuplot.log. 0: drawn completely;
// 127: there is no gnuplot.
int app_gnuplot_run(const char *folder, const char *name);

#endif
