// Semismooth Newton on the friction law, F(l, N l + r) = 0 (friction_map.h), with a proximal term that vanishes with the
// residual:
//
//     (A + B (N + alpha)) d = -F,    alpha = clamp(1e-2 |F| / |r|)
//
// and a nonmonotone line search on |F|. It converges quadratically near regular solutions; the proximal term carries it
// past singular ones. At a fold it stalls.
#ifndef VS_SOLVER_COULOMB_SEMISMOOTH_NEWTON_H
#define VS_SOLVER_COULOMB_SEMISMOOTH_NEWTON_H

#include "solver/coulomb/progress.h"
#include "solver/coulomb/friction_map.h"

typedef struct vs_semismooth_options {
    vs_friction_map map;
    double alpha_most, alpha_least; // bounds of the proximal term
    int iterations;                 // at most
    int patience;                   // iterations without a reduction of the residual by a tenth
} vs_semismooth_options;

extern const vs_semismooth_options vs_semismooth_cold; // from rest or a warm start
extern const vs_semismooth_options
    vs_semismooth_firm; // the same with hardly any proximal term: for very different masses
extern const vs_semismooth_options vs_semismooth_polish; // from close by

// From start (rows), which may be progress->l.
vs_stage_end vs_semismooth_solve(const vs_semismooth_options *options, vs_progress *progress, const double *start);

#endif
