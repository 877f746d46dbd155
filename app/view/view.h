// voussoir view.
#ifndef VS_APP_VIEW_VIEW_H
#define VS_APP_VIEW_VIEW_H

#include <stdio.h>

int app_view(int argc, char **argv);
void app_view_help(FILE *to);

#endif
