// One entry of a comparison, in its own process.
#ifndef VS_APP_COMPARE_ENTRY_H
#define VS_APP_COMPARE_ENTRY_H

#include "compare/comparison.h"

void app_compare_solve(const app_comparison *c, int file, int solver, int tolerance, app_compare_row *row);
void app_compare_trace_one(const app_comparison *c, app_compare_trace *trace);

#endif
