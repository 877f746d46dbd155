// The problem of a serial solve: the whole of it. distributed.c is the counterpart in voussoir-mpi.
#include "solve/problem.h"
#include "voussoir/fclib.h"

vs_error app_problem_read(vs_context *context, const char *path, app_problem *problem) {
    const vs_error error = vs_fclib_read(context, path, &problem->whole);
    problem->part = problem->whole;
    return error;
}

vs_error app_problem_gather(app_problem *problem, vs_result *result, vs_traffic *traffic) {
    (void)problem, (void)result, (void)traffic;
    return VS_OK;
}

void app_problem_release(app_problem *problem) {
    vs_problem_destroy(problem->whole);
}
