// The split interior point: exact Coulomb friction along its central path, followed by arclength.
//
// In Lorentz scale (mu = 1) de Saxcé's law splits into a half line and a cone, with a free slack nu for mu|u_T|:
//
//     l_0 u_0 = t tau0,    l o (nu, u_T) = kappa t tau0 e,    N l + r - u = t rp0
//
// exact at t = 0, smooth before it. The path folds (det of the Newton matrix changes sign), so t must be allowed to
// rise: the direction along the path is taken from the sign of the determinant.
#ifndef VS_SOLVER_COULOMB_PATH_H
#define VS_SOLVER_COULOMB_PATH_H

#include "cone/cone.h"
#include "solver/coulomb/attempt.h"

typedef struct vs_path_options {
    double kappa;     // share of the cone in the path's complementarity
    double eta;       // largest second-order term of a step, relative to the target
    double low, high; // neighbourhood of the path
    int iterations;   // at most
} vs_path_options;

// Ways along the path. Which kappa has the fewest folds differs from problem to problem, so that several are tried.
extern const vs_path_options vs_path_wide[];  // fast: few, long steps
extern const vs_path_options vs_path_tight[]; // safe: stays close to the path
extern const vs_path_options vs_path_long[];  // the same with patience
extern const vs_path_options vs_path_last[];  // and with much more
// Each list ends with iterations = 0.

typedef struct vs_path vs_path; // work of the largest island

vs_error vs_path_create(int rows, int groups, vs_arena *arena, vs_path **out);
// From the path's own start. Ends with Newton on the problem as soon as the iterates are close.
vs_outcome vs_path_follow(vs_path *path, const vs_path_options *options, vs_attempt *attempt);

#endif
