// voussoir import: drawings of other programs as scenes.
#ifndef VS_APP_IMPORT_IMPORT_H
#define VS_APP_IMPORT_IMPORT_H

#include <stdio.h>

int app_import(int argc, char **argv);
void app_import_help(FILE *to);

#endif
