// FCLIB HDF5 files: the exchange format of the frictional contact community (fclib_local, fclib_global). Compliance,
// frictionless contacts, box constraints and keys, which FCLIB does not have, are stored in a group `voussoir`.
#ifndef VOUSSOIR_FCLIB_H
#define VOUSSOIR_FCLIB_H

#include "voussoir/problem.h"

#ifdef __cplusplus
extern "C" {
#endif

// A solution, read from or written to a file; null: absent. Borrowed.
typedef struct vs_solution_view {
    const double *v;      // (n)
    const double *g;      // (m_e)
    const double *lambda; // (m)  FCLIB r
    const double *y;      // (m)  FCLIB u
} vs_solution_view;

// What FCLIB's group `info` says about a problem; null: a default.
typedef struct vs_fclib_info {
    const char *title;
    const char *description; // where it comes from
    const char *math_info;   // what is special about it
} vs_fclib_info;

// Reads a problem; destroy it with vs_problem_destroy(). VS_ERROR_IO, VS_ERROR_DATA with the path and the dataset, or
// VS_ERROR_UNSUPPORTED in a build without HDF5.
VS_API vs_error vs_fclib_read(vs_context *context, const char *path, vs_problem **problem);
// Writes problem and solution (may be null) to a temporary file beside `path` and renames it. An existing file is
// replaced.
VS_API vs_error vs_fclib_write(const char *path, const vs_problem *problem, const vs_solution_view *solution);
// The same with texts of the caller; null: the defaults.
VS_API vs_error vs_fclib_write_described(const char *path, const vs_problem *problem, const vs_solution_view *solution,
                                         const vs_fclib_info *info);
// Reads the group `solution` of a file into the caller's arrays: v (n), g (m_e), lambda (m), y (m) of the problem;
// null: not read. VS_ERROR_DATA if the file has no solution or the sizes differ.
VS_API vs_error vs_fclib_read_solution(const char *path, const vs_problem *problem, double *v, double *g,
                                       double *lambda, double *y);

#ifdef __cplusplus
}
#endif

#endif
