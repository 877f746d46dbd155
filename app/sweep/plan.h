// The plan of a sweep, sweep.json: everything that its results depend on.
#ifndef VS_APP_SWEEP_PLAN_H
#define VS_APP_SWEEP_PLAN_H

#include <stdbool.h>

#include "sweep/state.h"

// As JSON text; to be freed.
char *app_sweep_plan(const app_sweep *s);
// Makes the directory and writes the plan, or compares with the existing one. false: complained.
bool app_sweep_prepare(const app_sweep *s);

#endif
