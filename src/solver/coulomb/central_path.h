// The split interior point method: exact Coulomb friction along its central path, whose barrier parameter t is followed
// from 1 to 0 by arclength.
//
// In Lorentz scale (mu = 1) de Saxcé's law splits into a nonnegative orthant (dimension 1) and a second-order cone, with
// a free slack nu in place of mu |u_T|:
//
//     l_0 u_0 = t tau0,    l o (nu, u_T) = kappa t tau0 e,    N l + r - u = t rp0
//
// It is exact at t = 0 and smooth before. The path has folds, where the determinant of the Newton matrix changes its
// sign, so t must be allowed to rise: the sense in which the tangent is followed is taken from that sign.
#ifndef VS_SOLVER_COULOMB_CENTRAL_PATH_H
#define VS_SOLVER_COULOMB_CENTRAL_PATH_H

#include "solver/coulomb/progress.h"

typedef struct vs_central_path_settings {
    double kappa;     // share of the cone in the path's complementarity
    double eta;       // largest second-order term of a step, relative to the target
    double low, high; // neighbourhood of the path: products of pairs relative to their targets
} vs_central_path_settings;

// Settings from fast to safe. Which kappa has the fewest folds differs from problem to problem, so several are tried.
enum {
    VS_CENTRAL_PATH_WIDE = 1,
    VS_CENTRAL_PATH_NARROW = 3,
    VS_CENTRAL_PATH_EXTENDED = 4,
    VS_CENTRAL_PATH_EXHAUSTIVE = 2
};
extern const vs_central_path_settings vs_central_path_wide[VS_CENTRAL_PATH_WIDE], // wide neighbourhood: few, long steps
    vs_central_path_narrow[VS_CENTRAL_PATH_NARROW],                               // narrow neighbourhood: short steps
    vs_central_path_extended[VS_CENTRAL_PATH_EXTENDED],                           // the same for more values of kappa
    vs_central_path_exhaustive[VS_CENTRAL_PATH_EXHAUSTIVE];                       // very short steps

typedef struct vs_central_path vs_central_path; // vectors for the largest island

vs_error vs_central_path_create(int rows, int groups, vs_arena *arena, vs_central_path **out);
// From the path's own start, at most so many iterations. Near the solution Newton's method on the exact law is tried.
vs_outcome vs_central_path_follow(vs_central_path *path, const vs_central_path_settings *settings, int iterations,
                                  vs_progress *progress);

#endif
