// Points, directions and memory of the central path (central_path.h).
//
// A contact has one or two scalar pairs
//
//     a s = t tau0        nonnegative: a = l;  box: a = l - lo and hi - l;  friction: a = l_0, s = u_0
//
// and with friction the cone pair (l, x), x = (nu, u_T), with its Nesterov-Todd scaling W: z = W l = W^-1 x. Rows are in
// Lorentz scale, l' = L l with L = (sqrt mu, 1/sqrt mu, 1/sqrt mu).
#ifndef VS_SOLVER_COULOMB_CENTRAL_PATH_DATA_H
#define VS_SOLVER_COULOMB_CENTRAL_PATH_DATA_H

#include "cone/cone.h"
#include "solver/coulomb/progress.h"

typedef struct vs_central_path_settings {
    double kappa;     // share of the cone in the path's complementarity
    double eta;       // largest second-order term of a step, relative to the target
    double low, high; // neighbourhood of the path: products of pairs relative to their targets
} vs_central_path_settings;

// An iterate.
typedef struct vs_path_point {
    double t;           // barrier parameter
    vs_cone_pair *pair; // (groups) friction
    double *l;          // (rows) Lorentz scale; friction: that of the pair
    double *s1, *s2;    // (groups) of the scalar pairs; s2: boxes
    double *rp;         // (rows) N l + r - u
} vs_path_point;

// A direction, or a derivative with respect to t.
typedef struct vs_path_direction {
    double *dl;        // (rows) Lorentz scale
    double *dlt, *dyt; // (3 groups) W dl, W^-1 dx
    double *ds1, *ds2; // (groups)
    double dt;
} vs_path_direction;

// Vectors are for the largest island.
typedef struct vs_central_path {
    int rows, groups;
    double tau0;          // target of the pairs at t = 1
    double floor;         // of the blocks P: see central_path_direction.c
    double *rp0;          // (rows) rp at t = 1
    double *L;            // (rows) Lorentz scale
    vs_path_point now;    // iterate
    vs_path_point kept;   // iterate before a step
    vs_path_point anchor; // last well centred iterate

    double shorten;                // factor of the length of the next step
    double anchor_shorten;         // of steps from the anchor
    double *last;                  // (rows) dl of the last tangent
    double last_sense;             // of the last tangent: -1 t falls, 1 it rises, 0 there is none
    int retreats;                  // to this anchor
    int turns;                     // folds passed
    vs_path_direction tangent;     // derivative with respect to t
    vs_path_direction corrector;   // Newton step to the path; then the whole step
    vs_path_direction second;      // second-order correction
    double *rz;                    // (3 groups) residuals of the cone pairs
    double *r1, *r2;               // (groups) residuals of the scalar pairs
    double *rhs;                   // (rows)
    double *P;                     // (9 groups)
    double *impulses, *velocities; // (rows) of the iterate, in the island's units
} vs_central_path;

// Distances of a scalar pair's impulse to its bounds.
static inline double vs_path_above(const vs_impulse_problem *island, const double *l, int g) {
    return l[island->row[g]] - (island->law[g] == VS_LAW_BOX ? island->lo[g] : 0);
}

static inline double vs_path_below(const vs_impulse_problem *island, const double *l, int g) {
    return island->hi[g] - l[island->row[g]];
}

vs_error vs_central_path_create(int rows, int groups, vs_arena *arena, vs_central_path **out);
void vs_path_copy(const vs_central_path *path, const vs_path_point *from, vs_path_point *to);

#endif
