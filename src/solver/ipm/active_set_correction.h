// A step of active_set.c that keeps impulses from becoming negative, with one factorization for all sets tried.
//
// For carrying contacts the matrix K = N + delta gives the step d = -K^-1 y of a proximal problem without signs. Where
// x + d < 0 contacts are held at zero by a push p >= 0 on their velocity,
//
//     x + d + K^-1 p >= 0,   p >= 0,   complementary:
//
// a small problem for the few that are held. Its matrix is made of entries of K^-1, a solve for every contact that was
// ever held; sets are changed by block pivoting. Without it redundant contacts, between which impulses are shifted for
// the last digits, run out of their signs and spoil the others' balance.
#ifndef VS_SOLVER_IPM_ACTIVE_SET_CORRECTION_H
#define VS_SOLVER_IPM_ACTIVE_SET_CORRECTION_H

#include "solver/ipm/ipm.h"

typedef struct vs_hold {
    int most;        // contacts that may be held in one factorization's life
    int known;       // contacts with a column
    int *row;        // (most) which
    double *inverse; // (most, most) their rows and columns of K^-1
    int count;       // held now
    int *held;       // (most) of the known ones
    int *low;        // (most) contacts about to be held
    double *push;    // (most) of the held ones
    double *factor;  // (most, most) Cholesky factor of theirs
} vs_hold;

vs_error vs_hold_create(vs_hold *hold, int cones, vs_arena *arena);
void vs_hold_begin(vs_hold *hold); // after a factorization
// Fills ipm->dg, ipm->dl for the residuals r_e, r_c; held contacts go to zero. False in *good: no such step was found.
vs_error vs_hold_step(vs_hold *hold, vs_ipm *ipm, vs_iteration *line, bool *good);

#endif
