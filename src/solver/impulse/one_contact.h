// One contact by itself, exact Coulomb: y = A l + q. The kernel of Gauss-Seidel, and the whole answer for islands of
// one contact.
#ifndef VS_SOLVER_IMPULSE_ONE_CONTACT_H
#define VS_SOLVER_IMPULSE_ONE_CONTACT_H

#include <stdbool.h>

// A 3 x 3 row-major with leading dimension lda, positive definite or nearly so, not necessarily symmetric; q (3); mu >
// 0. l (3): a guess in (any values), the solution out. Lift off, stick, slide, in this order. False if no solution was
// found to about roundoff (A indefinite, or mu so large that none exists): l is then the best point met, in K.
bool vs_one_contact_solve(const double *A, int lda, const double *q, double mu, double *l);

#endif
