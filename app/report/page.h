// The page of a report.
#ifndef VS_APP_REPORT_PAGE_H
#define VS_APP_REPORT_PAGE_H

#include <stdbool.h>
#include <stdio.h>

#include "report/origin.h"
#include "report/results.h"

enum { APP_REPORT_LISTED = 8, APP_REPORT_FIGURES = 3, APP_REPORT_PATH = 512 };

typedef struct app_report_figure {
    char path[APP_REPORT_PATH]; // of the drawing; "": not drawn
    char caption[256];
} app_report_figure;

typedef struct app_report {
    const char *title, *trajectory, *command; // command: null: not told
    const char *picture[APP_REPORT_LISTED];   // PNG files
    int pictures;
    const app_results *results;
    const app_origin *origin; // its path is null without a scene
    app_report_figure figure[APP_REPORT_FIGURES];
    int figures;
} app_report;

// false: complained about a picture.
bool app_report_write(FILE *to, const app_report *r);

#endif
