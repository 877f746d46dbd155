// One entry of a comparison, in its own process.
#ifndef VS_APP_COMPARE_ENTRY_H
#define VS_APP_COMPARE_ENTRY_H

#include "compare/comparison.h"

void app_compare_solve(const app_compare_options *o, const app_compare_task *t, app_compare_row *row);
// `file` and `solver` of the trace are left alone.
void app_compare_trace_one(const app_compare_options *o, const app_compare_task *t, app_compare_trace *trace);

#endif
