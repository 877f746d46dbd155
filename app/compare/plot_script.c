// Scripts and data of the plots of a comparison.
#include "compare/plot_script.h"

#include <stdio.h>
#include <string.h>

#include "cli/gnuplot.h"
#include "compare/comparison.h"

FILE *app_plot_open(const app_comparison *c, const char *name, const char *ending) {
    char folder[APP_COMPARE_PATH];
    app_compare_path(c, "plots", folder);
    return app_gnuplot_file(folder, name, ending);
}

FILE *app_plot_begin(const app_comparison *c, const char *name, int width, int height) {
    char folder[APP_COMPARE_PATH];
    app_compare_path(c, "plots", folder);
    return app_gnuplot_script(folder, name, width, height);
}

void app_plot_power(double tolerance, char text[40]) {
    char number[16];
    app_compare_format(tolerance, number);
    char *e = strchr(number, 'e');
    *e = '\0';
    if (strcmp(number, "1") == 0)
        (void)snprintf(text, 40, "10^{%s}", e + 1);
    else
        (void)snprintf(text, 40, "%s×10^{%s}", number, e + 1);
}

void app_plot_key(FILE *file, const app_comparison *c, int s) {
    (void)fprintf(file, "NaN w lp ls %d t ", s + 1);
    app_gnuplot_text(file, c->solver[s].name);
}
