// A step of active_set.c that keeps impulses from becoming negative, with one factorization for all sets.
//
// For carrying contacts the matrix K = N + delta gives the step d = -K^-1 y of a proximal problem without signs. Where
// x + d < 0, contacts are kept at zero by a push p >= 0 on their velocity,
//
//     x + d + K^-1 p >= 0,   p >= 0,   complementary:
//
// a small problem for these few contacts. Its matrix consists of entries of K^-1, one solve per contact that was ever
// in the set; sets change by block pivoting. Without it redundant contacts, between which impulses are shifted for the
// last digits, would violate their signs and spoil the balance of the others.
#ifndef VS_SOLVER_IPM_ACTIVE_SET_CORRECTION_H
#define VS_SOLVER_IPM_ACTIVE_SET_CORRECTION_H

#include "solver/ipm/ipm_data.h"

typedef struct vs_correction {
    int most;        // contacts that may be in the set during one factorization
    int known;       // contacts with a column
    int *row;        // (most) their rows
    double *inverse; // (most, most) their rows and columns of K^-1
    int count;       // in the set now
    int *held;       // (most) of the known ones
    int *low;        // (most) contacts to be added
    double *push;    // (most) of those in the set
    double *factor;  // (most, most) their Cholesky factor
} vs_correction;

vs_error vs_correction_create(vs_correction *correction, int cones, vs_arena *arena);
void vs_correction_begin(vs_correction *correction); // after a factorization
// Fills ipm->dg, ipm->dl for the residuals r_e, r_c; contacts of the set go to zero. False in *good: no such step was
// found.
vs_error vs_correction_step(vs_correction *correction, vs_ipm *ipm, vs_iteration *line, bool *good);

#endif
