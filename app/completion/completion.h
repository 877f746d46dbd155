// voussoir completion.
#ifndef VS_APP_COMPLETION_COMPLETION_H
#define VS_APP_COMPLETION_COMPLETION_H

#include <stdio.h>

int app_completion(int argc, char **argv);
void app_completion_help(FILE *to);

#endif
