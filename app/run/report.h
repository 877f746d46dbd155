// The report of `voussoir run`.
#ifndef VS_APP_RUN_REPORT_H
#define VS_APP_RUN_REPORT_H

#include "run/summary.h"

void app_run_report(const app_run_summary *ran);

#endif
