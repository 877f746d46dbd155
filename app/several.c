// One rank of voussoir-mpi: rank 0 reads, speaks and writes; all solve.
#include "app.h"

#include <stdio.h>

bool app_several(void) {
    return true;
}

const char *app_started_as(void) {
    return "mpirun -np N voussoir-mpi";
}

bool app_speaks(void) {
    return vs_mpi_rank() == 0;
}

vs_error app_problem_read(vs_context *context, const char *path, app_problem *problem) {
    vs_error error = VS_OK;
    if (app_speaks())
        error = vs_fclib_read(context, path, &problem->whole);
    // All learn of it when rank 0 has nothing to divide; its own text says more.
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

void app_end_others(vs_error error) {
    if (error != VS_ERROR_MEMORY)
        return; // all have met it
    (void)fprintf(stderr, "voussoir: rank %d of %d is out of memory; use more ranks or a smaller problem\n",
                  vs_mpi_rank(), vs_mpi_size());
    vs_mpi_abort(APP_DATA);
}
