// The summary of a run as JSON.
#ifndef VS_APP_RUN_JSON_H
#define VS_APP_RUN_JSON_H

#include <stdbool.h>

#include "run/summary.h"

bool app_run_json(const app_run_summary *ran); // false: complained

#endif
