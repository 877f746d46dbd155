// One process with the whole problem: the voussoir command. several.c is what voussoir-mpi has in its place.
#include "app.h"

bool app_several(void) {
    return false;
}

const char *app_started_as(void) {
    return "voussoir";
}

bool app_speaks(void) {
    return true;
}

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

void app_end_others(vs_error error) {
    (void)error;
}
