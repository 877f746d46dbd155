// The report of `voussoir solve`.
#ifndef VS_APP_SOLVE_REPORT_H
#define VS_APP_SOLVE_REPORT_H

#include "solve/outcome.h"

void app_solve_report(const app_solve_outcome *s);

#endif
