// The problem of a distributed solve: rank 0 reads it, each rank solves a part.
#include "cli/system/rank.h"
#include "solve/problem.h"
#include "voussoir/fclib.h"

vs_error app_problem_read(vs_context *context, const char *path, app_problem *problem) {
    vs_error error = VS_OK;
    if (app_is_root())
        error = vs_fclib_read(context, path, &problem->whole);
    // Collective: all ranks fail when rank 0 has nothing to divide; its own message says more.
    const vs_error all = vs_distributed_create(context, problem->whole, &problem->distributed);
    if (all == VS_OK)
        problem->part = vs_distributed_get_part(problem->distributed);
    return error != VS_OK ? error : all;
}

vs_error app_problem_gather(app_problem *problem, vs_result *result, vs_traffic *traffic) {
    const vs_error error = vs_distributed_get_traffic(problem->distributed, traffic);
    return error != VS_OK ? error : vs_distributed_gather(problem->distributed, result);
}

void app_problem_release(app_problem *problem) {
    vs_distributed_destroy(problem->distributed);
    vs_problem_destroy(problem->whole);
}
