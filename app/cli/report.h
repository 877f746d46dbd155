// Reports for people: lines of "name  value", numbers with units. Colours only on a terminal that supports them.
#ifndef VS_APP_CLI_REPORT_H
#define VS_APP_CLI_REPORT_H

#include <stdbool.h>

#include "voussoir/problem.h"

bool app_colour(void);                                  // standard output is a terminal with colours
void app_format_seconds(double seconds, char text[16]); // three digits: "2.41 s", "38.2 ms", "120 us"

void app_report_name(const char *name);               // begins a line
void app_report_plural(int count, const char *word);  // "1 contact", "2 contacts"
void app_report_problem(const vs_problem_info *info); // the lines about a problem's sizes

#endif
