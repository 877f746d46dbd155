// The problem to solve: the whole of it (serial.c), or this rank's part (distributed.c).
#ifndef VS_APP_SOLVE_PROBLEM_H
#define VS_APP_SOLVE_PROBLEM_H

#include "voussoir/mpi/distributed.h"
#include "voussoir/problem.h"
#include "voussoir/solver.h"

typedef struct app_problem {
    vs_problem *whole;           // as it was read; null on ranks other than 0
    const vs_problem *part;      // solved by this process
    vs_distributed *distributed; // null: serial
} app_problem;

vs_error app_problem_read(vs_context *context, const char *path, app_problem *problem);
// Puts the whole solution into the result, and counts the communication.
vs_error app_problem_gather(app_problem *problem, vs_result *result, vs_traffic *traffic);
void app_problem_release(app_problem *problem);

#endif
