// The options of `voussoir find` and its help text.
#ifndef VS_APP_FIND_OPTIONS_H
#define VS_APP_FIND_OPTIONS_H

#include <stdbool.h>
#include <stdio.h>

#include "sweep/options.h"

typedef enum app_until { APP_UNTIL_FALLS, APP_UNTIL_STANDS, APP_UNTIL_STOPS } app_until;

typedef struct app_find_options {
    bool json, keep;         // keep: all trajectories
    const char *vary;        // "tilt=0:45"
    int until;               // app_until
    double to;               // width of the bracket; 0: 1e-3 of the range
    app_sweep_options sweep; // its space: the values that the search may try
} app_find_options;

bool app_find_options_read(int argc, char **argv, app_find_options *options);
const char *app_until_name(int until);
void app_find_help(FILE *to);

#endif
