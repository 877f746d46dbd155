// The dense LU of a small system, without calls: those of a backend cost more than the 12 rows of a box on a plane.
#ifndef VS_SOLVER_COULOMB_LINEAR_SYSTEM_DENSE_LU_H
#define VS_SOLVER_COULOMB_LINEAR_SYSTEM_DENSE_LU_H

#include "solver/coulomb/linear_system/linear_system_data.h"

void vs_dense_lu_assemble(vs_linear_system *system, const double *P, const double *Q);
// False if singular. Sets the sign of the determinant.
bool vs_dense_lu_factor(vs_linear_system *system);
void vs_dense_lu_solve(const vs_linear_system *system, double *x);

#endif
