// The outcome of a solve as JSON.
#ifndef VS_APP_SOLVE_JSON_H
#define VS_APP_SOLVE_JSON_H

#include <stdbool.h>

#include "solve/outcome.h"

// One object: indented, or on one line with `line`. false: complained.
bool app_solve_json(const app_solve_outcome *s, bool line);

#endif
