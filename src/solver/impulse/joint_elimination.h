// The joints of an island eliminated: with N in blocks of joints (j) and of contacts and boxes (c),
//
//     S = N_cc - N_cj N_jj^-1 N_jc,    r_S = r_c - N_cj N_jj^-1 r_j,    g = -N_jj^-1 (r_j + N_jc l)
//
// the problem in l alone, y = S l + r_S, small and dense: contacts, limits, dry friction of joints and motors. It is the
// island of a mechanism as its generalized coordinates see it, and its solution with the joint impulses g is the
// solution of the whole island. Needs N stored and symmetric.
#ifndef VS_SOLVER_IMPULSE_JOINT_ELIMINATION_H
#define VS_SOLVER_IMPULSE_JOINT_ELIMINATION_H

#include "solver/impulse/joint_factor.h"

typedef struct vs_joint_elimination {
    vs_joint_factor factor;
    vs_impulse_problem reduced; // the problem in l; laws, units and rows are shared with the island
    int ld;                     // of X and S: whole tiles of columns
    double *X;                  // (joint rows, by position, x ld) L^-1 N_jc
    double *S;                  // (reduced rows x ld)
    int *first, *end;           // (joint rows, by position) columns of X beside which a row is zero
    double *R;                  // (joint rows, by position) L^-1 r_j
    double *z;                  // (joint rows) work
} vs_joint_elimination;

enum {
    VS_MECHANISM_LEAST = 16, // rows of joints that are coupled to other joints
    VS_MECHANISM_ALONE = 200 // rows of joints of an island without contacts
};

// Joints and contacts in such a proportion that what is left without the joints is small beside them: at most three rows
// of contacts and boxes for each row of a joint.
static inline bool vs_joint_elimination_pays(const vs_impulse_problem *island) {
    return island->joints >= VS_MECHANISM_LEAST && 4 * (int64_t)island->joints >= island->rows;
}
// Is the island a mechanism: joints coupled to each other, so many that their elimination pays? Without contacts and boxes
// nothing is left: one factorization solves it, also where N_jj is singular. Small ones are left to Newton's method, which takes
// one or two there.
bool vs_joint_elimination_suits(const vs_impulse_problem *island);
vs_error vs_joint_elimination_create(vs_joint_elimination *e, const vs_impulse_problem *island, vs_arena *arena);
void vs_joint_elimination_update(vs_joint_elimination *e); // values
// l (rows of the island) from lambda (rows of the reduced problem).
void vs_joint_elimination_expand(const vs_joint_elimination *e, const double *lambda, double *l);
// Refinement: the joint impulses of l (rows of the island) change so that the joint velocities of y = N l + r vanish.
void vs_joint_elimination_correct(const vs_joint_elimination *e, const double *y, double *l);
// Refinement: r_S becomes what it has to be for S lambda + r_S to be the velocities y (rows of the island).
void vs_joint_elimination_shift(vs_joint_elimination *e, const double *lambda, const double *y);

#endif
