// The backends, one file each. The table that CMake writes (backends.c.in) lists those of a build.
#ifndef VS_LINALG_BACKEND_H
#define VS_LINALG_BACKEND_H

#include "linalg/linear_solver.h"

extern const vs_linear_backend vs_backend_ldl;
extern const vs_linear_backend vs_backend_lu;
extern const vs_linear_backend vs_backend_klu;
extern const vs_linear_backend vs_backend_frontal;
extern const vs_linear_backend vs_backend_mumps;
extern const vs_linear_backend vs_backend_mumps_single;
extern const vs_linear_backend vs_backend_cholmod;
extern const vs_linear_backend vs_backend_lapack;
extern const vs_linear_backend vs_backend_petsc; // src/mpi, in libvoussoir-mpi alone

#endif
