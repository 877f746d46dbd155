// Flexible GMRES with a preconditioner that may change (a factor in lower precision, a regularized factor).
#ifndef VS_LINALG_FGMRES_H
#define VS_LINALG_FGMRES_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/space.h"

typedef struct vs_fgmres {
    int n, restart;
    const vs_space *space;                // of the vectors, of which
    int owned, shared;                    // entries owned … shared - 1 are ghosts, summed by their owners
    double residual;                      // of the current solve: for a preconditioner that iterates
    double *promised;                     // (restart + 1) residuals of the recurrence
    double *V, *Z, *Hm, *cs, *sn, *g, *w; // Krylov basis (restart+1) x n, preconditioned basis restart x n, …
} vs_fgmres;

typedef void (*vs_operator)(void *user, const double *x, double *y); // y = A x
typedef vs_error (*vs_preconditioner)(void *user, double *x);        // x <- M^-1 x

typedef struct vs_fgmres_outcome {
    int iterations;
    double residual; // |b - A x|; recomputed, unless few steps reached the tolerance far above roundoff
} vs_fgmres_outcome;

vs_error vs_fgmres_init(vs_fgmres *g, int n, int restart, vs_arena *arena);
// Solves A x = b to |b - A x| <= tolerance (absolute), at most max_iterations. x starts at zero or, with `guess`, at
// its present value if that is better. Returns the best x reached; not reaching the tolerance is not an error.
// Allocates nothing.
vs_error vs_fgmres_solve(vs_fgmres *g, vs_operator A, vs_preconditioner M, void *user, const double *b, double *x,
                         bool guess, double tolerance, int max_iterations, vs_fgmres_outcome *outcome);

#endif
