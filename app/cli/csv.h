// Text in CSV files.
#ifndef VS_APP_CLI_CSV_H
#define VS_APP_CLI_CSV_H

#include <stdio.h>

// A field: in quotes if it contains a comma, a quote or the end of a line.
void app_csv_text(FILE *file, const char *text);

#endif
