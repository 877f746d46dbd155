// voussoir solve.
#ifndef VS_APP_SOLVE_SOLVE_H
#define VS_APP_SOLVE_SOLVE_H

#include "cli/command.h"

extern const app_command app_solve_command, app_solve_mpi_command;

int app_solve_main(void *given, const app_line *line); // the command

#endif
