// The options of `voussoir statics` and `voussoir limit`.
#ifndef VS_APP_STATICS_OPTIONS_H
#define VS_APP_STATICS_OPTIONS_H

#include <stdbool.h>

#include "run/options.h"
#include "voussoir/statics.h"

enum { APP_STATICS_LISTED = 32 }; // loads or ranges of one command

typedef struct app_statics_options {
    bool json, list;               // list: all interfaces
    bool nonassociative, gradient; // limit
    bool law;                      // statics
    app_run_options run;           // scene and --set
    vs_interface_options geometry; //
    const char *range[APP_STATICS_LISTED], *load[APP_STATICS_LISTED];
    int ranges, loads;
    const char *vary;   // "thickness=0.3:0.05"
    double to;          // width of the bracket; 0: 1e-6 of the range
    const char *output; // trajectory of the mechanism; null: none
} app_statics_options;

extern const app_group app_statics_groups[], app_limit_groups[];
app_statics_options app_statics_options_default(void);
// For either command, by its name. false: complained.
bool app_statics_options_complete(const char *command, app_statics_options *options, const app_line *line);

#endif
