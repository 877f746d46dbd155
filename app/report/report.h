// voussoir report.
#ifndef VS_APP_REPORT_REPORT_H
#define VS_APP_REPORT_REPORT_H

#include "cli/command.h"

extern const app_command app_report_command;

#endif
