// Semismooth Newton on the friction law, with a proximal term that vanishes with the residual.
//
//     (A + B (N + alpha)) d = -F,   alpha = clamp(1e-2 |F| / |r|)
//
// A nonmonotone line search on |F|. Quadratic near regular solutions; the proximal term carries it over singular ones.
#ifndef VS_SOLVER_COULOMB_SEMISMOOTH_H
#define VS_SOLVER_COULOMB_SEMISMOOTH_H

#include "solver/coulomb/attempt.h"
#include "solver/coulomb/law.h"

typedef struct vs_semismooth {
    vs_map map;
    double alpha_most, alpha_least;
    int iterations; // at most
    int patience;   // iterations without a tenth less residual
} vs_semismooth;

extern const vs_semismooth vs_semismooth_cold;   // from rest or a warm start
extern const vs_semismooth vs_semismooth_firm;   // the same with hardly a proximal term: for very different masses
extern const vs_semismooth vs_semismooth_polish; // from close by

// From start (rows), which may be the attempt's l.
vs_outcome vs_semismooth_solve(const vs_semismooth *options, vs_attempt *attempt, const double *start);

#endif
