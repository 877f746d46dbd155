// Assembly and factorization of the reduced Newton matrix, with bounded regularization.
#ifndef VS_SOLVER_KKT_FACTORIZATION_H
#define VS_SOLVER_KKT_FACTORIZATION_H

#include "solver/kkt/newton_data.h"

// The values of the reduction's matrix, timed.
void vs_newton_assemble(vs_newton *newton);
// Factors the assembled matrix; increases delta while that fails.
vs_error vs_newton_factor_assembled(vs_newton *newton);

#endif
