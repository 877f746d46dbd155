// Bisection of a parameter between a value that stands and one that falls.
#ifndef VS_APP_STATICS_SEARCH_H
#define VS_APP_STATICS_SEARCH_H

#include "statics/options.h"

// Runs `voussoir statics --vary`: exit code.
int app_statics_search(const app_statics_options *options);

#endif
