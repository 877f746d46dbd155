// voussoir reproduce.
#ifndef VS_APP_REPRODUCE_REPRODUCE_H
#define VS_APP_REPRODUCE_REPRODUCE_H

#include <stdio.h>

int app_reproduce(int argc, char **argv);
void app_reproduce_help(FILE *to);
const char *app_reproduce_word(int index); // an entry's ID, null beyond the last

#endif
