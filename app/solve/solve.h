// voussoir solve.
#ifndef VS_APP_SOLVE_SOLVE_H
#define VS_APP_SOLVE_SOLVE_H

int app_solve(int argc, char **argv);

#endif
