// One contact with rolling or spinning friction by itself, exact or relaxed: y = A l + q. The counterpart of one_contact.h
// and one_cone.h for the discs of cone/rolling.c.
#ifndef VS_SOLVER_IMPULSE_ONE_ROLLING_H
#define VS_SOLVER_IMPULSE_ONE_ROLLING_H

#include "cone/cone.h"

// A (rows x rows, row-major with leading dimension lda), positive definite or nearly so, not necessarily symmetric; q
// (rows). l (rows): a guess in (any values), the solution out. False if none was found to about roundoff: l is then the
// best point met, in K.
bool vs_one_rolling_solve(const vs_discs *d, const double *A, int lda, const double *q, bool exact, double *l);

// One step of Newton's method from l, at which the velocities are y, for sweeps that come back to the contact. False if it
// does not reduce the error to a tenth: l is then unchanged.
bool vs_one_rolling_improve(const vs_discs *d, const double *A, int lda, const double *y, bool exact, double *l);

// The law as an equation, with its generalized derivative dF = A dl + B dy (both with leading dimension ld; both null: F
// alone):
//
//     F = l - P_K(l - ybar),    ybar = y, exact: y + (sum mu_k |y_k|, 0, …)
void vs_rolling_map(const vs_discs *d, bool exact, const double *l, const double *y, double *F, double *A, double *B,
                    int ld);

#endif
