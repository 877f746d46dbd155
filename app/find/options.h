// The options of `voussoir find`.
#ifndef VS_APP_FIND_OPTIONS_H
#define VS_APP_FIND_OPTIONS_H

#include <stdbool.h>

#include "sweep/options.h"

typedef enum app_until { APP_UNTIL_FALLS, APP_UNTIL_STANDS, APP_UNTIL_STOPS } app_until;

typedef struct app_find_options {
    bool json, keep;         // keep: all trajectories
    const char *vary;        // "tilt=0:45"
    int until;               // app_until
    double to;               // width of the bracket; 0: 1e-3 of the range
    app_sweep_options sweep; // its space: the values that the search may try
} app_find_options;

extern const app_group app_find_groups[];
bool app_find_options_complete(app_find_options *options, const app_line *line); // false: complained
const char *app_until_name(int until);

#endif
