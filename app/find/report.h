// The result of a search, for people and as JSON.
#ifndef VS_APP_FIND_REPORT_H
#define VS_APP_FIND_REPORT_H

#include <stdbool.h>

#include "find/options.h"
#include "find/search.h"
#include "sweep/state.h"

// `seconds`: of this command, which executed `done` runs.
void app_find_report(const app_find_options *o, const app_sweep *s, const app_bracket *b, int64_t done, double seconds);
bool app_find_json(const app_find_options *o, const app_sweep *s, const app_bracket *b, int exit_code);

#endif
