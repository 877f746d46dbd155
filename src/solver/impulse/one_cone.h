// One contact by itself, relaxed friction: the minimum of 1/2 l'A l + q'l over K_mu. The counterpart of one_contact.h.
#ifndef VS_SOLVER_IMPULSE_ONE_CONE_H
#define VS_SOLVER_IMPULSE_ONE_CONE_H

#include <stdbool.h>

// A 3 x 3 row-major with leading dimension lda, positive definite or nearly so; if it is not symmetric, l solves l in
// K, A l + q in K*, l'(A l + q) = 0. q (3); mu > 0. l (3): a guess in (any values), the solution out. False if none was
// found to about roundoff (A indefinite or zero, or q out of the range of a singular A): l is then in K and, for a
// positive semidefinite A, no worse than the guess was on K.
bool vs_one_cone_solve(const double *A, int lda, const double *q, double mu, double *l);

#endif
