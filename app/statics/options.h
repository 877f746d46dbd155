// The options of `voussoir statics` and `voussoir limit`, and their help texts.
#ifndef VS_APP_STATICS_OPTIONS_H
#define VS_APP_STATICS_OPTIONS_H

#include <stdbool.h>
#include <stdio.h>

#include "run/options.h"
#include "voussoir/statics.h"

enum { APP_STATICS_LISTED = 32 }; // loads or ranges of one command

typedef struct app_statics_options {
    bool help, json, list;         // list: all interfaces
    bool nonassociative;           // limit
    bool law;                      // statics
    app_run_options run;           // scene and --set
    vs_interface_options geometry; //
    const char *range[APP_STATICS_LISTED], *load[APP_STATICS_LISTED];
    int ranges, loads;
    const char *vary;   // "thickness=0.3:0.05"
    double to;          // width of the bracket; 0: 1e-6 of the range
    const char *output; // trajectory of the mechanism; null: none
} app_statics_options;

// For either command, by its name.
bool app_statics_options_read(const char *command, int argc, char **argv, app_statics_options *options);
void app_statics_help(FILE *to);
void app_limit_help(FILE *to);

#endif
