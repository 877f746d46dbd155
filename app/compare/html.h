// The report of a comparison, report.html.
#ifndef VS_APP_COMPARE_HTML_H
#define VS_APP_COMPARE_HTML_H

#include <stdbool.h>
#include <stdio.h>

#include "compare/comparison.h"
#include "compare/plots.h"

// A part of pages: the settings of the comparison.
void app_html_setting(FILE *to, const app_comparison *c);
// false: complained.
bool app_compare_report(const app_comparison *c, const app_compare_plot *plot, int plots);

#endif
