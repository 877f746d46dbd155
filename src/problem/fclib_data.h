// FCLIB internals: the parts of fclib.c, and functions for tests and fuzzing.
//
// FCLIB contacts have 3 rows. A row of a frictionless contact, of a box or of rolling and spinning friction is stored as a contact of its own with
// mu = 0 and empty tangential rows; the group `voussoir` records its kind. Other readers see frictionless contacts.
#ifndef VS_PROBLEM_FCLIB_DATA_H
#define VS_PROBLEM_FCLIB_DATA_H

#include "hdf5/dataset.h"
#include "problem/problem_data.h"
#include "voussoir/fclib.h"

#define VS_FCLIB_GLOBAL "fclib_global"
#define VS_FCLIB_LOCAL "fclib_local"
#define VS_FCLIB_EXTENSION "voussoir"
#define VS_FCLIB_FORMAT 1 // of the group `voussoir`

// Kinds of contacts in the file; never renumbered.
enum {
    VS_FCLIB_FRICTION = 0,
    VS_FCLIB_FRICTIONLESS = 1,
    VS_FCLIB_BOX = 2,
    VS_FCLIB_ROLLING = 3,
    VS_FCLIB_ELLIPTIC = 4
};

// FCLIB row of each of our rows: at (m). Returns the number of FCLIB rows, which may exceed an int.
int64_t vs_fclib_map_rows(int contacts, const int *row, const vs_cone_kind *kind, int64_t *at);

vs_error vs_fclib_read_group(const vs_h5_group *root, vs_problem **problem);
// info: null for the default texts.
vs_error vs_fclib_write_group(const vs_h5_group *root, const vs_problem *problem, const vs_solution_view *solution,
                              const vs_fclib_info *info);

// As vs_fclib_read(), from the bytes of a file.
vs_error vs_fclib_read_image(vs_context *context, const void *bytes, size_t size, vs_problem **problem);

#endif
