// The state of the interior point, shared by its parts: see ipm.h.
#ifndef VS_SOLVER_IPM_IPM_DATA_H
#define VS_SOLVER_IPM_IPM_DATA_H

#include "solver/kkt/newton.h"
#include "solver/run.h"

typedef struct vs_ipm {
    vs_method_run *run; // options, measuring, best iterate, history; not owned
    const vs_scaled *problem;
    const vs_space *space; // of the problem
    vs_newton newton;

    int degree;              // of all cones together, over all processes
    int count;               // pairs: one per cone, of a lifted one (kkt/lifted_block.h) one per disc
    int *first;              // (cones + 1) first pair of each cone
    vs_cone_kind *kind;      // (count) of each pair
    int *lift;               // (count + 1) first entry of each pair in lifted vectors (boxes count 2)
    vs_cone_pair *pairs;     // (count)
    vs_cone_pair *trial;     // (count)
    double *g;               // (m_e)
    double *v;               // (n) scaled; not in the impulse form
    double *best_v;          // (n) v of the best iterate
    bool best_balanced;      // its impulses balance v to their rounding
    double *x;               // (m) impulses of the rows: lambda, of a box lo + lambda
    double *r_d, *r_e, *r_c; // (n), (m_e), (m) residuals of the iterate
    bool velocities;         // v is a state

    double *dv, *dg;                  // (n), (m_e) a direction
    double *dl, *Ddv;                 // (m) its impulses and contact velocities
    double *rhs_d, *rhs_e, *rhs_c;    // (n), (m_e), (m)
    double *r_z;                      // (lifted) right-hand side of the complementarity
    double *dlt, *dyt;                // (lifted) W dl, W^-1 dy
    double *sum;                      // (lifted) dlt + dyt = -(z \ r_z)
    double *keep;                     // (n + m_e + 2 lifted) a saved direction
    double *r_z_keep;                 // (lifted)
    double gap;                       // lambda'y / degree
    bool *carries;                    // (cones) active_set.c: contacts with an impulse
    struct vs_correction *correction; // active_set.c: contacts kept at zero; null if not applicable
    vs_pace pace;                     // of the iterations
    double step_seconds;              // s, of a step of refinement, under a time budget
    double finish_below;              // gap below which the active-set correction is tried; 0: never
    double tolerance_factor;          // accuracy of the linear solves relative to the gap
} vs_ipm;

#endif
