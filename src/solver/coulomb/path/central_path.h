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

#include "solver/coulomb/path/central_path_data.h"

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

// From the path's own start, at most so many iterations. Near the solution Newton's method on the exact law is tried.
vs_stage_end vs_central_path_follow(vs_central_path *path, const vs_central_path_settings *settings, int iterations,
                                    vs_progress *progress);

// ---- parts -----------------------------------------------------------------------------------------------

void vs_path_begin(vs_central_path *path, const vs_impulse_problem *island, const vs_central_path_settings *settings);
// One iteration from `now`; *moved: false if it led astray and `now` is the anchor again.
vs_error vs_path_iterate(vs_central_path *path, const vs_progress *progress, const vs_central_path_settings *settings,
                         bool *moved);

#endif
