// voussoir solve.
#ifndef VS_APP_SOLVE_SOLVE_H
#define VS_APP_SOLVE_SOLVE_H

#include <stdio.h>

int app_solve(int argc, char **argv);
void app_solve_help(FILE *to);

#endif
