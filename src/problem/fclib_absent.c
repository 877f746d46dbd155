// FCLIB files in a build without HDF5: every call says so.
#include "problem/problem_data.h"
#include "voussoir/fclib.h"

static vs_error refuse(vs_context *context) {
    return vs_fail(context, VS_ERROR_UNSUPPORTED, "FCLIB files need HDF5, which is not in this build");
}

vs_error vs_fclib_read(vs_context *context, const char *path, vs_problem **problem) {
    (void)path;
    if (problem)
        *problem = NULL;
    return refuse(context);
}

vs_error vs_fclib_write(const char *path, const vs_problem *problem, const vs_solution_view *solution) {
    (void)path, (void)solution;
    return refuse(problem ? problem->context : NULL);
}

vs_error vs_fclib_write_described(const char *path, const vs_problem *problem, const vs_solution_view *solution,
                                  const vs_fclib_info *info) {
    (void)info;
    return vs_fclib_write(path, problem, solution);
}

vs_error vs_fclib_read_solution(const char *path, const vs_problem *problem, double *v, double *g, double *lambda,
                                double *y) {
    (void)path, (void)v, (void)g, (void)lambda, (void)y;
    return refuse(problem ? problem->context : NULL);
}
