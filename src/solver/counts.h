// Cost of the linear algebra of a solve.
#ifndef VS_SOLVER_COUNTS_H
#define VS_SOLVER_COUNTS_H

#include <stdint.h>

typedef struct vs_counts {
    int factorizations;
    int64_t solves;                 // triangular solves
    int64_t cg_steps;               // of conjugate gradients in place of factors
    double regularization;          // largest used
    double assemble, factor, solve; // s; solve: inside the backend
    double refine;                  // s; operator products and orthogonalization around the solves
} vs_counts;

#endif
