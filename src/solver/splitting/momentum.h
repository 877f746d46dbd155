// Block Gauss-Seidel with momentum: thousands of sweeps over a large island, cheaper than the factors of Newton's
// method.
#ifndef VS_SOLVER_SPLITTING_MOMENTUM_H
#define VS_SOLVER_SPLITTING_MOMENTUM_H

#include "solver/splitting/gauss_seidel.h"

enum { VS_MOMENTUM_WORK = 4 }; // vectors of work

// As vs_gauss_seidel(), but the sweeps allowed are done even if the error stands still, for it may fall again; and up
// to four times as many (but no more than limits.most) as long as it falls or is small. work: VS_MOMENTUM_WORK vectors
// (rows).
void vs_momentum(const vs_island *island, vs_gauss_seidel_limits limits, double *l, double *y, double *const *work,
                 vs_gauss_seidel_outcome *outcome);

#endif
