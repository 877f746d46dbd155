// FCLIB HDF5 files: the exchange format of the frictional contact community (fclib_local, fclib_global).
// Compliance, frictionless rows, box rows and keys, which FCLIB does not have, are stored in an additional group
// `voussoir`.
#ifndef VOUSSOIR_FCLIB_H
#define VOUSSOIR_FCLIB_H

#include "voussoir/problem.h"

#ifdef __cplusplus
extern "C" {
#endif

// A solution, as stored in a file or to be stored; null arrays are absent.
typedef struct vs_solution_view {
    const double *v;      // (n)
    const double *g;      // (m_e)
    const double *lambda; // (m)  FCLIB r
    const double *y;      // (m)  FCLIB u
} vs_solution_view;

// VS_ERROR_UNSUPPORTED in a build without HDF5.
VS_API vs_error vs_fclib_read(vs_context *context, const char *path, vs_problem **problem);
// Writes to a temporary name next to `path` and renames. `solution` may be null.
VS_API vs_error vs_fclib_write(const char *path, const vs_problem *problem, const vs_solution_view *solution);
// Reads the group `solution` of a file into the caller's arrays of the problem's sizes; a null array is not read.
// VS_ERROR_DATA if the file has none or the sizes differ.
VS_API vs_error vs_fclib_read_solution(const char *path, const vs_problem *problem, double *v, double *g,
                                       double *lambda, double *y);

#ifdef __cplusplus
}
#endif

#endif
