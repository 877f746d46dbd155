// The report of `voussoir reproduce`: one table per entry, or all entries as one JSON object.
#ifndef VS_APP_REPRODUCE_REPORT_H
#define VS_APP_REPRODUCE_REPORT_H

#include <stdbool.h>

#include "reproduce/entry.h"

void app_repro_print(const app_repro *r);
// All of them as one object. false: complained.
bool app_repro_json(const app_repro *r, int count, bool full, int exit_code);

#endif
