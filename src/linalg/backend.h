// The engines: one file each. Which of them a build has says the table that CMake writes (backends.c.in).
#ifndef VS_LINALG_BACKEND_H
#define VS_LINALG_BACKEND_H

#include "linalg/linear_solver.h"

extern const vs_linear_backend vs_backend_ldl;
extern const vs_linear_backend vs_backend_klu;
extern const vs_linear_backend vs_backend_mumps;
extern const vs_linear_backend vs_backend_mumps_single;
extern const vs_linear_backend vs_backend_cholmod;
extern const vs_linear_backend vs_backend_lapack;
extern const vs_linear_backend vs_backend_petsc; // src/mpi, in libvoussoir-mpi alone

#endif
